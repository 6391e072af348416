/** `URL` writes all but the last @ of the authority as %40. */
const USER_INFO = /^([a-z][a-z\d+.-]*:\/\/)[^/?#@]*@/;

/**
 * A URL without its user information, which is a secret: for whatever is told of a request, beside
 * the request itself.
 *
 * @param href - in the form of `URL.href`
 */
export function withoutUserInfo(href: string): string {
  return href.includes('@') ? href.replace(USER_INFO, '$1') : href;
}
