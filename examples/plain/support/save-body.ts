// A body goes to the disk while it comes, and has its name when it is whole.

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

export interface SavedBody {
  readonly url: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export async function saveBody(response: Response, dir: string): Promise<SavedBody> {
  const { url } = response;
  // Two URLs may end with one name, and a name may be none that a file can have.
  const name = new URL(url).pathname
    .split('/')
    .at(-1)
    ?.replaceAll(/[^\w.-]/g, '_');
  const path = join(dir, `${createHash('sha256').update(url).digest('hex').slice(0, 16)}-${name}`);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    await pipeline(
      Readable.fromWeb(response.body as ReadableStream<Uint8Array>),
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          bytes += chunk.length;
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(`${path}.part`, { flags: 'wx' }),
    );
    await rename(`${path}.part`, path);
  } catch (error) {
    await rm(`${path}.part`, { force: true });
    throw error;
  }
  return { url, path, bytes, sha256: hash.digest('hex') };
}
