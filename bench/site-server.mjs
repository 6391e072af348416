/**
 * Serves the generated site, or the files of a folder, on loopback.
 *
 *     node bench/site-server.mjs [--pages 10000 | --root DIR] [--list]
 *
 * Prints its address. On SIGTERM it prints what it has served, as JSON, and ends: `pages` counts
 * the different URLs that it answered with HTML, `requests` everything; with `--list`, `answers`
 * has each URL with how often it was asked for, its status and its type.
 */
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { pageHtml, pageOf } from './site.mjs';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    root: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
const pages = Number(values.pages);
const root = values.root === undefined ? undefined : resolve(values.root);

const TYPES = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.txt': 'text/plain',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
};
const NOT_FOUND = { status: 404, type: 'text/plain', body: 'not found\n' };

function generated(path) {
  const page = pageOf(path);
  if (page < 0 || page >= pages) return NOT_FOUND;
  return { status: 200, type: 'text/html; charset=utf-8', body: pageHtml(page, pages) };
}

async function fromFolder(path) {
  try {
    let file = join(root, decodeURIComponent(path));
    if (!`${file}${sep}`.startsWith(root + sep)) return NOT_FOUND;
    if ((await stat(file)).isDirectory()) {
      if (!path.endsWith('/')) return { status: 301, type: 'text/plain', location: `${path}/` };
      file = join(file, 'index.html');
    }
    const type = TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
    return { status: 200, type, body: await readFile(file) };
  } catch {
    return NOT_FOUND;
  }
}

const served = new Set();
const answers = new Map();
let requests = 0;

const server = createServer(async (message, response) => {
  requests++;
  const path = message.url.split('?', 1)[0];
  const answer = root === undefined ? generated(path) : await fromFolder(path);
  if (answer.status === 200 && answer.type.startsWith('text/html')) served.add(message.url);
  if (values.list) {
    const times = (answers.get(message.url)?.times ?? 0) + 1;
    answers.set(message.url, { url: message.url, times, status: answer.status, type: answer.type });
  }
  response.writeHead(answer.status, {
    'content-type': answer.type,
    'content-length': Buffer.byteLength(answer.body ?? ''),
    ...(answer.location && { location: answer.location }),
  });
  response.end(answer.body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
process.on('SIGTERM', () => {
  const list = values.list ? { answers: [...answers.values()] } : {};
  process.stdout.write(`${JSON.stringify({ pages: served.size, requests, ...list })}\n`, () =>
    process.exit(),
  );
});
