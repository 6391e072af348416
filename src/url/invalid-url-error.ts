/**
 * Why a text is no URL.
 *
 * | reason | meaning |
 * | --- | --- |
 * | `relative` | no scheme, and no base to resolve it against |
 * | `base` | the base is no URL itself |
 * | `host` | the host is missing or not allowed, or an address is out of range |
 * | `port` | the port is no number from 0 to 65535 |
 */
export type UrlProblem = 'relative' | 'base' | 'host' | 'port';

const BRAND = Symbol.for('rxcrawl.invalid-url');

/** The one error of the URL functions: the text cannot be parsed. Holds no copy of the text. */
export class InvalidUrlError extends TypeError {
  override readonly name = 'InvalidUrlError';
  readonly reason: UrlProblem;

  constructor(reason: UrlProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
Object.defineProperty(InvalidUrlError.prototype, BRAND, { value: true });

/** Whether a value is an {@link InvalidUrlError} of this or another copy of the library. */
export function isInvalidUrlError(value: unknown): value is InvalidUrlError {
  return typeof value === 'object' && value !== null && BRAND in value;
}
