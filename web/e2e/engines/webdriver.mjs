// A client of the W3C WebDriver protocol: one browser session over HTTP. The protocol is small, and geckodriver and
// WebKitWebDriver speak it directly; no package is needed for it (selenium-webdriver is 9 MB packed and finds nothing by
// role).
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
/** Longer than any command takes on a busy machine. */
const COMMAND_TIMEOUT_MS = 120_000;
/** The same for the start of a browser. */
const START_TIMEOUT_MS = 60_000;

export class WebDriverError extends Error {
  /** @param {string} code the protocol's name of the error, for example 'stale element reference' */
  constructor(command, code, message) {
    super(`${command}: ${code}: ${message}`);
    this.name = 'WebDriverError';
    this.code = code;
  }
}

async function send(url, method, body, timeoutMs = COMMAND_TIMEOUT_MS) {
  const response = await fetch(url, {
    method,
    body: method === 'POST' ? JSON.stringify(body ?? {}) : undefined,
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { value } = await response.json();
  if (!response.ok) throw new WebDriverError(`${method} ${new URL(url).pathname}`, value.error, value.message);
  return value;
}

export class Session {
  #url;

  static async start(driverUrl, capabilities) {
    const body = { capabilities: { alwaysMatch: capabilities } };
    const { sessionId } = await send(`${driverUrl}/session`, 'POST', body, START_TIMEOUT_MS);
    return new Session(`${driverUrl}/session/${sessionId}`);
  }

  constructor(url) {
    this.#url = url;
  }

  end = () => send(this.#url, 'DELETE');
  #get = (path) => send(this.#url + path, 'GET');
  #post = (path, body) => send(this.#url + path, 'POST', body);

  navigate = (url) => this.#post('/url', { url });
  url = () => this.#get('/url');
  back = () => this.#post('/back');
  /** A PNG file in base64. */
  screenshot = () => this.#get('/screenshot');

  /** The outer size of the window. */
  resize = (width, height) => this.#post('/window/rect', { width, height });

  /** Runs a function in the page. It and its arguments are sent as text: it sees nothing of this file. */
  run = (script, ...args) => this.#post('/execute/sync', { script: `return (${script})(...arguments)`, args });

  /** The same for an async function; a rejection throws here too. */
  async runAsync(script, ...args) {
    const wrapped = `const done = arguments[arguments.length - 1];
      (${script})(...[...arguments].slice(0, -1)).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = await this.#post('/execute/async', { script: wrapped, args });
    if (error) throw new Error(error);
    return value;
  }

  /** Runs a function in Firefox's own window, around the page. */
  async runInBrowser(script) {
    await this.#post('/moz/context', { context: 'chrome' });
    await this.run(script);
    await this.#post('/moz/context', { context: 'content' });
  }

  click = (element) => this.#post(`/element/${element[ELEMENT]}/click`);
  /** Types a text; the names of files into a file field. */
  type = (element, text) => this.#post(`/element/${element[ELEMENT]}/value`, { text });
}
