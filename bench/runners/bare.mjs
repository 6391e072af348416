/** The floor: undici's dispatch, htmlparser2's tokeniser, `URL` and a `Set`; 16 loops. */
import { Agent } from 'undici';
import { hrefs } from '../hrefs.mjs';
import { report } from './report.mjs';

const WORKERS = 16;
const seed = process.argv[2];
const { origin } = new URL(seed);

function get(agent, path) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let status = 0;
    let type = '';
    let location;
    agent.dispatch(
      { origin, path, method: 'GET' },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode, headers) {
          status = statusCode;
          type = headers['content-type'] ?? '';
          location = headers.location;
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          resolve({ status, type, location, body: Buffer.concat(chunks) });
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}

function parse(href, base) {
  try {
    return new URL(href, base);
  } catch {
    return undefined;
  }
}

await report(async () => {
  const agent = new Agent({ connections: WORKERS });
  const seen = new Set([seed]);
  const queue = [seed];
  let head = 0;
  let pages = 0;

  function add(href, base) {
    const fragment = href.indexOf('#');
    const url = parse(fragment < 0 ? href : href.slice(0, fragment), base);
    if (url?.origin !== origin || seen.has(url.href)) return;
    seen.add(url.href);
    queue.push(url.href);
  }

  await new Promise((resolve, reject) => {
    let running = 0;
    async function visit(url) {
      const { status, type, location, body } = await get(agent, url.slice(origin.length));
      if (location !== undefined) add(location, url);
      else if (status === 200 && type.startsWith('text/html')) {
        pages++;
        for (const href of hrefs(body.toString())) add(href, url);
      }
      running--;
      next();
    }
    function next() {
      while (running < WORKERS && head < queue.length) {
        running++;
        visit(queue[head++]).catch(reject);
      }
      if (running === 0) resolve();
    }
    next();
  });
  await agent.close();
  return pages;
});
