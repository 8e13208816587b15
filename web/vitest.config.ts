import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'tools/**/*.test.{ts,tsx}'],
    environment: 'node',
    // The admin area waits for its stylesheet. Without this its address would be empty.
    css: { include: /admin\.css/ },
    environmentOptions: { happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: true } } },
    // A component test takes a second; on a busy machine many times that.
    testTimeout: 60_000,
  },
});
