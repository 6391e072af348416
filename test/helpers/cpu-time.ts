/**
 * CPU time that a function takes, ms: the least of a few runs, so that neither other processes nor
 * a cold start make a test of cost fail.
 */
export function cpuTime(act: () => unknown, runs = 5): number {
  let least = Infinity;
  for (let run = 0; run < runs; run++) {
    const started = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(started);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
