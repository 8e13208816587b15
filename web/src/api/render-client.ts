// Reads public data during a server render, with the same typed paths as the client of the browser. It is synchronous: the
// engine that renders pages has neither `fetch` nor `Request`, the server itself responds through `hostGet`.
import { ApiError, errorFrom } from './error';
import { buildUrl, type PublicPath, type RequestOptions, type ResponseBody } from './paths';

declare global {
  /** Provided by the server while it renders a page: `{status, body}` of a public GET request, as JSON text. */
  var hostGet: ((path: string) => string) | undefined;
}

export function renderGet<Path extends PublicPath>(
  path: Path,
  { path: params, query, fallback }: RequestOptions<Path, 'get'>,
): ResponseBody<Path, 'get'> {
  if (!globalThis.hostGet) throw new ApiError(0, 'network', fallback);
  const { status, body } = JSON.parse(globalThis.hostGet(buildUrl(path, params, query)));
  if (status >= 400) throw errorFrom(status, body, fallback);
  return body;
}
