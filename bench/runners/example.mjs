/**
 * Runs an example, or its plain twin, on a site that is served elsewhere, and prints how long
 * that took, ms.
 *
 *     node example.mjs NAME simple|queued|plain WIDTH SITE
 */
import { queued, simple } from '../../dist/index.js';

const [name, way, width, url] = process.argv.slice(2);
const folder = way === 'plain' ? 'plain/' : '';
const functionName = name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
const { [functionName]: example } = await import(`../../.cache/examples/${folder}${name}.js`);
const concurrency = Number(width);
const second = { simple, queued, plain: (all) => all }[way](concurrency);

const start = performance.now();
await example({ url, asked: [] }, second);
console.log(performance.now() - start);
