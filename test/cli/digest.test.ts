import { describe, expect, it } from 'vitest';
import { digest } from '../../src/cli/digest.js';
import { request } from '../../src/index.js';
import { failureEvent, pageEvent, skipEvent } from './events.js';

describe('digest', () => {
  it('groups failures by kind, with the first of each as an example', () => {
    const fold = digest();
    const from = request('https://me:pw@a.example/1', { referrer: 'https://a.example/' });
    fold.add(failureEvent('https://b.example/', 'empty-reply'));
    fold.add(failureEvent(from, 'http-status', 'x', 404));
    fold.add(failureEvent('https://a.example/2', 'http-status', 'x', 404));
    fold.add(failureEvent('https://a.example/3', 'http-status', 'x', 500));
    expect(fold.read().errors).toEqual([
      {
        code: 'http-status',
        status: 404,
        count: 2,
        example: 'https://a.example/1',
        referrer: 'https://a.example/',
      },
      expect.objectContaining({ code: 'empty-reply', status: null, count: 1, referrer: null }),
      expect.objectContaining({ code: 'http-status', status: 500, count: 1 }),
    ]);
  });

  it('counts seeds that were fetched, and what was left', () => {
    const fold = digest();
    fold.add(pageEvent('https://a.example/'));
    fold.add(pageEvent('https://a.example/1', { depth: 1, referrer: 'https://a.example/' }));
    fold.add(skipEvent('https://a.example/2', { reason: 'stopped', count: 3 }));
    fold.add(skipEvent('https://b.example/'));
    fold.add(failureEvent('https://a.example/4', 'aborted'));
    expect(fold.read()).toMatchObject({ seedsFetched: 1, left: 4 });
  });

  it('finds the slowest hosts, and forgets only fast ones', () => {
    const fold = digest();
    for (let host = 0; host < 10_000; host++) {
      fold.add(pageEvent(`https://h${host}.example/`, { ms: host === 5 ? 9_000 : host % 7 }));
    }
    fold.add(pageEvent('https://h5.example/2', { ms: 7_000 }));
    const { slowestHosts } = fold.read();
    expect(slowestHosts).toHaveLength(10);
    expect(slowestHosts[0]).toEqual({ host: 'h5.example', pages: 2, meanMs: 8_000 });
  });
});
