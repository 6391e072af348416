export {
  SeedRejected,
  type CrawlProblem,
  type CrawlStage,
  type ProblemCounts,
} from './crawl-problem.js';
export { crawlerOf, type ControlOptions, type Crawler, type StopOptions } from './crawler.js';
export {
  IllegalTransition,
  transition,
  type CrawlerStatus,
  type CrawlerWish,
} from './crawler-status.js';
export type { CrawlerSummary } from './crawler-summary.js';
export { monitor, type MonitorOptions, type MonitorRecord } from './monitor.js';
