import { from, mergeMap } from 'rxjs';
import { expect, it } from 'vitest';
import { polite, request } from '../../src/core/index.js';
import { virtualSite } from '../../src/testing/index.js';
import { marbles } from '../helpers/marbles.js';

it(
  'the gap between requests may be another for each host',
  marbles((m) => {
    const site = virtualSite(() => [], { scheduler: m.scheduler });
    const fetcher = polite({
      delay: (host) => (host === 'slow.example' ? 50 : 0),
      scheduler: m.scheduler,
    })(site.fetcher);
    const urls = ['https://slow.example/1', 'https://fast.example/1'];
    from([...urls, 'https://slow.example/2', 'https://fast.example/2'])
      .pipe(mergeMap((url) => fetcher(request(url))))
      .subscribe();
    m.flush();
    expect(site.log.map(({ url, at }) => [url, at])).toEqual([
      ['https://slow.example/1', 0],
      ['https://fast.example/1', 0],
      ['https://fast.example/2', 0],
      ['https://slow.example/2', 50],
    ]);
  }),
);
