/**
 * Runs an example, or its plain twin, on a site that is served elsewhere, and prints how long
 * that took, ms. With a second site it runs on that one before.
 *
 *     node example.mjs NAME simple|queued|plain WIDTH SITE [WARM_UP_SITE]
 */
import { queued, simple } from '../../dist/index.js';

const [name, way, width, url, warmUp] = process.argv.slice(2);
const folder = way === 'plain' ? 'plain/' : '';
const functionName = name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
const { [functionName]: example } = await import(`../../.cache/examples/${folder}${name}.js`);
const workers = { simple, queued, plain: (width) => width }[way](Number(width));

if (warmUp !== undefined) await example({ url: warmUp }, workers);
const start = performance.now();
await example({ url }, workers);
console.log(performance.now() - start);
