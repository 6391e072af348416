import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CrawlError, request, retryPolicy, toCrawlError } from '../../src/index.js';
import { describeShared } from '../helpers/shared-cases.js';

interface PolicyCase {
  readonly id: string;
  readonly on: number | string;
  readonly headers: Readonly<Record<string, string>>;
  readonly retry: boolean;
}

const URL_A = 'http://a.test/';

/** Cases that state another rule than ours, and why. */
function exception({ on, headers }: PolicyCase): string | undefined {
  if (typeof on === 'number' && on >= 300 && on < 400 && headers['Retry-After'] !== undefined) {
    return 'a redirect is followed, not tried again: its wait is that of the politeness gate';
  }
  return undefined;
}

/** What is decided before a request is sent is a skip, which no policy ever sees. */
const NEVER_SENT = ['robots', 'invalid-url', 'scope', 'scheme', 'address', 'duplicate'];

function errorFor(on: number | string): CrawlError {
  if (typeof on === 'number') {
    return new CrawlError('http-status', `answered with status ${on}`, { status: on });
  }
  return toCrawlError(Object.assign(new Error(on), { code: on }), URL_A, 'waiting');
}

describeShared('retry/cases.json', (path) => {
  const { policy } = JSON.parse(readFileSync(path, 'utf8')) as { policy: PolicyCase[] };
  const cases = policy.filter(
    (each) => exception(each) === undefined && !NEVER_SENT.includes(String(each.on)),
  );

  it.each(cases)('$id on $on', ({ on, retry }) => {
    const decide = retryPolicy({ random: () => 0.5 });
    const error = errorFor(on);
    expect(error.code).not.toBe('internal');
    const wait = decide(1, { request: request(URL_A), error, response: undefined });
    expect(wait !== null).toBe(retry);
    const post = request(URL_A, { method: 'POST', body: 'x' });
    expect(decide(1, { request: post, error, response: undefined })).toBeNull();
  });

  it('leaves out little', () => {
    expect(policy.length - cases.length).toBeLessThan(policy.length / 3);
  });
});
