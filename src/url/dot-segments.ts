// Own code: the parser of Node 20 (Ada 2.9) leaves dot segments in paths such as `/.b/../c`.

/** Whether a URL may have a dot segment; encoded dots must be decoded before. */
export function hasDotSegment(url: string): boolean {
  return url.includes('/.') && /\/\.{1,2}(?:[/?#]|$)/.test(url);
}

/** Resolves `.` and `..` in a path (URL Standard, path state). */
export function resolveDots(path: string): string {
  const stack: string[] = [];
  const segments = path.slice(1).split('/');
  segments.forEach((segment, index) => {
    if (segment !== '.' && segment !== '..') {
      stack.push(segment);
      return;
    }
    if (segment === '..') stack.pop();
    if (index === segments.length - 1) stack.push('');
  });
  return `/${stack.join('/')}`;
}
