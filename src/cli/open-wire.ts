import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../core/message-of.js';
import { makeFolder } from '../fetch/make-folder.js';
import {
  type CacheStore,
  CookieJar,
  diskCache,
  loadCookies,
  proxyFromEnv,
  type ProxyOption,
  saveCookies,
} from '../index.js';
import { isReplaceable } from './is-replaceable.js';
import { OutputError } from './output-error.js';
import type { CliOptions } from './parse-options.js';
import { UsageError } from './usage-error.js';

/** What a crawl keeps in files, or learns from the environment, about its connections. */
export interface Wire {
  readonly cookies: CookieJar | undefined;
  readonly cache: CacheStore | undefined;
  readonly proxy: ProxyOption | undefined;
  /** Writes the cookies down. */
  readonly save: () => Promise<void>;
}

/**
 * Reads the cookies of `--cookies`, makes the folder of `--cache` and the choice of `--proxy`.
 *
 * @param env - for `--proxy env`
 * @throws UsageError or OutputError before anything is fetched
 */
export async function openWire(
  { cookies, cache, proxy }: Pick<CliOptions, 'cookies' | 'cache' | 'proxy'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Wire> {
  const chosen = proxy === 'env' ? fromEnvironment(env) : proxy;
  if (cache !== undefined) await openFolder(cache);
  const jar = cookies === undefined ? undefined : await readCookies(cookies);
  return {
    cookies: jar,
    cache: cache === undefined ? undefined : diskCache(cache),
    proxy: chosen,
    save: async () => {
      if (cookies !== undefined && jar !== undefined) await writeCookies(cookies, jar);
    },
  };
}

function fromEnvironment(env: Readonly<Record<string, string | undefined>>): ProxyOption {
  try {
    return proxyFromEnv(env);
  } catch (error) {
    throw new UsageError('option --proxy', `an environment that can be used (${messageOf(error)})`);
  }
}

/** Makes a folder that can be written to. @throws OutputError */
export async function openFolder(path: string): Promise<void> {
  try {
    await makeFolder(path, 0o700);
    await access(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new OutputError(path, error);
  }
}

/** A file that is not there yet is an empty jar. */
async function readCookies(path: string): Promise<CookieJar> {
  try {
    // The dot: whatever is no folder has none.
    await access(`${dirname(path)}/.`, constants.W_OK);
  } catch (error) {
    throw new OutputError(path, error);
  }
  try {
    return loadCookies(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return new CookieJar();
    }
    throw new UsageError(
      'option --cookies',
      `a file that this command has written (${messageOf(error)})`,
      path,
    );
  }
}

/** The file is whole or as it was, and its owner's alone. */
async function writeCookies(path: string, jar: CookieJar): Promise<void> {
  const part = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    if (!(await isReplaceable(path))) {
      await writeFile(path, saveCookies(jar));
      return;
    }
    await writeFile(part, saveCookies(jar), { mode: 0o600, flag: 'wx' });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw new OutputError(path, error);
  }
}
