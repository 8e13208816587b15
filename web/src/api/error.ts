// Errors of the API. A failed response becomes an ApiError here and nowhere else. The app decides by its `code`, never by
// the text: docs/errors.md lists the codes and their meanings.
import type { ErrorCode } from './types';

/** `network`: no response. `unknown`: a response without a code, for example of a proxy. */
export type ApiErrorCode = ErrorCode | 'network' | 'unknown';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 where there was no response. */
  readonly status: number;
  readonly code: ApiErrorCode;
  /** The request's field that is wrong; empty where the error is not about one. */
  readonly field: string;

  constructor(status: number, code: ApiErrorCode, message: string, field = '') {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

/** `fallback` is the message for a body without one. */
export function errorFrom(status: number, body: unknown, fallback: string): ApiError {
  const code = (text(body, 'code') || 'unknown') as ApiErrorCode;
  const message = text(body, 'error') || text(body, 'message') || fallback;
  return new ApiError(status, code, message, text(body, 'field'));
}

export function hasCode(error: unknown, ...codes: ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}

export function errorMessage(error: unknown, fallback: string): string {
  return error instanceof Error && error.message ? error.message : fallback;
}

/** The session has ended, or there was none. */
export function isUnauthorized(error: unknown): boolean {
  return hasCode(error, 'unauthorized');
}

/** Whether the request may or may not have been carried out: no response, or one of a failing server. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** No response, or one of a proxy that has not reached the server. */
export function isUnreachable(error: unknown): boolean {
  return hasCode(error, 'network') || (hasCode(error, 'unknown') && [502, 503, 504].includes(error.status));
}

/** Somebody or something else has changed what the request is about. */
export const isConflict = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 409;

/** A repeated request would be rejected again. */
export function isClientError(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

function text(body: unknown, name: string): string {
  if (typeof body !== 'object' || body === null || !(name in body)) return '';
  const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  return typeof value === 'string' ? value : '';
}
