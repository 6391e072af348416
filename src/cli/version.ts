import { createRequire } from 'node:module';

/** The version of the installed package. */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('rxcrawl/package.json');
  return (manifest as { readonly version: string }).version;
}
