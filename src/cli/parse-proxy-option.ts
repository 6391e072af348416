import { parseProxy } from '../fetch/parse-proxy.js';
import { UsageError } from './usage-error.js';

/**
 * Reads `--proxy`: the URL of a proxy, or `env`. No message repeats the text, which may hold
 * a password.
 *
 * @throws UsageError
 */
export function parseProxyOption(text: string): string {
  if (text === 'env') return text;
  try {
    parseProxy('option --proxy', text);
  } catch {
    throw new UsageError(
      'option --proxy',
      'an http or https URL such as http://proxy.example:3128, or env',
    );
  }
  return text;
}
