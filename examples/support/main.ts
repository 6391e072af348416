import { pathToFileURL } from 'node:url';
import { type Bookshop, withBookshop } from './site.js';

/** Runs an example on the bookshop and prints its result, if its file was started directly. */
export async function main(
  fileUrl: string,
  example: (shop: Bookshop) => Promise<unknown>,
): Promise<void> {
  const started = process.argv[1];
  if (started === undefined || pathToFileURL(started).href !== fileUrl) return;
  console.log(await withBookshop(example));
}
