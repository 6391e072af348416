/**
 * A site in a process of its own, for tests of politeness: what it sees is not bent by the work of
 * the crawl. Many hosts lead to it; the path says what it does. Times are those of the machine's
 * monotonic clock, ms, which all processes share.
 *
 * It sends its port at once, and its log when it gets a message.
 */
import { createServer } from 'node:http';

/** One row a request: host, path, when it came, when it was answered, the wait that was asked for. */
const log = [];
const seen = new Set();
const now = () => Number(process.hrtime.bigint()) / 1e6;

const server = createServer((incoming, outgoing) => {
  const path = incoming.url ?? '';
  const host = (incoming.headers.host ?? '').split(':', 1)[0] ?? '';
  const row = [host, path, now(), 0, 0];
  log.push(row);
  const isFirst = !seen.has(host + path);
  seen.add(host + path);
  const answer = (status, headers = {}, body = path) => {
    // Taken before the answer leaves: nobody can have acted on it by then.
    row[3] = now();
    outgoing.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
  };
  const kind = path.split('/')[1];
  if (path === '/robots.txt') answer(200, {}, 'User-agent: *\nDisallow: /denied');
  else if (kind === 'moved') answer(302, { location: `/page${path}` });
  else if (kind === 'broken' && isFirst) answer(500);
  else if (kind === 'busy' && isFirst) {
    row[4] = 1_000;
    answer(429, { 'retry-after': '1' });
  } else if (kind === 'down' && isFirst) {
    const until = Math.ceil(Date.now() / 1_000 + 1) * 1_000;
    row[4] = until - Date.now();
    answer(503, { 'retry-after': new Date(until).toUTCString() });
  } else if (kind === 'slow') setTimeout(answer, 150, 200);
  else answer(200);
});

server.listen(0, '127.0.0.1', 511, () => process.send(server.address().port));
process.on('message', () => process.send(log));
process.on('disconnect', () => process.exit());
