// Globals that libraries expect and the server's JavaScript engine lacks. Timers never fire: a render is one synchronous
// call, and nothing may run after it.

type Loose = Record<string, unknown>;
const world = globalThis as unknown as Loose;

function provide(name: string, value: unknown) {
  if (world[name] === undefined) world[name] = value;
}

const silent = () => undefined;
provide('console', { log: silent, info: silent, warn: silent, error: silent, debug: silent });
provide('setTimeout', () => 0);
provide('clearTimeout', silent);
provide('setInterval', () => 0);
provide('clearInterval', silent);
provide('queueMicrotask', (task: () => void) => void Promise.resolve().then(task));
provide('performance', { now: () => Date.now() });

class Utf8Encoder {
  encode(text: string): Uint8Array {
    const bytes = unescape(encodeURIComponent(text));
    return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  }
}
provide('TextEncoder', Utf8Encoder);

/** The part of URL that the router uses: parsing an absolute URL, or one relative to a base. */
class PlainUrl {
  href: string;
  origin: string;
  protocol: string;
  host: string;
  pathname: string;
  search: string;
  hash: string;
  constructor(address: string, base?: string) {
    const whole = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `${new PlainUrl(base ?? '').origin}${address}`;
    const parts = /^([a-z][a-z0-9+.-]*:)\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(whole);
    if (!parts) throw new TypeError(`Invalid URL: ${address}`);
    [, this.protocol = '', this.host = '', this.pathname = '', this.search = '', this.hash = ''] = parts;
    this.pathname ||= '/';
    this.origin = `${this.protocol}//${this.host}`;
    this.href = `${this.origin}${this.pathname}${this.search}${this.hash}`;
  }
  toString(): string {
    return this.href;
  }
}
provide('URL', PlainUrl);

export {};
