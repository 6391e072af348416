export type { RunLimits } from './action-limit.js';
export { brief, briefFrom } from './brief.js';
export type { PageInput, PageSpec, SiteSpec } from './page-spec.js';
export { randomSite, type RandomSite, type RandomSiteOptions } from './random-site.js';
export { reachable, type ReachableOptions } from './reachable.js';
export { crawlMarbles, runMarbles, type MarbleHelpers, type MarbleOptions } from './run-marbles.js';
export { runToEnd, type RunToEndOptions, type Timed } from './run-to-end.js';
export { seededRandom } from './seeded-random.js';
export { timeline } from './timeline.js';
export { virtualPage, type FollowOptions, type VirtualPage } from './virtual-page.js';
export {
  virtualSite,
  type SiteVisit,
  type VirtualSite,
  type VirtualSiteOptions,
} from './virtual-site.js';
