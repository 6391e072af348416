import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

/** Bytes in use after a collection: objects and the memory behind typed arrays. */
export function usedBytes() {
  gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Bytes that what `make` returns keeps alive. */
export function bytesOf(make) {
  const before = usedBytes();
  const kept = make();
  const bytes = usedBytes() - before;
  return [bytes, kept];
}
