// The one way to talk to the program. In a browser it fetches; during a server render the program itself answers,
// synchronously, through `hostGet`. Every failure becomes an ApiError that carries a text fit for a shopper.

export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }
}

declare global {
  /** Provided by the program while it renders a page: `{status, body}` of a public GET call, as JSON text. */
  var hostGet: ((path: string) => string) | undefined;
}

type Send = { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; body?: unknown; headers?: Record<string, string> };

export function apiGet<T>(path: string, fallback: string): Promise<T> {
  return call<T>(path, { headers: { accept: 'application/json' } }, fallback);
}

export function apiSend<T>(path: string, { method, body, headers }: Send, fallback: string): Promise<T> {
  const isForm = typeof FormData !== 'undefined' && body instanceof FormData;
  return call<T>(
    path,
    {
      method,
      headers: { accept: 'application/json', ...(isForm ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : isForm ? (body as FormData) : JSON.stringify(body),
    },
    fallback,
  );
}

/** The same call during a server render. */
export function renderGet<T>(path: string, fallback: string): T {
  if (!globalThis.hostGet) throw new ApiError(0, fallback);
  const answer = JSON.parse(globalThis.hostGet(path)) as { status: number; body: unknown };
  if (answer.status >= 400) throw new ApiError(answer.status, messageFrom(answer.body, fallback));
  return answer.body as T;
}

async function call<T>(path: string, init: RequestInit, fallback: string): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin', ...init });
  } catch {
    throw new ApiError(0, fallback);
  }
  if (!(response.headers.get('content-type') ?? '').includes('json')) {
    throw new ApiError(response.status, 'Server returned non-JSON response');
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, messageFrom(body, fallback));
  return body as T;
}

function messageFrom(body: unknown, fallback: string): string {
  if (typeof body === 'object' && body !== null) {
    const { error, message } = body as { error?: unknown; message?: unknown };
    if (typeof error === 'string' && error) return error;
    if (typeof message === 'string' && message) return message;
  }
  return fallback;
}

export function errorMessage(error: unknown, fallback: string): string {
  return error instanceof Error && error.message ? error.message : fallback;
}
