// The client build: what a browser loads. The server bundle has its own config (vite.server.config.ts).
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const program = 'http://127.0.0.1:8080';

// Nothing can be painted without the styles, and a browser without HTTP/2 asks for six files at a time, in their order.
// Scripts can wait: the page is there without them.
const stylesFirst: Plugin = {
  name: 'styles-first',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const styles = html.match(/<link rel="stylesheet"[^>]*>/)?.[0] ?? '';
      return html
        .replace(styles, '')
        .replace('<!--styles-->', styles)
        .replace(/<script type="module"|<link rel="modulepreload"/g, '$& fetchpriority="low"');
    },
  },
};

export default defineConfig({
  plugins: [react(), tailwindcss(), stylesFirst],
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
            // What several pages share, in one file instead of a dozen tiny ones.
            { name: 'shared', test: /src[\\/](ui|api|features)[\\/]/, minShareCount: 3 },
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
