import { UsageError } from './usage-error.js';

/**
 * Makes a reader of URL patterns for one option.
 *
 * @param subject - the option, for the message
 */
export function parsePattern(subject: string): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new UsageError(subject, 'a pattern such as /docs/**', text);
    return text;
  };
}
