import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { demoSite } from '../../src/cli/demo-site.js';

describe('demoSite', () => {
  it('serves a site that hangs together, and stops', async () => {
    let started: (url: string) => void;
    const address = new Promise<string>((resolve) => {
      started = resolve;
    });
    const subscription = demoSite().subscribe((url) => started(url));
    const start = await address;
    expect(start).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);

    const statuses = new Map<string, number>();
    const waiting = [start];
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      if (statuses.has(url) || !url.startsWith(start)) continue;
      const answer = await fetch(url, { redirect: 'manual' });
      statuses.set(url, answer.status);
      const to = answer.headers.get('location');
      const links = Array.from((await answer.text()).matchAll(/(?:href|src)="([^"]*)"/g));
      for (const [, link] of links) waiting.push(new URL(link!, url).href);
      if (to !== null) waiting.push(new URL(to, url).href);
    }
    const counts = Array.from(statuses.values(), String).sort();
    expect(counts.filter((status) => status === '301')).toHaveLength(1);
    expect(counts.filter((status) => status === '404')).toHaveLength(1);
    // 5 pages about the shop, 5 shelves, 20 books with covers, and the terms.
    expect(counts.filter((status) => status === '200')).toHaveLength(51);

    subscription.unsubscribe();
    const refused = new Promise((resolve) => {
      connect(Number(new URL(start).port), '127.0.0.1').on('error', resolve);
    });
    await expect(refused).resolves.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
