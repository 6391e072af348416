/** Host, port and what follows, as people write them without a scheme. */
const WITHOUT_SCHEME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?(?:[/?#][^\s"]*)?$/i;
/** No longer text is repeated in a message, characters. */
const SHOWN = 200;

/** A URL to show to somebody who gave what is none: his own, if it only lacks its scheme. */
export function exampleUrl(given: unknown): string {
  return typeof given === 'string' && given.length <= SHOWN && WITHOUT_SCHEME.test(given)
    ? `https://${given}`
    : 'https://example.org/';
}
