import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { show } from '../../core/expect.js';
import { expectOptions, integerFrom } from '../../core/expect-options.js';
import { type ResponseHeaders } from '../../core/index.js';
import { makeFolder } from '../make-folder.js';
import type { CacheStore, StoredResponse } from './cache-store.js';

/** What {@link diskCache} takes. */
export interface DiskCacheOptions {
  /** Most bytes of all files together; the one that was written longest ago goes first. Default 1 GiB. */
  readonly maxBytes?: number;
}

const FORMAT = 'rxcrawl-cache-1';
const NAME = /^[0-9a-f]{64}\.page$/;
const LINE_FEED = 0x0a;

/** The first line of a file, as JSON; the body follows it. */
interface Head {
  readonly format: string;
  readonly key: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly at: number;
  readonly vary: Readonly<Record<string, string>>;
  /** SHA-256 of the body. */
  readonly digest: string;
}

/**
 * Keeps answers in a folder, one file each, for crawls to come. Names of files are hashes, so that
 * no URL can lead out of the folder; a file is written beside its place and then moved there, so
 * that it is whole or not there; a file that was changed or damaged is a miss. Files can be read
 * by their owner alone.
 *
 * @param folder - made when first needed
 * @throws TypeError or RangeError naming what is wrong
 *
 * @example
 * ```ts
 * crawl({ cache: { store: diskCache('.cache/pages') } });
 * ```
 */
export function diskCache(folder: string, options: DiskCacheOptions = {}): CacheStore {
  const path: unknown = folder;
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw new TypeError(`diskCache: folder: expected the path of a folder, got ${show(path)}`);
  }
  expectOptions('diskCache', options, { maxBytes: integerFrom(1) });
  const { maxBytes = 1024 ** 3 } = options;
  /** Sizes by name, what was written longest ago first. */
  let files: Promise<Map<string, number>> | undefined;
  let total = 0;

  async function open(): Promise<Map<string, number>> {
    await makeFolder(folder, 0o700);
    const found: { name: string; bytes: number; at: number }[] = [];
    for (const name of await readdir(folder)) {
      if (!NAME.test(name)) continue;
      const { size, mtimeMs } = await stat(join(folder, name));
      found.push({ name, bytes: size, at: mtimeMs });
      total += size;
    }
    found.sort((a, b) => a.at - b.at);
    return new Map(found.map(({ name, bytes }) => [name, bytes]));
  }

  function opened(): Promise<Map<string, number>> {
    files ??= open().catch((error: unknown) => {
      files = undefined;
      throw error;
    });
    return files;
  }

  async function remove(known: Map<string, number>, name: string): Promise<void> {
    total -= known.get(name) ?? 0;
    known.delete(name);
    await rm(join(folder, name), { force: true });
  }

  return {
    async get(key) {
      let file: Buffer;
      try {
        file = await readFile(join(folder, nameOf(key)));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
      return decode(file, key);
    },
    async set(key, response) {
      const known = await opened();
      const name = nameOf(key);
      const parts = encode(key, response);
      const bytes = parts.reduce((sum, { length }) => sum + length, 0);
      if (bytes > maxBytes) {
        await remove(known, name);
        return;
      }
      const part = join(folder, `${randomBytes(8).toString('hex')}.part`);
      try {
        await writeFile(part, parts, { mode: 0o600, flag: 'wx' });
        await rename(part, join(folder, name));
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
      total += bytes - (known.get(name) ?? 0);
      known.delete(name);
      known.set(name, bytes);
      for (const oldest of known.keys()) {
        if (total <= maxBytes) break;
        await remove(known, oldest);
      }
    },
    async delete(key) {
      await remove(await opened(), nameOf(key));
    },
  };
}

function nameOf(key: string): string {
  return `${createHash('sha256').update(key).digest('hex')}.page`;
}

function digestOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

function encode(key: string, { status, headers, body, at, vary }: StoredResponse): Uint8Array[] {
  const head: Head = { format: FORMAT, key, status, headers, at, vary, digest: digestOf(body) };
  return [Buffer.from(`${JSON.stringify(head)}\n`), body];
}

/** `undefined` for whatever is not exactly what was written. */
function decode(file: Buffer, key: string): StoredResponse | undefined {
  const end = file.indexOf(LINE_FEED);
  if (end === -1) return undefined;
  let head: Partial<Head> | null;
  try {
    head = JSON.parse(file.toString('utf8', 0, end)) as Partial<Head> | null;
  } catch {
    return undefined;
  }
  if (head?.format !== FORMAT || head.key !== key) return undefined;
  const { status, headers, at, vary, digest } = head;
  const body = file.subarray(end + 1);
  if (
    typeof status !== 'number' ||
    typeof at !== 'number' ||
    typeof headers !== 'object' ||
    typeof vary !== 'object' ||
    digestOf(body) !== digest
  ) {
    return undefined;
  }
  const fields = Object.create(null) as Record<string, string | readonly string[]>;
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) fields[name] = value;
  }
  return { status, headers: fields, body, at, vary };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
