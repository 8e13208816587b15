// Errors of the API. A failed response becomes an ApiError here and nowhere else, and all decisions that depend on an
// error are functions of this file.
//
// The server will send `code` (a stable snake_case string) and `field` (the name of the wrong field as in the request)
// beside the message. Until it does, both are read from the message: `codeFrom` and `fieldFrom` are then deleted.

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 where there was no response. */
  readonly status: number;
  /** Stable name of the error; empty where the server gave none. */
  readonly code: string;
  /** The request's field that is wrong; empty where the error is not about one. */
  readonly field: string;

  constructor(status: number, message: string, { code = '', field = '' } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

/** `fallback` is the message for a body without one. */
export function errorFrom(status: number, body: unknown, fallback: string): ApiError {
  const error = text(body, 'error');
  const message = error || text(body, 'message') || fallback;
  return new ApiError(status, message, {
    code: text(body, 'code') || codeFrom(message),
    field: text(body, 'field') || fieldFrom(message),
  });
}

export function errorMessage(error: unknown, fallback: string): string {
  return error instanceof Error && error.message ? error.message : fallback;
}

/** The session has ended, or there was none. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.code === 'unauthorized');
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** The data was changed meanwhile, or the stock does not allow the change. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

/** Whether the request may or may not have been carried out: no response, or one of a failing server. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** A repeated request would be rejected again. */
export function isClientError(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

/** Too large, or too many requests: the user can do something about it, so the server's message is shown. */
export function isLimitExceeded(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 413 || error.status === 429);
}

/** The one of a form's fields that the server rejected. */
export function fieldOf<Field extends string>(error: unknown, fields: readonly Field[]): Field | undefined {
  return error instanceof ApiError ? fields.find((field) => field === error.field) : undefined;
}

function text(body: unknown, name: string): string {
  if (typeof body !== 'object' || body === null || !(name in body)) return '';
  const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  return typeof value === 'string' ? value : '';
}

const codeFrom = (message: string): string => (message.includes('not authenticated') ? 'unauthorized' : '');

/** The server's messages about a field start with its name: 'phone must be a 10-digit phone number'. */
const fieldFrom = (message: string): string => /^[a-z]\w*(?= )/i.exec(message)?.[0] ?? '';
