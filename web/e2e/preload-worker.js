// An earlier service worker, which turned navigation preload on. Browsers have it until they update.
const PAGES = 'pages-1';
const FILES = 'files-1';
const MAX_PAGES = 40;
const MAX_FILES = 150;
const NOTICE = 'You are offline. This page was saved earlier: prices and stock may have changed.';
const PUBLIC =
  /^\/($|sub-products$|products$|product\/[^/]+$|categories\/|cuisines\/|about-us$|contact-us$|cancellation-policy$|privacy-policy$|shipping-policy$|terms-and-conditions$)/i;

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  const clean = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== PAGES && name !== FILES).map((name) => caches.delete(name)));
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (!url.pathname.startsWith('/api/') && !url.pathname.startsWith('/sandbox/')) event.respondWith(page(event, url));
  } else if (isFile(url)) event.respondWith(file(event, request));
});

self.addEventListener('message', (event) => {
  const { seen, files } = event.data;
  const save = async () => {
    const cache = await caches.open(FILES);
    const urls = files.map((name) => new URL(name)).filter((url) => url.origin === self.location.origin && isFile(url));
    await Promise.all(
      urls.map((url) => cache.match(url).then((known) => known ?? cache.add(url).catch(() => undefined))),
    );
    if (PUBLIC.test(seen)) await savePage(seen, await fetch(seen, { credentials: 'omit' }));
  };
  event.waitUntil(save().catch(() => undefined));
});

const isFile = ({ pathname }) =>
  pathname.startsWith('/assets/') || pathname.startsWith('/images/') || pathname.startsWith('/brand/');

async function page(event, url) {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    if (PUBLIC.test(url.pathname) && !url.search) event.waitUntil(savePage(url.pathname, response.clone()));
    return response;
  } catch {
    const saved = PUBLIC.test(url.pathname) && (await (await caches.open(PAGES)).match(url.pathname));
    return saved ? withNotice(saved) : offlinePage();
  }
}

async function savePage(pathname, response) {
  const isPage = response.ok && (response.headers.get('content-type') ?? '').startsWith('text/html');
  // A page that the browser fills by itself is empty without the network.
  if (!isPage || response.headers.get('cache-control') === 'no-store') return;
  const cache = await caches.open(PAGES);
  // The newest is last.
  await cache.delete(pathname);
  await cache.put(pathname, response);
  await trim(cache, MAX_PAGES);
}

async function file(event, request) {
  const cache = await caches.open(FILES);
  const known = await cache.match(request);
  if (known) return known;
  try {
    const response = await fetch(request);
    // A fallback rendition of an image says that it must not be kept.
    const isLasting = (response.headers.get('cache-control') ?? '').includes('immutable');
    if (response.status === 200 && isLasting) {
      event.waitUntil(cache.put(request, response.clone()).then(() => trim(cache, MAX_FILES)));
    }
    return response;
  } catch (error) {
    // Offline, another size of the same image is better than none.
    const other = await cache.match(request, { ignoreSearch: true });
    if (other) return other;
    throw error;
  }
}

async function trim(cache, max) {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - max)).map((key) => cache.delete(key)));
}

async function withNotice(saved) {
  const html = (await saved.text()).replace('<body>', `<body><p id="offline-notice" role="status">${NOTICE}</p>`);
  return new Response(html, { headers: saved.headers });
}

async function offlinePage() {
  const keys = await (await caches.open(PAGES)).keys();
  const paths = keys.map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith('/product/'));
  const name = (path) =>
    decodeURIComponent(path.slice('/product/'.length))
      .replace(/-/g, ' ')
      .replace(/[<>&"]/g, '');
  const links = paths.map((path) => `<li><a href="${encodeURI(path)}">${name(path)}</a></li>`).join('');
  const html = `<!doctype html><html lang="en-IN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>You are offline</title><body><h1>You are offline</h1><p>This page needs a connection.</p>
<p><a href="/">Home</a></p>${links && `<p>Products that you have seen:</p><ul>${links}</ul>`}</body></html>`;
  return new Response(html, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
