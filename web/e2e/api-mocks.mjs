// Mocks of the API in a page. Playwright's routes turn off the browser's cache and pause every request, so that a page
// takes twice the processor time. These pause the requests of the API only.

/** What is mocked in a page: the newest route first. */
const mocks = new WeakMap();

/**
 * Responds to the page's requests whose path and query match `pattern`, as `page.route` would: `*` stands for a part without
 * slashes, `**` for any. `respond` gets the request, see `PausedRequest`.
 */
export async function mockApi(page, pattern, respond) {
  if (!mocks.has(page)) {
    const session = await page.context().newCDPSession(page);
    const routes = [];
    mocks.set(page, { session, routes });
    session.on('Fetch.requestPaused', (paused) => {
      const request = new PausedRequest(page, session, paused);
      const found = routes.find(({ matches }) => matches.test(request.path));
      if (found) found.respond(request);
      else request.continue();
    });
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] });
  }
  mocks.get(page).routes.unshift({ pattern, matches: toRegExp(pattern), respond });
}

/** Removes the mocks of one pattern, or all of them. */
export async function unmockApi(page, pattern) {
  const state = mocks.get(page);
  if (!state) return;
  const left = pattern ? state.routes.filter((route) => route.pattern !== pattern) : [];
  state.routes.splice(0, state.routes.length, ...left);
  if (left.length) return;
  mocks.delete(page);
  await state.session.detach().catch(() => undefined);
}

function toRegExp(pattern) {
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((part) => ({ '**': '.*', '*': '[^/]*' })[part] ?? part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('');
  return new RegExp(`^${source}$`);
}

/** A request that waits for its response. */
class PausedRequest {
  #page;
  #session;
  #paused;

  constructor(page, session, paused) {
    this.#page = page;
    this.#session = session;
    this.#paused = paused;
  }

  get url() {
    return this.#paused.request.url;
  }
  get path() {
    const { pathname, search } = new URL(this.url);
    return pathname + search;
  }
  get method() {
    return this.#paused.request.method;
  }
  /** With names in lower case. */
  get headers() {
    const { headers } = this.#paused.request;
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  }
  get body() {
    const entries = this.#paused.request.postDataEntries ?? [];
    return Buffer.concat(entries.map(({ bytes }) => Buffer.from(bytes ?? '', 'base64'))).toString();
  }
  /** The body parsed, or null. */
  get json() {
    return this.body ? JSON.parse(this.body) : null;
  }

  /** The page may be gone by now. */
  #send(command, parameters) {
    return this.#session
      .send(`Fetch.${command}`, { requestId: this.#paused.requestId, ...parameters })
      .catch(() => undefined);
  }

  fulfill({ status = 200, json }) {
    return this.#send('fulfillRequest', {
      responseCode: status,
      responseHeaders: [{ name: 'content-type', value: 'application/json' }],
      body: Buffer.from(JSON.stringify(json)).toString('base64'),
    });
  }
  abort() {
    return this.#send('failRequest', { errorReason: 'Failed' });
  }
  continue() {
    return this.#send('continueRequest');
  }
  /** The server's response: its status and its body. */
  async fetch() {
    const { origin } = new URL(this.url);
    const headers = { ...this.headers, origin };
    const response = await this.#page.request.fetch(this.url, { method: this.method, headers, data: this.body });
    return { status: response.status(), json: await response.json() };
  }
}
