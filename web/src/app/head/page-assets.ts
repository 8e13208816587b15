// Which built files a page needs to be hydrated, read from the client build's manifest.
import type { PageKey } from '../routing/page-keys';

type Chunk = { file: string; imports?: string[] };
declare const __CLIENT_MANIFEST__: Record<string, Chunk>;

export function pageAssets(page: PageKey): string[] {
  const manifest = __CLIENT_MANIFEST__;
  const files = reach(manifest, 'index.html', new Set());
  const entry = Object.keys(manifest).find((file) => file.endsWith(`/${page}-page.tsx`));
  return entry ? [...reach(manifest, entry, files)] : [];
}

function reach(manifest: Record<string, Chunk>, key: string, files: Set<string>): Set<string> {
  const chunk = manifest[key];
  if (!chunk || files.has(chunk.file)) return files;
  files.add(chunk.file);
  for (const next of chunk.imports ?? []) reach(manifest, next, files);
  return files;
}
