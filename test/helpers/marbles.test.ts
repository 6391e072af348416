import { delay, interval } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from './marbles.js';

describe('marbles', () => {
  it(
    'compares in virtual time',
    marbles((m) => {
      m.expect(m.cold('a|').pipe(delay(2))).toBeObservable('--(a|)');
    }),
  );

  it('fails where the diagrams differ', () => {
    const test = marbles((m) => m.expect(m.cold('a|')).toBeObservable('-a|'));
    expect(test).toThrow(/frame/);
  });

  it('refuses an async body', () => {
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the mistake under test
    const test = marbles(async (m) => m.expect(m.cold('a|')).toBeObservable('a|'));
    expect(test).toThrow(/returned a promise/);
  });

  it('throws where a run has no end', () => {
    const test = marbles((m) => m.expect(interval(1)).toBeObservable('-a'));
    expect(test).toThrow(/still busy/);
  });
});
