// The server bundle: one classic script for the JavaScript engine of the server. The engine has no Node, no modules and
// no timers: everything is inlined and pages are imported eagerly.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [react()],
  publicDir: false,
  define: {
    'process.env.NODE_ENV': '"production"',
    __CLIENT_MANIFEST__: readFileSync(here('./dist/client/.vite/manifest.json'), 'utf8'),
  },
  resolve: {
    alias: [
      { find: /^~\/app\/routing\/pages-lazy$/, replacement: here('./src/app/routing/pages-eager.ts') },
      { find: /^~\/features\/home\/below-fold-lazy$/, replacement: here('./src/features/home/below-fold.ts') },
      { find: /^~\/app\/pages\/home-trending-lazy$/, replacement: here('./src/app/pages/home-trending.tsx') },
      {
        find: /^~\/features\/reviews\/reviews-section-lazy$/,
        replacement: here('./src/features/reviews/reviews-section.tsx'),
      },
      { find: /^~\/app\/layout\/footer-lazy$/, replacement: here('./src/app/layout/footer.tsx') },
      { find: '~', replacement: here('./src') },
      // The string renderer alone, without the streaming one that needs MessageChannel and TextEncoder.
      {
        find: 'react-dom/server',
        replacement: here('./node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js'),
      },
    ],
  },
  ssr: { noExternal: true, target: 'webworker' },
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'es2020',
    minify: true,
    rolldownOptions: {
      input: here('./src/app/entry-server.tsx'),
      output: { format: 'iife', name: 'mirasaPages', entryFileNames: 'render.js', codeSplitting: false },
    },
  },
});
