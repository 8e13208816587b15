// Renders components for tests: with the app's query client, a router on the window's URL, and a mocked API.
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, vi } from 'vitest';
import type { ErrorCode } from '~/api/types';
import { createQueryClient } from '~/app/query-client';
import { BrowserRouter } from '~/lib/router/router';
import { toast, useToasts } from '~/ui/feedback/toast';

// Long, for busy machines; a test that passes does not wait.
configure({ asyncUtilTimeout: 20_000 });

afterEach(() => {
  cleanup();
  toast.remove();
  sessionStorage.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

/** The app's query client, for tests that fill it before they render. */
export const newClient = () => createQueryClient(false);

export function renderApp(children: ReactNode, url = '/', client = newClient()) {
  window.history.replaceState(null, '', url);
  const app = (content: ReactNode) => (
    <QueryClientProvider client={client}>
      <BrowserRouter>{content}</BrowserRouter>
      <Toasts />
    </QueryClientProvider>
  );
  const view = render(app(children));
  return { ...view, update: (next: ReactNode) => view.rerender(app(next)), client, user: userEvent.setup() };
}

/** Shows the texts of toasts; the real ones need a layout. */
function Toasts() {
  const toasts = useToasts();
  return <div data-testid="toasts">{toasts.map(({ message }) => message).join('\n')}</div>;
}

export type MockRequest = { call: string; body: unknown; headers: Headers };
type Responder = (request: MockRequest) => unknown;

/** A response with another status than 200. */
export class Status {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {}
}

/** An error of the API. */
export const errorStatus = (status: number, code: ErrorCode, error: string, field?: string) =>
  new Status(status, { error, message: error, code, field });

const toResponse = ({ status, body }: Status) => Response.json(body, { status });

/**
 * Mocks the API: `{'GET /api/cart/cart': {…}}`, where a value is the body, a `Status`, or a function that returns one. A
 * key without a query string matches every query. Returns the requests; a request without a response is a 404.
 */
export function mockApi(responses: Record<string, unknown>): MockRequest[] {
  const requests: MockRequest[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body, headers }: RequestInit = {}) => {
    const request = {
      call: `${method} ${url}`,
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
      headers: new Headers(headers),
    };
    requests.push(request);
    const found = responses[request.call] ?? responses[request.call.split('?')[0] ?? ''];
    const result = await (typeof found === 'function' ? (found as Responder)(request) : found);
    if (result === undefined) return toResponse(errorStatus(404, 'not_found', `no response for ${request.call}`));
    return result instanceof Status ? toResponse(result) : Response.json(result);
  });
  return requests;
}

/** The responses of a signed-in user. */
export const signedIn = {
  'GET /api/auth/check-auth': { authenticated: true },
  'GET /api/userinfo': {
    user: { _id: 'u1', name: 'Asha Kulkarni', email: 'asha@example.com', photo: null, role: 'user' },
  },
};
