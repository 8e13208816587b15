// The client build: what a browser loads. The server bundle has its own config (vite.server.config.ts).
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { runEarlyScript } from './src/app/early/early-script';
import { reactAsModules } from './tools/react-as-modules';

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
        .replace('<!--start-->', () => `<script>${earlyScript(script[1])}</script>`);
    },
  },
};

/** Without line breaks and indentation. */
function earlyScript(entry = ''): string {
  return `(${runEarlyScript})('${entry}')`.replace(/^\s*\/\/.*$/gm, '').replace(/\n\s*/g, '\n');
}

// Vite wraps each dynamic import in code that loads its dependencies ahead. The server writes the links that the first page
// needs (src/app/head/page-assets.ts), and later pages are loaded when a link is about to be used (src/app/routing/prefetch.ts).
const plainImports: Plugin = {
  name: 'plain-imports',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined),
};

/** The files of a first visit of home, the list or a product. */
const FIRST_LOAD = ['vendor', 'shared', 'index', 'pages', 'sub-products-page', 'product-page'];

/** Shared by pages other than home. */
const ONLY_OTHER_PAGES =
  /(features[\\/](?!home[\\/](?!why)|search|reviews[\\/]reviews-section-lazy|auth[\\/]user-menu|cart[\\/](cart-button|cart-queries|pending)|catalogue[\\/](page-size|sort\.))|shared[\\/](order|address|delivery[\\/](?!charge)|photo|product[\\/](product-card|rating|corrected-search|images[\\/]product-image|price|stock|heat-mark|veg-mark|devanagari)|auth[\\/](require|sign-in-prompt|sign-out))|ui[\\/](dialog|forms|table|tabs|badge|page-title|feedback[\\/](states|alert)|carousel[\\/](card-carousel|use-card-row)|graphics[\\/]more-icons)|lib[\\/](form[\\/]|format|time-left|router[\\/](use-bfcache|url-filter))|api[\\/](payment|upload|idempotency|queries[\\/]admin))/;

/** Of the account and of checkout: a visitor who reads about products does not need them. */
const ACCOUNT =
  /(features[\\/](orders|addresses)|shared[\\/](order|address|auth[\\/]require)|lib[\\/]form[\\/]validation|api[\\/]payment)/;

export default defineConfig({
  plugins: [reactAsModules, react(), tailwindcss(), deferScripts, plainImports],
  resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '/api': { target: server, bypass: serveAppPage }, '/images': server, '/sandbox': server } },
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0, // the content policy allows no data: fonts, and hashed files cache better
    modulePreload: false,
    rolldownOptions: {
      output: {
        // V8 then compiles the functions of these files while they arrive, on another thread, instead of one by one on the
        // main thread when they are first called. Most functions of these files are.
        postBanner: ({ name }) => (FIRST_LOAD.includes(name) ? '//# allFunctionsCalledOnLoad' : ''),
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/,
              priority: 3,
            },
            // Modules that several pages share, in one file instead of a dozen small ones. Without those that home does
            // not need.
            {
              name: 'shared',
              test: new RegExp(`src[\\\\/](?!${ONLY_OTHER_PAGES.source})(ui|lib|api|shared|features)[\\\\/]`),
              minShareCount: 2,
              priority: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: 'account',
              test: new RegExp(`src[\\\\/]${ACCOUNT.source}[\\\\/.-]`),
              minShareCount: 2,
              priority: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: 'pages',
              test: new RegExp(`src[\\\\/]${ONLY_OTHER_PAGES.source}`),
              minShareCount: 2,
              priority: 1,
              includeDependenciesRecursively: false,
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
