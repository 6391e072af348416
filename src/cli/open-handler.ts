import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defer, lastValueFrom, throwError, timeout } from 'rxjs';
import { messageOf } from '../core/message-of.js';
import type { Handler, Page } from '../index.js';
import { checkSelector, extractor } from './extractor.js';
import { openFolder } from './open-wire.js';
import type { CliOptions } from './parse-options.js';
import { UsageError } from './usage-error.js';

/** A handler of the command: what it yields that is no request is written. */
export type CliHandler = Handler<unknown, Page>;

/**
 * Makes the handler that `--extract` or `--handler` asks for. Without them every link is followed
 * and nothing else done.
 *
 * @throws UsageError before anything is fetched
 */
export async function openHandler({
  extract,
  handler,
  download,
  dir,
  maxDepth,
}: Pick<CliOptions, 'extract' | 'handler' | 'download' | 'dir' | 'maxDepth'>): Promise<CliHandler> {
  if (handler !== undefined) return loadHandler(handler);
  const itemsOf = extractor(extract);
  if (download !== undefined && dir !== undefined) {
    checkSelector(download, 'option --download');
    await openFolder(dir);
  }
  return function* (page) {
    if (page.file !== undefined) return;
    // Before the others: what is both a link and a file is a file.
    if (download !== undefined) yield page.follow(download, { label: 'file' });
    // With files the crawl goes a hop further, for them alone.
    if (page.request.depth < maxDepth || download === undefined) yield page.follow();
    yield* itemsOf(page);
  };
}

const SUBJECT = 'option --handler';
/** Node itself would end without a word when it has nothing else to wait for. */
const LOAD_MS = 30_000;
const NOT_LOADED = `not loaded after ${LOAD_MS / 1_000} s`;

/** Loads a module as Node can: JavaScript, and from Node 22.18 on also TypeScript. */
async function loadHandler(path: string): Promise<CliHandler> {
  const found = await stat(path).catch((error: unknown) => {
    throw new UsageError(SUBJECT, `a file that exists (${messageOf(error)})`, path);
  });
  if (found.isDirectory()) throw new UsageError(SUBJECT, 'a file, not a folder', path);
  let module: { readonly default?: unknown };
  try {
    module = await lastValueFrom(
      defer(() => import(pathToFileURL(resolve(path)).href) as Promise<typeof module>).pipe(
        timeout({ first: LOAD_MS, with: () => throwError(() => new Error(NOT_LOADED)) }),
      ),
      { defaultValue: {} },
    );
  } catch (error) {
    throw new UsageError(SUBJECT, `a module that can be loaded (${whyNot(error, path)})`, path);
  }
  if (typeof module.default !== 'function') {
    throw new UsageError(
      SUBJECT,
      `a module whose default export is a function (page, context) => …, not ${typeof module.default}`,
      path,
    );
  }
  return module.default as CliHandler;
}

function whyNot(error: unknown, path: string): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts$/.test(path)
    ? `Node ${process.versions.node} cannot read TypeScript, 22.18 and newer can`
    : describe(error);
}

/** With its name: a syntax error does not say that it is one. */
function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : messageOf(error);
}
