import type { Behaviours } from '../fault-server.js';

/** Logic of sites: refusals that end, caches, ranges, credentials. */
export const SITE: Behaviours = {
  /** 404, as a site without robots.txt. Tests pass in their own. */
  'robots.txt': (x) => x.answer('none', [], '404 Not Found'),

  /** `status` with `Retry-After: after` for the first `n` requests, then 200. */
  busy: (x) => {
    if (x.seenBefore >= x.number('n', 1)) return x.answer('free again');
    const after = x.url.searchParams.get('after');
    return x.answer(
      'busy',
      after === null ? [] : [`Retry-After: ${after}`],
      `${x.number('status', 429)} Busy`,
    );
  },

  /** `status` for the first `n` requests, then 200. */
  'fail-then-work': (x) =>
    x.seenBefore < x.number('n', 2)
      ? x.answer('failed', [], `${x.number('status', 500)} Failed`)
      : x.answer('works'),

  /** A reset for the first `n` requests, then 200. */
  'reset-then-work': async (x) => {
    if (x.seenBefore < x.number('n', 2)) x.reset();
    else await x.answer('works');
  },

  /** 500 for every `k`-th request. */
  'every-kth-fails': (x) =>
    (x.seenBefore + 1) % x.number('k', 3) === 0
      ? x.answer('failed', [], '500 Failed')
      : x.answer('works'),

  /** ETag and Last-Modified; 304 when asked with either. */
  etag: (x) => {
    const tag = `"${x.url.searchParams.get('tag') ?? 'v1'}"`;
    const date = 'Mon, 01 Jan 2024 00:00:00 GMT';
    const asked = new Map(x.request.headers);
    const same =
      asked.get('if-none-match') === tag ||
      (!asked.has('if-none-match') && asked.get('if-modified-since') === date);
    const lines = [`ETag: ${tag}`, `Last-Modified: ${date}`];
    if (!same) return x.answer('tagged', lines);
    return x.send(`HTTP/1.1 304 Not Modified\r\n${lines.join('\r\n')}\r\n\r\n`);
  },

  /** 10,000 bytes, in ranges if asked and the validator still matches. */
  range: (x) => {
    const whole = Buffer.from('0123456789'.repeat(1_000));
    const tag = `"${x.url.searchParams.get('tag') ?? 'v1'}"`;
    const asked = new Map(x.request.headers);
    const match = /^bytes=(\d+)-(\d*)$/.exec(asked.get('range') ?? '');
    const lines = [`ETag: ${tag}`, 'Accept-Ranges: bytes'];
    const condition = asked.get('if-range');
    if (match === null || (condition !== undefined && condition !== tag)) {
      return x.answer(whole, lines);
    }
    const from = Number(match[1]);
    const to = match[2] === '' ? whole.length - 1 : Number(match[2]);
    if (from >= whole.length) {
      return x.answer('', [`Content-Range: bytes */${whole.length}`], '416 Range Not Satisfiable');
    }
    return x.answer(
      whole.subarray(from, to + 1),
      [...lines, `Content-Range: bytes ${from}-${to}/${whole.length}`],
      '206 Partial Content',
    );
  },

  /** Only for who has been at `login`, which sets a cookie and leads back. */
  members: (x) =>
    new Map(x.request.headers).get('cookie')?.includes('session=') === true
      ? x.answer('welcome')
      : x.answer('', ['Location: /login'], '302 Found'),

  login: (x) =>
    x.answer('', ['Set-Cookie: session=1; HttpOnly; Path=/', 'Location: /members'], '302 Found'),

  /** 401 without Basic credentials; echoes those that came. */
  basic: (x) => {
    const given = new Map(x.request.headers).get('authorization');
    return given === undefined
      ? x.answer('who?', ['WWW-Authenticate: Basic realm="test"'], '401 Unauthorized')
      : x.answer(given);
  },
};
