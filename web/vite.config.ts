// The client build: what a browser loads. The server bundle has its own config (vite.server.config.ts).
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = 'http://127.0.0.1:8080';

// The first paint needs the styles, and a browser without HTTP/2 requests six files at a time, in document order. So the
// styles come first and scripts are deferred: they are requested, all together, once the images in view are loaded, or at
// the first input. Until then browsers ignore the links, because they have no `rel`.
const deferScripts: Plugin = {
  name: 'defer-scripts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const styles = html.match(/<link rel="stylesheet"[^>]*>/)?.[0] ?? '';
      const script = html.match(/<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/);
      if (!script) throw new Error('index.html has no script to start');
      return html
        .replace(styles, '')
        .replace('<!--styles-->', styles)
        .replace(script[0], '')
        .replace('<!--start-->', `<script>(${startDeferred})('${script[1]}')</script>`)
        .replace(/<link rel="modulepreload"/g, '<link data-deferred-preload');
    },
  },
};

// Its source text is written into the page, so it may only use browser globals.
function startDeferred(script: string) {
  const startEvents = ['pointerdown', 'pointermove', 'touchstart', 'wheel', 'keydown', 'focusin'];
  const start = () => {
    for (const one of startEvents) removeEventListener(one, start);
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-deferred-preload]'))
      link.rel = 'modulepreload';
    void import(/* @vite-ignore */ script);
  };
  // After what is loaded has been painted. Safari has no requestIdleCallback.
  const startWhenPainted = () => (window.requestIdleCallback ?? setTimeout)(start, { timeout: 500 } as never);
  for (const one of startEvents) addEventListener(one, start, { passive: true });
  addEventListener('load', startWhenPainted);
  setTimeout(start, 3000);
}

export default defineConfig({
  plugins: [react(), tailwindcss(), deferScripts],
  resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '/api': { target: server, bypass: serveAppPage }, '/images': server, '/sandbox': server } },
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0, // the content policy allows no data: fonts, and hashed files cache better
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack)[\\/]/ },
            // Modules that several pages share, in one file instead of a dozen small ones. Without those that home does
            // not need: those that change the cart, and the confirmation before something is deleted.
            {
              name: 'shared',
              test: /src[\\/](ui(?![\\/]confirm-dialog)|api|shared|features[\\/](?!cart[\\/]cart-(mutations|queue)))[\\/]?/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
});

// The payment gateway redirects the browser to this path. It is a page although it is below /api.
function serveAppPage(request: { url?: string }) {
  return request.url?.startsWith('/api/payment/redirect') ? '/index.html' : undefined;
}
