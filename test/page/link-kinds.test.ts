import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { followableKinds, linkKinds } from '../../src/page/index.js';

describe('docs/links.md', () => {
  it('has the table of kinds as it is', () => {
    const text = readFileSync(new URL('../../docs/links.md', import.meta.url), 'utf8');
    const rows = [...text.matchAll(/^\| `([^`]+)` +\| (yes|no) +\| (yes|no) +\|/gm)];
    expect(rows.map(([, kind, byDefault, followed]) => [kind, byDefault, followed])).toEqual(
      linkKinds.map((info) => [
        info.kind,
        info.default ? 'yes' : 'no',
        followableKinds.has(info.kind) ? 'yes' : 'no',
      ]),
    );
  });
});
