import { expect, it } from 'vitest';
import { heldHosts } from '../../src/cli/held-hosts.js';

it('counts hosts while they are held, by the longest hold of each', () => {
  const held = heldHosts();
  const hold = (host: string, ms: number, now: number): void => {
    held.add({ type: 'hold', host, ms, reason: 'Retry-After' }, now);
  };
  hold('a.example', 1_000, 0);
  hold('a.example', 100, 0);
  hold('b.example', 500, 0);
  expect([held.count(0), held.count(499), held.count(500), held.count(1_000)]).toEqual([
    2, 2, 1, 0,
  ]);
});
