/**
 * Downloads files of zeros, one after the other, `ORIGIN DIR BYTES…`, and prints by how many bytes
 * the process was larger than before, at most, during each: `[growth, …]`.
 */
import { rmSync } from 'node:fs';
import { argv, memoryUsage } from 'node:process';
import { lastValueFrom } from 'rxjs';
import { request } from '../../src/core/index.js';
import { download } from '../../src/download/index.js';
import { undiciFetcher } from '../../src/fetch/index.js';

const [origin = '', dir = '', ...sizes] = argv.slice(2);
const fetch = download({ dir })(undiciFetcher());
const growths: number[] = [];

for (const size of sizes) {
  const start = memoryUsage.rss();
  let most = start;
  const timer = setInterval(() => (most = Math.max(most, memoryUsage.rss())), 2);
  const { file } = await lastValueFrom(fetch(request(`${origin}/${size}`, { label: 'file' })));
  clearInterval(timer);
  if (file?.bytes !== Number(size)) throw new Error(`saved ${file?.bytes} bytes of ${size}`);
  rmSync(file.path);
  growths.push(most - start);
}
console.log(JSON.stringify(growths));
