import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { undiciFetcher } from '../../src/fetch/index.js';
import { HAS_ZSTD, parseCodings, type Coding } from '../../src/fetch/content-codings.js';
import { decodeBody, isProblem, type Decoded } from '../../src/fetch/decode-body.js';
import { describeShared } from '../helpers/shared-cases.js';
import { bomb, encode, PAGE } from '../servers/behaviours/bodies.js';
import { startFaultServer, type FaultServer } from '../servers/fault-server.js';
import { failureOf, fetchOnce, outcomeOf, textOf } from './helpers.js';
import { bufferGrowth } from './memory.js';

let server: FaultServer;
/** What the behaviour `file` sends, by name: its coding and bytes. */
const files = new Map<string, readonly [coding: string, bytes: Uint8Array]>();

beforeAll(async () => {
  server = await startFaultServer({
    behaviours: {
      file: (x) => {
        const [coding, bytes] = files.get(x.url.searchParams.get('name') ?? '')!;
        return x.answer(bytes, [`Content-Encoding: ${coding}`]);
      },
    },
  });
});
afterAll(() => server.close());

const fetcher = undiciFetcher();
afterAll(() => fetcher.close());

describe('content codings', () => {
  it.each([
    ['codings=gzip'],
    ['codings=x-gzip'],
    ['codings=deflate'],
    ['codings=raw-deflate'],
    ['codings=br'],
    ['codings=gzip,br'],
    ['codings=deflate,gzip,br'],
    ['codings=raw-deflate,raw-deflate'],
    ['codings=gzip&name=GZip'],
    ['codings=gzip&name=identity, ,gzip,'],
    ['codings=gzip&junk=5'],
    ['codings=gzip,br&junk=5'],
    ['codings=deflate&junk=5'],
    ['codings=raw-deflate&junk=5'],
    ['codings=&name=identity'],
    ['codings='],
  ])('%s gives the page', async (query) => {
    const response = await fetchOnce(fetcher, server.url(`coded?${query}`));
    expect(textOf(response)).toBe(PAGE);
    expect(response.wireBytes).toBe(Number(response.headers['content-length']));
  });

  it.each([
    ['coded?codings=gzip&name=zip', 'bad-encoding'],
    ['coded?codings=gzip&name=compress', 'bad-encoding'],
    ['coded?codings=br&name=gzip', 'bad-encoding'],
    ['coded?codings=gzip&name=br', 'bad-encoding'],
    ['coded?codings=gzip&name=deflate', 'bad-encoding'],
    ['coded?codings=&name=gzip', 'bad-encoding'],
    ['coded?codings=&name=deflate', 'bad-encoding'],
    ['coded?codings=&name=br', 'bad-encoding'],
    ['coded?codings=gzip,gzip,gzip,gzip', 'bad-encoding'],
    [`coded?codings=&name=${Array.from({ length: 500 }, () => 'gzip').join()}`, 'bad-encoding'],
    ['bad-crc', 'bad-encoding'],
    ['coded?codings=gzip&cut=1', 'truncated'],
    ['coded?codings=gzip&cut=5000', 'truncated'],
    ['coded?codings=deflate&cut=10', 'truncated'],
    ['coded?codings=br&cut=10', 'truncated'],
    ['coded?codings=gzip,br&cut=10', 'truncated'],
    ['two-members', '200 7'],
    ['two-members?junk=9', '200 7'],
    ['empty?line=Content-Encoding: gzip', '200 0'],
  ])('%s gives %s', async (behaviour, outcome) => {
    expect(await outcomeOf(fetcher, server.url(behaviour))).toBe(outcome);
  });

  it('leaves gzip alone that is not called so', async () => {
    const response = await fetchOnce(fetcher, server.url('coded?codings=gzip&name='));
    expect([...response.body.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  });

  it('keeps what came of a cut body when asked to truncate', async () => {
    const lenient = undiciFetcher({ truncate: true });
    for (const codings of ['gzip', 'deflate', 'raw-deflate', 'br']) {
      const response = await fetchOnce(lenient, server.url(`coded?codings=${codings}&cut=3000`));
      expect(response.truncated).toBe(true);
      expect(response.body.length).toBeGreaterThan(1_000);
      expect(PAGE.startsWith(textOf(response).slice(0, 1_000))).toBe(true);
    }
    expect(await outcomeOf(lenient, server.url('coded?codings=&name=gzip'))).toBe('bad-encoding');
    lenient.close();
  });
});

describe.runIf(HAS_ZSTD)('zstd', () => {
  it.each([
    ['coded?codings=zstd', `200 ${Buffer.byteLength(PAGE)}`],
    ['coded?codings=gzip,zstd', `200 ${Buffer.byteLength(PAGE)}`],
    ['coded?codings=zstd&cut=10', 'truncated'],
    ['coded?codings=&name=zstd', 'bad-encoding'],
    ['bomb?codings=zstd&mb=30', 'too-large'],
  ])('%s gives %s', async (behaviour, outcome) => {
    expect(await outcomeOf(fetcher, server.url(behaviour))).toBe(outcome);
  });
});

describe('bombs', () => {
  it.each([
    ['gzip', 30],
    ['deflate', 30],
    ['raw-deflate', 30],
    ['br', 30],
    ['gzip,gzip', 30],
    ['br,gzip,br', 30],
  ])('%s of %i MB stops at the ratio', async (codings, mb) => {
    const url = server.url(`bomb?codings=${codings}&mb=${mb}`);
    bomb(codings.split(','), mb);
    const before = performance.now();
    const error = await failureOf(fetcher, url);
    expect(error.code).toBe('too-large');
    expect(performance.now() - before).toBeLessThan(200);
  });

  it.each(['gzip', 'br'])('%s stops at the size, with bounded memory', async (coding) => {
    const limit = 10 * 1024 * 1024;
    bomb([coding], 30);
    const loose = undiciFetcher({ maxDecodeRatio: Infinity });
    const url = server.url(`bomb?codings=${coding}&mb=30`);
    const before = performance.now();
    const growth = await bufferGrowth(() => failureOf(loose, url));
    expect(performance.now() - before).toBeLessThan(500);
    expect(growth).toBeLessThan(limit + 8_000_000);
    loose.close();
  });

  it('decodes beyond 16 MiB in another thread, up to the limit', async () => {
    const loose = undiciFetcher({ maxDecodeRatio: Infinity, maxBodyBytes: 22_000_000 });
    expect(await outcomeOf(loose, server.url('bomb?codings=gzip&mb=20'))).toBe('200 20000000');
    expect(await outcomeOf(loose, server.url('bomb?codings=gzip&mb=30'))).toBe('too-large');
    loose.close();
  });

  it('keeps the head of one when asked to truncate', async () => {
    const lenient = undiciFetcher({ truncate: true, maxBodyBytes: 50_000 });
    const response = await fetchOnce(lenient, server.url('bomb?codings=gzip,br&mb=30'));
    expect(response.truncated).toBe(true);
    expect(Buffer.from(response.body).equals(Buffer.alloc(50_000))).toBe(true);
    lenient.close();
  });

  it('lets a page through that compresses well', async () => {
    // 900 KB of one letter: a ratio of 1,000, under the size from which ratios count.
    files.set('well', ['gzip', encode('x'.repeat(900_000), ['gzip'])]);
    expect(await outcomeOf(fetcher, server.url('file?name=well'))).toBe('200 900000');
  });
});

describe('parseCodings', () => {
  it.each<[string | undefined, readonly Coding[] | undefined]>([
    [undefined, []],
    ['', []],
    ['identity', []],
    ['gzip', ['gzip']],
    [' X-GZIP , Deflate', ['gzip', 'deflate']],
    ['br,br,br', ['br', 'br', 'br']],
    ['br,br,br,identity', ['br', 'br', 'br']],
    ['br,br,br,br', undefined],
    ['gzip;q=1', undefined],
    ['compress', undefined],
    ['zstd', HAS_ZSTD ? ['zstd'] : undefined],
  ])('%j', (field, codings) => {
    expect(parseCodings(field)).toEqual(codings);
  });
});

describe('decodeBody', () => {
  const run = (bytes: Uint8Array, codings: readonly Coding[], keepHead = false) =>
    new Promise<Decoded>((resolve, reject) => {
      decodeBody(bytes, codings, { maxBytes: 1_000_000, keepHead }, (result) => {
        if (isProblem(result)) reject(new Error(result.code));
        else resolve(result);
      });
    });

  it('undoes what encode does, for all bytes and chains', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 500 }),
        fc.array(fc.constantFrom('gzip', 'deflate', 'raw-deflate', 'br'), { maxLength: 3 }),
        async (bytes, names) => {
          const codings = names.map((name) => name.replace('raw-', '') as Coding);
          const { body, cut } = await run(encode(bytes, names), codings);
          expect(Buffer.from(body).equals(bytes)).toBe(true);
          expect(cut).toBe(false);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never takes anything for a body that is cut', async () => {
    const whole = encode(PAGE, ['gzip']);
    for (let length = 1; length < whole.length; length += 97) {
      await expect(run(whole.subarray(0, length), ['gzip'])).rejects.toThrow('truncated');
    }
  });

  it('gives one outcome for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.constantFrom<Coding>('gzip', 'deflate', 'br'),
        fc.boolean(),
        async (bytes, coding, keepHead) => {
          const outcome = await run(bytes, [coding], keepHead).then(
            () => 'body',
            (error: unknown) => (error as Error).message,
          );
          expect(['body', 'truncated', 'bad-encoding', 'too-large']).toContain(outcome);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describeShared('compressed', (folder) => {
  interface CompressedCase {
    readonly id: string;
    readonly file: string;
    readonly contentEncoding: string;
    readonly bytes?: number;
    readonly sha256?: string;
    readonly bomb?: boolean;
    readonly truncated?: boolean;
    readonly bytesBeforeEnd?: number;
    readonly tail?: string;
  }
  const { cases } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
    cases: readonly CompressedCase[];
  };

  it.each(cases.map((c) => [c.id, c] as const))('%s', async (id, c) => {
    files.set(id, [c.contentEncoding, readFileSync(join(folder, c.file))]);
    const url = server.url(`file?name=${id}`);
    if (c.contentEncoding.includes('zstd') && !HAS_ZSTD) {
      expect(await outcomeOf(fetcher, url)).toBe('bad-encoding');
    } else if (c.bomb === true) {
      expect(await outcomeOf(fetcher, url)).toBe('too-large');
    } else if (c.truncated === true) {
      expect(await outcomeOf(fetcher, url)).toBe('truncated');
      const lenient = undiciFetcher({ truncate: true });
      const kept = await fetchOnce(lenient, url);
      expect(kept.truncated).toBe(true);
      expect(kept.body).toHaveLength(c.bytesBeforeEnd!);
      const text = Buffer.from(kept.body).toString('latin1');
      expect(text.trimEnd().endsWith(c.tail!.trimEnd())).toBe(true);
      lenient.close();
    } else {
      const { body } = await fetchOnce(fetcher, url);
      expect(body).toHaveLength(c.bytes!);
      expect(createHash('sha256').update(body).digest('hex')).toBe(c.sha256);
    }
  });

  it.each<[string, string]>([
    ['html-br.bin', 'br'],
    ['html-gzip.bin', 'gzip'],
    ['html-gzip-deflate.bin', 'gzip, deflate'],
    ['html-gzip-deflate-gzip.bin', 'gzip, deflate, gzip'],
    ['html-rawdeflate.bin', 'deflate'],
    ['html-zlibdeflate.bin', 'deflate'],
    ...(HAS_ZSTD
      ? [
          ['html-zstd-static-content-size.bin', 'zstd'] satisfies [string, string],
          ['html-zstd-streaming-no-content-size.bin', 'zstd'] satisfies [string, string],
        ]
      : []),
  ])('%s as %s is HTML', async (file, coding) => {
    files.set(file, [coding, readFileSync(join(folder, file))]);
    expect(textOf(await fetchOnce(fetcher, server.url(`file?name=${file}`)))).toMatch(
      /<!DOCTYPE|<html/i,
    );
  });
});
