import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

const config: ViteUserConfig = defineConfig({
  resolve: {
    alias: [
      { find: /^rxcrawl$/, replacement: source('index.ts') },
      { find: /^rxcrawl\/(core|testing)$/, replacement: source('$1/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    // Real sockets and child processes on a busy machine may be late once.
    retry: process.env['CI'] ? 2 : 0,
    typecheck: { include: ['test/**/*.test-d.ts'], checker: 'tsc' },
  },
});

export default config;
