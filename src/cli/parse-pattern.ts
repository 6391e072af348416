import { compileUrlPattern } from '../url/url-matches.js';
import { UsageError } from './usage-error.js';

/**
 * Makes a reader of URL patterns for one option; see `compileUrlPattern` for what they match.
 *
 * @param subject - the option, for the message
 */
export function parsePattern(subject: string): (text: string) => string {
  return (text) => {
    try {
      compileUrlPattern(text);
    } catch {
      throw new UsageError(subject, 'a pattern such as "/docs/**"', text);
    }
    // It is compared with host and path, and there is a slash between them.
    if (text.includes('*') && !text.includes('/') && !text.includes('**')) {
      const hint = `such as "/**${text.replace(/^\*/, '')}": a * never stands for a slash`;
      throw new UsageError(subject, `a pattern that can match, ${hint}`, text);
    }
    return text;
  };
}
