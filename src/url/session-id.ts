/** Longest name of a session parameter, characters; bounds the look-ahead behind a `;`. */
const LONGEST = 40;

const NAMES =
  /^_?(?:(?:[lj]|bv_)?(?:sid|sessid|sessionid|phpsessid)|aspsessionid[a-z]*|session[_-]id|sess_id|cfid|cftoken|oscsid|zenid)$/i;

/**
 * Whether a parameter name is one that servers use for session ids: `PHPSESSID`, `jsessionid`,
 * `sid`, `_sessionid`, `ASPSESSIONIDxxxxxxxx`, `CFID` …
 */
export function isSessionName(name: string): boolean {
  return name.length <= LONGEST && NAMES.test(name);
}

/** Removes `;jsessionid=…` and its like, up to the next `;`, `/` or `&`. */
export function stripSessionParams(text: string): string {
  let at = text.indexOf(';');
  if (at === -1) return text;
  let result = '';
  let copied = 0;
  while (at !== -1) {
    const next = text.indexOf(';', at + 1);
    const equals = text.slice(at + 1, at + LONGEST + 2).indexOf('=');
    if (equals !== -1 && isSessionName(text.slice(at + 1, at + 1 + equals))) {
      result += text.slice(copied, at);
      copied = at + 1;
      while (copied < text.length && !';/&'.includes(text.charAt(copied))) copied += 1;
    }
    at = next;
  }
  return result + text.slice(copied);
}

/** A path segment that is an ASP.NET session id: `(S(lit3py55t21z5v55vlm25s55))`. */
export function isSessionSegment(segment: string): boolean {
  return segment.startsWith('(S(') && /^\(S\([^()]*\)\)(?:;|$)/.test(segment);
}

const SESSION_ID =
  /[;?&](?:(?:_?(?:[lj]|bv_)?(?:phpsessid|sessionid|sessid)|aspsessionid[a-z]{0,20}|session[_-]id)=[a-z0-9]{4}|_?(?:[lj]|bv_)?sid=[a-z0-9]{16})|\/\(S\(/i;

/**
 * Whether a URL has a session id for sure. A plain `sid=7` may name a story or a site, so there
 * the value must look like a token.
 */
export function hasSessionId(url: string): boolean {
  return SESSION_ID.test(url);
}
