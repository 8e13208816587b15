// The client of the API for the browser, typed by the generated `paths`. Every failure becomes an ApiError whose message
// can be shown to a customer. Not openapi-fetch: its size would exceed the budget of the first load of home.
import { ApiError, errorFrom } from './error';
import { buildUrl, type Method, type PathWith, type RequestOptions, type ResponseBody } from './paths';

type Request<Verb extends Method> = <Path extends PathWith<Verb>>(
  path: Path,
  options: RequestOptions<Path, Verb>,
) => Promise<ResponseBody<Path, Verb>>;

type PlainOptions = { path?: object; query?: object; headers?: object; body?: unknown; fallback: string };

/** The request of one method: `get('/api/user/orders/{id}', { path: { id }, fallback: 'Failed to load order' })`. */
function request<Verb extends Method>(method: Verb) {
  const run = (path: string, { path: params, query, headers, body, fallback }: PlainOptions) =>
    send(buildUrl(path, params, query), method, headers, body, fallback);
  // Compared with the options of all paths at once, the union of them is too complex for the compiler.
  return run as unknown as Request<Verb>;
}

export const get = request('get');
export const post = request('post');
export const put = request('put');
export const patch = request('patch');
export const del = request('delete');

async function send(url: string, method: Method, headers: object | undefined, body: unknown, fallback: string) {
  let response: Response;
  try {
    response = await fetch(url, {
      method: method.toUpperCase(),
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(method !== 'get' && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, 'network', fallback);
  }
  if (!(response.headers.get('content-type') ?? '').includes('json')) {
    throw new ApiError(response.status, 'unknown', 'Server returned non-JSON response');
  }
  const json = await response.json().catch(() => null);
  if (!response.ok) throw errorFrom(response.status, json, fallback);
  return json;
}
