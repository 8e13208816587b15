// Uploads of images. One request for each file, so that each shows its own progress and a rejected one does not affect
// the others. Stored files stay listed until the tab is closed, in every section.
import { useSyncExternalStore } from 'react';
import { postForm } from '~/api/upload';
import { toast } from '~/ui/feedback/toast';

export type Upload = {
  key: number;
  name: string;
  state: 'waiting' | 'sending' | 'stored' | 'failed';
  /** 0 to 1. */
  progress: number;
  /** The file name on the server. */
  stored: string;
  error: string;
};

const MAX_PARALLEL_UPLOADS = 3;
const FAILED = 'Upload failed';

let uploads: Upload[] = [];
let lastKey = 0;
const listeners = new Set<() => void>();
const none: Upload[] = [];

export function useUploads(): Upload[] {
  return useSyncExternalStore(
    subscribe,
    () => uploads,
    () => none,
  );
}

export function removeUpload(key: number): void {
  set(uploads.filter((each) => each.key !== key));
}

/** Uploads all files, some in parallel, and returns the stored names in the order of `files`. */
export async function uploadFiles(files: File[]): Promise<string[]> {
  const batch = files.map((file) => ({ file, key: ++lastKey }));
  const fresh = batch.map(
    ({ file, key }): Upload => ({ key, name: file.name, state: 'waiting', progress: 0, stored: '', error: '' }),
  );
  set([...fresh, ...uploads]);

  const waiting = [...batch];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await sendOne(next.key, next.file);
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL_UPLOADS }, work));

  const done = batch.flatMap(({ key }) => uploads.find((each) => each.key === key) ?? []);
  const names = done.filter(({ state }) => state === 'stored').map(({ stored }) => stored);
  if (names.length > 0) toast.success(`Upload successful: ${names.join(', ')}`);
  if (done.some(({ state }) => state === 'failed')) toast.error(FAILED);
  return names;
}

async function sendOne(key: number, file: File): Promise<void> {
  change(key, { state: 'sending' });
  try {
    const stored = await post(file, (progress) => change(key, { progress }));
    change(key, { state: 'stored', progress: 1, stored });
  } catch (error) {
    change(key, { state: 'failed', error: error instanceof Error ? error.message : FAILED });
  }
}

async function post(file: File, onProgress: (part: number) => void): Promise<string> {
  const form = new FormData();
  form.append('images', file);
  const { files } = await postForm('/api/admin/upload-images', { form, fallback: FAILED, onProgress });
  const stored = files[0];
  if (!stored) throw new Error(FAILED);
  return stored;
}

function change(key: number, part: Partial<Upload>): void {
  set(uploads.map((each) => (each.key === key ? { ...each, ...part } : each)));
}

function set(next: Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
