import { isSessionSegment, stripSessionParams } from './session-id.js';
import type { UrlPolicy } from './url-policy.js';

type Rewrite = (path: string) => string;

/** File names that servers answer a folder with. */
const INDEX_PAGE =
  /^(?:index|default)\.(?:[psx]?html?|aspx?|php[3-8]?|js[pf][afx]?|cfm|cgi|do|pl)$/i;

/** The path options of a policy, in the order in which they apply to a path of a parsed URL. */
export function pathRewrites(policy: UrlPolicy): Rewrite[] {
  const rewrites: Rewrite[] = [];
  if (policy.ignorePathCase === true) rewrites.push(lowerCasePath);
  if (policy.dropSessionIds === true) rewrites.push(dropSessionsFromPath);
  if (policy.dropPathParams === true) rewrites.push(dropParamsFromPath);
  if (policy.collapseSlashes === true) rewrites.push((path) => path.replace(/\/{2,}/g, '/'));
  const ending = policy.trailingSlash ?? 'keep';
  if (ending === 'drop') rewrites.push(dropTrailingSlashes);
  if (policy.dropIndexPage === true) {
    rewrites.push(ending === 'drop' ? dropIndexAndSlash : dropIndexPage);
  }
  if (ending === 'add') rewrites.push(addTrailingSlash);
  return rewrites;
}

/** ASCII letters to lower case; the digits of triplets stay upper case. */
function lowerCasePath(path: string): string {
  const lower = path.toLowerCase();
  return lower.includes('%')
    ? lower.replace(/%[0-9a-f]{2}/g, (triplet) => triplet.toUpperCase())
    : lower;
}

function dropSessionsFromPath(path: string): string {
  if (!path.includes(';') && !path.includes('(S(')) return path;
  return segmentsOf(path)
    .filter((segment) => !isSessionSegment(segment))
    .map((segment) => unlessDots(stripSessionParams(segment), segment))
    .reduce(joinSegments, '')
    .replace(/^$/, '/');
}

function dropParamsFromPath(path: string): string {
  if (!path.includes(';')) return path;
  return segmentsOf(path)
    .map((segment) => unlessDots(segment.split(';', 1)[0] ?? '', segment))
    .reduce(joinSegments, '');
}

function segmentsOf(path: string): string[] {
  return path.slice(1).split('/');
}

function joinSegments(path: string, segment: string): string {
  return `${path}/${segment}`;
}

/** `..;v=1` is a name; without its parameters it would climb. */
function unlessDots(changed: string, original: string): string {
  return changed === '.' || changed === '..' ? original : changed;
}

function dropTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path.charCodeAt(end - 1) === 47) end -= 1;
  return path.slice(0, end);
}

function dropIndexPage(path: string): string {
  const slash = path.lastIndexOf('/');
  return isIndexPage(path, slash, path.length) ? path.slice(0, slash + 1) : path;
}

/** Both until neither changes anything: `/a/index.html/` is `/a`. */
function dropIndexAndSlash(path: string): string {
  let end = path.length;
  for (;;) {
    const slash = path.lastIndexOf('/', end - 1);
    if (!isIndexPage(path, slash, end)) return path.slice(0, end);
    end = slash;
    while (end > 1 && path.charCodeAt(end - 1) === 47) end -= 1;
    if (end <= 1) return '/';
  }
}

function isIndexPage(path: string, slash: number, end: number): boolean {
  return end - slash <= 16 && INDEX_PAGE.test(path.slice(slash + 1, end));
}

function addTrailingSlash(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last === '' || last.includes('.') ? path : `${path}/`;
}
