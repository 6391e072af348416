import { expect, it } from 'vitest';
import { rotatingProxies } from '../../examples/rotating-proxies.js';
import { withJobBoard } from '../../examples/support/made-up-sites.js';
import { withProxies } from '../../examples/support/proxies.js';
import { queued, simple } from '../../src/index.js';

it.each([
  ['simple', simple(4)],
  ['queued', queued(4)],
])('every page comes once though a proxy is gone half-way, under %s', async (_name, strategy) => {
  await withJobBoard((site) =>
    withProxies([Infinity, 10, Infinity], async (proxies) => {
      const { urls, counts } = await rotatingProxies(site, proxies.urls, strategy);

      expect(urls).toHaveLength(70);
      expect(new Set(urls).size).toBe(70);
      expect(site.asked).toHaveLength(70);

      expect(counts.map(({ id, completed }) => [id, completed])).toEqual([
        ['proxy 1', proxies.passedOn[0]],
        ['proxy 2', proxies.passedOn[1]],
        ['proxy 3', proxies.passedOn[2]],
      ]);
      const [first = 0, second = 0, third = 0] = proxies.passedOn;
      expect(first + second + third).toBe(71); // with robots.txt
      expect(second).toBeGreaterThanOrEqual(10);
      expect(second).toBeLessThan(14);
      expect(Math.abs(first - third)).toBeLessThan(4);

      const [well, gone] = counts;
      expect(well?.extra).toEqual({ failed: 0, coolingMs: 0 });
      expect(gone?.extra?.['failed']).toBeGreaterThanOrEqual(1);
      expect(gone?.extra?.['coolingMs']).toBeGreaterThan(0);
    }),
  );
});
