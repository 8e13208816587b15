// The types of the API's requests, derived from the generated `paths`: a wrong path, method, parameter or body does not
// compile (client.test-d.ts has the proof). Shared by the client of the browser and the reader of the server render.
import { buildQuery, type QueryValues } from '~/lib/router/query-string';
import type { paths } from './schema.gen';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type Operation<Path extends keyof paths, Verb extends Method> = paths[Path][Verb];

/** The paths that have the method and respond with JSON. */
export type PathWith<Verb extends Method> = {
  [Path in keyof paths]: [ResponseBody<Path, Verb>] extends [never] ? never : Path;
}[keyof paths];

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;

/** The body of a successful response. */
export type ResponseBody<Path extends keyof paths, Verb extends Method> =
  Operation<Path, Verb> extends { responses: infer Responses } ? Json<Responses[keyof Responses & (200 | 201)]> : never;

type PathParams<Op> = Op extends { parameters: { path: infer Params } } ? { path: Params } : { path?: never };

type QueryParams<Op> = Op extends { parameters: { query: infer Query } }
  ? { query: Query }
  : Op extends { parameters: { query?: infer Query } }
    ? { query?: Query }
    : { query?: never };

type Headers<Op> = Op extends { parameters: { header?: infer Header } } ? { headers?: Header } : { headers?: never };

type Body<Op> = Op extends { requestBody: { content: { 'application/json': infer Value } } }
  ? { body: Value }
  : Op extends { requestBody?: infer Content }
    ? { body?: Json<Content> }
    : { body?: never };

/** What a request needs besides its path. `fallback` is the error message where the server gives none. */
export type RequestOptions<Path extends keyof paths, Verb extends Method> = PathParams<Operation<Path, Verb>> &
  QueryParams<Operation<Path, Verb>> &
  Headers<Operation<Path, Verb>> &
  Body<Operation<Path, Verb>> & { fallback: string };

/** GET paths that need no session: the API describes no 401 for them. */
export type PublicPath = {
  [Path in PathWith<'get'>]: Operation<Path, 'get'> extends { responses: { 401: unknown } } ? never : Path;
}[PathWith<'get'>];

export function buildUrl(template: string, path: object = {}, query: object = {}): string {
  const params = new Map<string, unknown>(Object.entries(path));
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params.get(name))));
  const values: QueryValues = Object.fromEntries(Object.entries(query));
  return filled + buildQuery(values);
}
