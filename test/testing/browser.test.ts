import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { build, type Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** What a page in a browser would write, with nothing else to hand than rxjs. */
const PROGRAM = `
  import { of } from 'rxjs';
  import { crawl } from 'rxcrawl/core';
  import { runToEnd, timeline, virtualPage, virtualSite } from 'rxcrawl/testing';
  const site = virtualSite('https://a.example', { '/': ['/b'], '/b': { latency: 5 } });
  const options = { fetcher: site.fetcher, parse: virtualPage, delay: 0 };
  const handle = (page) => page.follow();
  result(timeline(runToEnd(of('https://a.example/').pipe(crawl({ ...options, handle })))));
`;

async function bundle(program: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? id : undefined),
        load: (id) => (id === 'program' ? program : undefined),
      },
    ],
    resolve: {
      alias: [{ find: /^rxcrawl\/(core|testing)$/, replacement: path('../../src/$1/index.ts') }],
    },
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: 'program', output: { format: 'iife' } },
    },
  });
  const [{ output: chunks }] = [output].flat() as [Rolldown.RolldownOutput];
  return chunks[0].code;
}

describe('rxcrawl/core and rxcrawl/testing in a browser', () => {
  it('are bundled without a Node built-in, and crawl', async () => {
    const code = await bundle(PROGRAM);
    expect(code).not.toMatch(/node:|__vite-browser-external|require\(/);
    let lines: unknown;
    const globals = { URL, TextEncoder, TextDecoder, AbortController, setTimeout, clearTimeout };
    runInNewContext(code, { ...globals, result: (value: unknown) => (lines = value) });
    expect(Array.from(lines as string[])).toEqual([
      '0 found seeds +1',
      '0 start /',
      '0 page /',
      '0 found / +1',
      '0 done /',
      '0 start /b',
      '5 page /b',
      '5 done /b',
    ]);
  });
});
