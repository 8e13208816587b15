// The client build: what a browser loads. The server bundle has its own config (vite.server.config.ts).
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const program = 'http://127.0.0.1:8080';

// Nothing can be painted without the styles, and a browser without HTTP/2 asks for six files at a time, in their order.
// Scripts can wait: the page is there without them. They are fetched, all at once, when the pictures in view are there,
// or with the first finger on the screen. (Links that say "later" mean nothing to a browser until then.)
const pageFirst: Plugin = {
  name: 'page-first',
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
        .replace('<!--start-->', `<script>(${startLater})('${script[1]}')</script>`)
        .replace(/<link rel="modulepreload"/g, '<link rel="later"');
    },
  },
};

// Its text goes into the page: it can use nothing but what a browser has.
function startLater(script: string) {
  const early = ['pointerdown', 'pointermove', 'touchstart', 'wheel', 'keydown', 'focusin'];
  const start = () => {
    for (const one of early) removeEventListener(one, start);
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=later]')) link.rel = 'modulepreload';
    void import(/* @vite-ignore */ script);
  };
  // Not before what has been loaded is also painted; Safari has no word for that.
  const startWhenPainted = () => (window.requestIdleCallback ?? setTimeout)(start, { timeout: 500 } as never);
  for (const one of early) addEventListener(one, start, { passive: true });
  addEventListener('load', startWhenPainted);
  setTimeout(start, 3000);
}

export default defineConfig({
  plugins: [react(), tailwindcss(), pageFirst],
  resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '/api': { target: program, bypass: pageOfTheApp }, '/images': program, '/sandbox': program } },
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
            // What several pages share, in one file instead of a dozen tiny ones. Not what changes a cart: home shows it,
            // and the pages that change it load that.
            {
              name: 'shared',
              test: /src[\\/](ui|api|features[\\/](?!cart[\\/]cart-(mutations|queue)))[\\/]?/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
});

// The payment gateway sends the browser to this path; it is a page although it lies under /api.
function pageOfTheApp(request: { url?: string }) {
  return request.url?.startsWith('/api/payment/redirect') ? '/index.html' : undefined;
}
