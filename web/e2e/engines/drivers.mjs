// Starts the WebDriver program of an engine: geckodriver with Firefox, WebKitWebDriver with WebKitGTK's MiniBrowser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Session } from './webdriver.mjs';

const START_TIMEOUT_MS = 60_000;
const START_ATTEMPTS = 3;
const STOP_TIMEOUT_MS = 10_000;
/** Nothing but the shop can be reached: every other request goes to a proxy that does not exist. */
const proxy = { proxyType: 'manual', httpProxy: '127.0.0.1:9', sslProxy: '127.0.0.1:9', noProxy: ['127.0.0.1'] };

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Firefox has a mode without a window. */
const firefox = {
  name: 'Firefox',
  // System access is for `prepare`.
  command: (port) => [process.env.MIRASA_GECKODRIVER, '--port', port, '--log', 'error', '--allow-system-access'],
  needsDisplay: false,
  environment: () => ({}),
  capabilities: ({ dark }) => ({
    browserName: 'firefox',
    'moz:firefoxOptions': {
      binary: process.env.MIRASA_FIREFOX,
      args: ['-headless'],
      prefs: { 'ui.systemUsesDarkTheme': dark ? 1 : 0 },
    },
    proxy,
  }),
  /** A window of Firefox is at least 500 px wide, because of its own buttons. */
  prepare: (session) =>
    session.runInBrowser(() => document.documentElement.style.setProperty('min-width', '0', 'important')),
};

/** MiniBrowser has no such mode. In an automation session it keeps no data; service workers work all the same. */
const webkit = {
  name: 'WebKit',
  command: (port) => ['WebKitWebDriver', `--port=${port}`],
  needsDisplay: true,
  async environment(folder, display) {
    // The buttons of the window would make it wider than a phone.
    await mkdir(join(folder, 'gtk-3.0'), { recursive: true });
    await writeFile(join(folder, 'gtk-3.0', 'gtk.css'), '* { min-width: 0; padding: 0; }\n');
    const own = { XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder };
    return { DISPLAY: display.name, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1', ...own };
  },
  capabilities: ({ dark }) => ({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': {
      binary: process.env.MIRASA_MINIBROWSER,
      args: ['--automation', ...(dark ? ['--dark-mode'] : [])],
    },
    proxy,
  }),
  prepare: () => undefined,
};

export const engines = { firefox, webkit };

/** Rejects when the process cannot be started or ends. */
const failure = (child, name) =>
  new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });

/** Returns `open`, which starts a browser with a new profile, and `stop`. */
export async function startDriver(engine) {
  const folder = await mkdtemp(join(tmpdir(), 'engine-'));
  const display = engine.needsDisplay ? await startDisplay() : null;
  // Firefox refuses a home folder of another user.
  const env = { ...process.env, HOME: folder, ...(await engine.environment(folder, display)) };
  let driver;

  const stop = async () => {
    await driver?.stop();
    display?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const open = async (options = {}) => {
    for (let attempt = 1; ; attempt++) {
      driver ??= await startProgram(engine, env);
      try {
        const session = await Session.start(driver.url, engine.capabilities(options));
        await engine.prepare(session);
        return session;
      } catch (error) {
        // On a busy machine MiniBrowser sometimes does not answer its driver.
        if (attempt === START_ATTEMPTS) throw error;
        console.error(`${engine.name} does not start, tried again: ${error.message}`);
        await driver.stop();
        driver = null;
      }
    }
  };
  return { open, stop };
}

/** Starts the driver's program. Returns its URL, and `stop`. */
async function startProgram(engine, env) {
  const port = await freePort();
  const [program, ...args] = engine.command(port).map(String);
  const child = spawn(program, args, { stdio: 'ignore', env });
  const ended = failure(child, program);
  ended.catch(() => undefined);
  const stop = async () => {
    child.kill();
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended.catch(() => undefined);
    clearTimeout(late);
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await Promise.race([waitUntilReady(url, program), ended]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

/** An X server without a screen. Returns its name. */
async function startDisplay() {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = failure(child, 'Xvfb');
  ended.catch(() => undefined);
  const signal = AbortSignal.timeout(START_TIMEOUT_MS);
  const [number] = await Promise.race([once(child.stdio[3], 'data', { signal }), ended]);
  return { name: `:${String(number).trim()}`, stop: () => child.kill() };
}

async function waitUntilReady(url, program) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const response = await fetch(`${url}/status`).catch(() => null);
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error(`${program} is not ready after ${START_TIMEOUT_MS / 1000} s`);
    await pause(50);
  }
}
