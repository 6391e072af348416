import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of heap and buffers that are in use. */
export function heapAfterCollection(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Runs `work` and tells the most bytes of buffers that were in use on the way, over the start. */
export async function bufferGrowth(work: () => Promise<unknown>): Promise<number> {
  collect();
  const start = process.memoryUsage().arrayBuffers;
  let most = start;
  const sample = (): void => {
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  };
  const timer = setInterval(sample, 1);
  try {
    await work();
    sample();
  } finally {
    clearInterval(timer);
  }
  return most - start;
}
