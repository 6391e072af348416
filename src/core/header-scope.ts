/** Fields that say nothing about who sends them, and mean the same to every server. */
const PUBLIC: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-type',
  'dnt',
  'from',
  'pragma',
  'priority',
  'range',
  'referer',
  'save-data',
  'sec-gpc',
  'upgrade-insecure-requests',
  'user-agent',
  'x-requested-with',
]);

/** Parts of names that are secrets wherever they have been seen. */
const SECRET =
  /authorization|cookie|token|secret|passw|credential|session|signature|(?:^|[-_])(?:auth|key|pwd|sid)(?:$|[-_])|apikey/;

/**
 * Whether a header field may follow a redirect to another origin. Only well-known ones may:
 * of any other nobody but its author knows whom it is meant for.
 *
 * @param name - in lower case
 */
export function isPublicHeader(name: string): boolean {
  return PUBLIC.has(name) || name.startsWith('sec-fetch-');
}

/**
 * Whether the name of a header field looks like that of a secret: `authorization`, `cookie`,
 * `x-api-key`, `x-auth-token` …
 *
 * @param name - in lower case
 */
export function isSecretHeader(name: string): boolean {
  return SECRET.test(name);
}
