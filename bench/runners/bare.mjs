/** The floor: undici's dispatch, htmlparser2's tokeniser, `URL` and a `Set`; 16 loops. */
import { Tokenizer } from 'htmlparser2';
import { Agent } from 'undici';
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

/** `href` of each `a`, character references decoded. */
function hrefs(html) {
  const found = [];
  let inLink = false;
  let inHref = false;
  let value = '';
  const nothing = () => {};
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname(start, end) {
        inLink = end - start === 1 && (html.charCodeAt(start) | 0x20) === 0x61;
      },
      onattribname(start, end) {
        inHref = inLink && end - start === 4 && html.slice(start, end).toLowerCase() === 'href';
        value = '';
      },
      onattribdata(start, end) {
        if (inHref) value += html.slice(start, end);
      },
      onattribentity(codepoint) {
        if (inHref) value += String.fromCodePoint(codepoint);
      },
      onattribend() {
        if (inHref) found.push(value);
        inHref = false;
      },
      oncdata: nothing,
      onclosetag: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
      onselfclosingtag: nothing,
      ontext: nothing,
      ontextentity: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return found;
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
