/**
 * Host and port of a canonical URL. Cut out by hand, because a virtual site of a million
 * pages calls it for each, and `new URL` would be most of the cost of a request.
 */
export function hostOf(url: string): string {
  const start = url.indexOf('//') + 2;
  const end = url.indexOf('/', start);
  const authority = end === -1 ? url.slice(start) : url.slice(start, end);
  return authority.slice(authority.lastIndexOf('@') + 1);
}
