import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';

/** The folder of conformance cases beside the project; it is not part of the project. */
const ROOT = new URL('../../../shared/cases/', import.meta.url);

/**
 * Absolute path of a folder or file of the conformance cases that lie beside the project,
 * or `undefined` where they are absent.
 *
 * @param path - relative to the folder of cases: `'robots'`, `'redirects/cases.json'`
 */
export function sharedCases(path: string): string | undefined {
  const absolute = fileURLToPath(new URL(path, ROOT));
  return existsSync(absolute) ? absolute : undefined;
}

/**
 * A `describe` over conformance cases, skipped with a message where they are absent.
 *
 * @param path - relative to the folder of cases
 * @param fn - declares the tests; is given the absolute path
 */
export function describeShared(path: string, fn: (absolute: string) => void): void {
  const absolute = sharedCases(path);
  if (absolute === undefined) {
    describe.skip(`conformance cases ${path}`, () => {
      it(`skipped: ../shared/cases/${path} is absent`, () => {});
    });
    return;
  }
  describe(`conformance cases ${path}`, () => fn(absolute));
}
