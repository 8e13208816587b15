// The client of the API for the browser, typed by the generated `paths`. Every failure becomes an ApiError whose message
// can be shown to a customer. Not openapi-fetch: its size would exceed the budget of the first load of home.
import { ApiError, errorFrom } from './error';
import { buildUrl, type Method, type PathWith, type RequestOptions, type ResponseBody } from './paths';

type PlainOptions = { path?: object; query?: object; headers?: object; body?: unknown; fallback: string };

/** The request of one method: `get('/api/user/orders/{id}', { path: { id }, fallback: 'Failed to load order' })`. */
const request =
  <Verb extends Method>(method: Verb) =>
  <Path extends PathWith<Verb>>(
    path: Path,
    options: RequestOptions<Path, Verb>,
  ): Promise<ResponseBody<Path, Verb>> => {
    // The compiler would compute the options of all paths at once, which are too many for it.
    const { path: params, query, headers, body, fallback } = options as PlainOptions;
    return send(buildUrl(path, params, query), method, headers, body, fallback);
  };

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
