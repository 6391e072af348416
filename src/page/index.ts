export * from './encoding/index.js';
export * from './mime/index.js';
export { contentHash } from './content-hash.js';
export { distinctContent, type DistinctContentOptions, type HasBytes } from './distinct-content.js';
export { bitsApart, similarityHash, type SimilarityHash } from './similarity-hash.js';
export { extractLinks, scanLinks } from './extract-links.js';
export type { ExtractLinksOptions, Link, LinkScan, RobotsMeta } from './link-scan.js';
export type {
  ExtractDescriptor,
  ExtractMap,
  ExtractValue,
  Extracted,
  ExtractedValue,
} from './extraction.js';
export {
  followableKinds,
  linkKinds,
  type LinkGroup,
  type LinkKind,
  type LinkKindInfo,
  type LinkKinds,
  type LinkValue,
} from './link-kinds.js';
export { loadDocument, type DocumentParser, type LoadDocumentOptions } from './load-document.js';
export type { JsonObject, JsonValue } from './json-ld.js';
export type { PageMeta } from './page-meta.js';
export {
  createPage,
  loadPage,
  type FollowOptions,
  type FollowTarget,
  type Page,
  type PageOptions,
} from './page.js';
export { parseLinkHeader, type HeaderLink } from './parse-link-header.js';
export { parseRefresh, type Refresh } from './parse-refresh.js';
export {
  robotsDirectives,
  type RobotsDirectives,
  type RobotsSources,
} from './robots-directives.js';
export { parseSrcset, type ImageCandidate } from './srcset.js';
export {
  matchesRoute,
  routePattern,
  type PatternParams,
  type RoutePattern,
} from './route-pattern.js';
export {
  on,
  otherwise,
  type ParamsOf,
  type Route,
  type RouteContext,
  type RouteHandler,
  type RouteMatch,
  type RouteOptions,
} from './route.js';
export { routes, type RoutedHandler, type RoutesOptions } from './routes.js';
