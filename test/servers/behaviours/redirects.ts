import type { Behaviours } from '../fault-server.js';

const MOST = 50_000_000;

/** Redirects in all forms. */
export const REDIRECTS: Behaviours = {
  /** Status `status` to `to`. */
  redirect: (x) =>
    x.answer(
      'moved',
      x.url.searchParams.getAll('to').map((to) => `Location: ${to}`),
      `${x.number('status', 302)} Moved`,
    ),

  /** `n` hops, then a page. */
  hops: (x) => {
    const left = x.number('n', 3);
    if (left <= 0) return x.answer('arrived');
    return x.answer('', [`Location: /hops?n=${left - 1}`], '302 Found');
  },

  /** A circle of `n`. */
  loop: (x) => {
    const next = (x.number('at', 0) + 1) % x.number('n', 1);
    return x.answer('', [`Location: /loop?n=${x.number('n', 1)}&at=${next}`], '302 Found');
  },

  /** Each hop has a longer path. */
  growing: (x) => x.answer('', [`Location: ${x.url.pathname}/more`], '302 Found'),

  /** A redirect whose body does not end. */
  'redirect-endless-body': async (x) => {
    await x.send('HTTP/1.1 302 Found\r\nLocation: /ok\r\n\r\n');
    const block = Buffer.alloc(65_536, 'x');
    for (let sent = 0; sent < MOST; sent += block.length) if (!(await x.send(block))) return;
  },

  /** A redirect whose body does not come. */
  'redirect-stalled-body': async (x) => {
    await x.send('HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 10\r\n\r\n');
    await x.wait(60_000);
  },

  /** A redirect whose body is no chunked body. */
  'redirect-broken-body': async (x) => {
    await x.send('HTTP/1.1 302 Found\r\nLocation: /ok\r\nTransfer-Encoding: chunked\r\n\r\nzzz');
    x.end();
  },

  /** Needs the cookie that it sets on the way. */
  'redirect-needs-cookie': (x) => {
    const has = x.request.headers.some(
      ([name, value]) => name === 'cookie' && value.includes('hop=1'),
    );
    return has
      ? x.answer('welcome')
      : x.answer('', ['Set-Cookie: hop=1; Path=/', `Location: ${x.url.pathname}`], '302 Found');
  },

  /** `n` hops, each of which sets a cookie; the page is only for who brings them all. */
  'cookie-hops': (x) => {
    const at = x.number('at', 0);
    const n = x.number('n', 3);
    const brought = new Map(x.request.headers).get('cookie')?.split('; ') ?? [];
    if (brought.length !== at) return x.answer('where are they?', [], '400 Bad Request');
    if (at === n) return x.answer(brought.join(' '));
    const lines = [`Set-Cookie: hop${at}=1; Path=/`, `Location: /cookie-hops?n=${n}&at=${at + 1}`];
    return x.answer('', lines, '302 Found');
  },

  /** `Refresh` header with the value `value`. */
  refresh: (x) => x.answer('wait', [`Refresh: ${x.url.searchParams.get('value') ?? '0; url=/ok'}`]),
};
