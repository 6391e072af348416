/**
 * Runs one crawl and prints what it took, as a line of JSON: pages, CPU and wall time from the
 * first call to the last page (loading the modules is left out), and the peak memory of the
 * whole process.
 *
 * @param {() => Promise<number>} crawl - resolves with the number of HTML pages that were read
 */
export async function report(crawl) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const pages = await crawl();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ pages, cpuMs: (user + system) / 1000, wallMs, peakMb }));
}
