import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^rxcrawl$/, replacement: source('index.ts') },
      { find: /^rxcrawl\/(core|testing)$/, replacement: source('$1/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    typecheck: { include: ['test/**/*.test-d.ts'], checker: 'tsc' },
  },
});
