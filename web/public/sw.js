// The service worker: public pages that were seen can be read offline, with a notice. Online it serves nothing old: pages
// come from the network, and only files whose name changes with their content come from the cache. It never handles a
// request to /api and never saves a page of a user: no carts, orders, payments or accounts.
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
    // A preloaded navigation that the worker does not answer is sent a second time: sign-in, sign-out, payment. An earlier
    // version turned preload on, and the registration keeps that.
    await self.registration.navigationPreload?.disable();
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
    await Promise.all(urls.map((url) => cache.match(url).then((known) => known ?? cache.add(url).catch(() => undefined))));
    if (PUBLIC.test(seen)) await savePage(seen, await fetch(seen, { credentials: 'omit' }));
  };
  event.waitUntil(save().catch(() => undefined));
});

const isFile = ({ pathname }) => pathname.startsWith('/assets/') || pathname.startsWith('/images/') || pathname.startsWith('/brand/');

async function page(event, url) {
  try {
    const response = await fetch(event.request);
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
    if (response.status === 200) event.waitUntil(saveFile(cache, request, response.clone()));
    return response;
  } catch (error) {
    // Offline, another size or format of the same image is better than none.
    const other = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
    if (other) return other;
    throw error;
  }
}

async function saveFile(cache, request, response) {
  const { pathname } = new URL(request.url);
  // Not an image that may change, such as a fallback rendition: it is kept for offline use, at a URL that no page has.
  const isLasting = (response.headers.get('cache-control') ?? '').includes('immutable');
  if (!isLasting && !pathname.startsWith('/images/')) return;
  await cache.put(isLasting ? request : `${pathname}?offline`, response);
  await trim(cache, MAX_FILES);
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
  const [pages, files] = await Promise.all([PAGES, FILES].map((name) => caches.open(name)));
  const paths = (await pages.keys()).map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith('/product/'));
  const link = async (path) => {
    const html = await (await pages.match(path)).text();
    // It is written as HTML there already.
    const name = /<h1[^>]*>([^<]+)<\/h1>/.exec(html)?.[1];
    return name ? `<li><a href="${encodeURI(path)}">${name}</a></li>` : '';
  };
  const links = (await Promise.all(paths.map(link))).join('');
  const saved = (await files.keys()).map(({ url }) => new URL(url).pathname);
  // The shop's fonts have names that change with their content; they are there where a page of the shop was seen.
  const face = (family, file) => {
    const url = saved.find((path) => file.test(path));
    return url ? `@font-face{font-family:"${family}";src:url("${url}") format("woff2");font-weight:300 900}` : '';
  };
  const fonts =
    face('Figtree', /\/figtree-(?!rupee|latin)[^/]+\.woff2$/) + face('DM Serif', /\/dm-serif-display-(?!latin)[^/]+\.woff2$/);
  const html = `<!doctype html><html lang="en-IN"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>You are offline</title>
<script>
try { var stored = localStorage.getItem('theme') } catch (_) {}
document.documentElement.dataset.theme = stored || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
addEventListener('online', function () { location.reload() });
</script>
<style>${fonts}${OFFLINE_STYLE}</style></head>
<body><main><svg viewBox="0 0 100 100" width="72" height="72" aria-hidden="true">${CHILLI}</svg>
<h1>You are offline</h1><p>This page needs a connection.</p>
<p><button type="button" onclick="location.reload()">Try again</button> <a class="home" href="/">Home</a></p>
${links && `<h2>Products that you have seen:</h2><ul>${links}</ul>`}</main></body></html>`;
  return new Response(html, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

// As in src/ui/styles/tokens.css: the stylesheet of the shop has a name that changes, and may not be saved.
const OFFLINE_STYLE = `
:root{color-scheme:light;--paper:#fbf3e4;--raised:#fff;--line:#e6d5b6;--ink:#2a1610;--soft:#62443a;--chilli:#a81f17;
--fill:#b3241b;--on:#fff6e8;--leaf:#4f7a3a}
:root[data-theme=dark]{color-scheme:dark;--paper:#17110d;--raised:#2b2019;--line:#3b2c21;--ink:#f8ecd9;--soft:#d3bda3;
--chilli:#ff8468;--fill:#c2331f;--leaf:#8fbf6a}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.5 Figtree,system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:12vh 1.25rem 3rem;text-align:center}
h1{margin:1rem 0 0;font:400 clamp(2rem,1.45rem + 2.2vw,3.25rem)/1.04 "DM Serif",Georgia,serif;letter-spacing:-.012em}
h2{margin:3rem 0 .75rem;font-size:1.0625rem}
p{margin:.75rem 0 0;color:var(--soft)}
p+p{margin-top:1.75rem}
ul{display:grid;gap:.75rem;margin:0;padding:0;list-style:none;text-align:left}
a,button{display:inline-flex;align-items:center;min-height:2.75rem;box-sizing:border-box;color:inherit;font:inherit}
button,.home{padding:0 1.5rem;border:0;border-radius:99px;background:var(--fill);color:var(--on);font-weight:600;cursor:pointer}
.home{border:2px solid var(--ink);background:none;color:var(--ink);text-decoration:none}
li a{display:flex;padding:.5rem 1.25rem;border:1px solid var(--line);border-radius:1.25rem;background:var(--raised);
text-decoration:none;font:1.25rem/1.2 "DM Serif",Georgia,serif}
li a:hover{color:var(--chilli)}
:focus-visible{outline:3px solid #eca523;outline-offset:2px}`;
const CHILLI =
  '<path fill="var(--fill)" d="M58 24C76 24 88 38 86 56C84 78 62 94 36 93C24 92.5 14 88 9 80C22 84 33 80 38 71C43 62 36 52 36 43C36 32 46 24 58 24Z"/>' +
  '<path fill="#e9a22b" d="M63 43C70 51 75 57 74 64.5C73 72 67 76.5 60 76C53 75.5 49 70 50 63.5C51 56 58 51 63 43Z"/>' +
  '<path fill="var(--leaf)" d="M40 33C43 22 52 17 61 18C70 18.5 78 23 82 31C76 29 72 32 69 35C66 30 60 30 57 35C53 30 46 29 40 33ZM58 20C57 14 59 8 65 4L70 8C65 11 64 15 65 20Z"/>';
