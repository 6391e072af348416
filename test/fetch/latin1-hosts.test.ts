import { expect, it } from 'vitest';
import { CookieJar, parseRobots, toCrawlError } from '../../src/index.js';
import { robotsPath } from '../../src/fetch/robots/robots-path.js';

/** More than an engine takes to compile a function; what it compiles may answer in another way. */
const OFTEN = 20_000;

/** Held with one byte a character, as header fields are. */
const HOST = Buffer.from('b\xfccher.test', 'latin1').toString('latin1');

it('hosts with letters of Latin-1 are hosts, however often one asks', () => {
  const jar = new CookieJar();
  jar.set(`http://${HOST}/`, 'a=b');
  const rules = parseRobots('User-agent: *\nDisallow: /p');
  const wrong = new Set<string>();
  for (let n = 0; n < OFTEN; n += 1) {
    const url = `http://${HOST}/${n % 7}/../p`;
    if (robotsPath(url) !== '/p') wrong.add('robotsPath');
    if (rules.allows('bot', url)) wrong.add('allows');
    if (jar.header(url) !== 'a=b') wrong.add('cookies');
    const error = new Error('x');
    if (!toCrawlError(error, url).message.startsWith('xn--bcher-kva.test:')) wrong.add('error');
  }
  expect([...wrong]).toEqual([]);
});
