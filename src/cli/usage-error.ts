/**
 * The command line cannot be obeyed. Nothing has been fetched; the command ends with exit code 2.
 *
 * @example
 * ```ts
 * throw new UsageError('option --delay', 'a duration such as 500ms or 2s', '5');
 * // option --delay: expected a duration such as 500ms or 2s, got "5"
 * ```
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /**
   * @param subject - the option or argument that is wrong
   * @param expected - what it takes
   * @param given - what it got; leave it out where there is nothing to show, or it is secret
   */
  constructor(subject: string, expected: string, given?: string) {
    super(
      `${subject}: expected ${expected}${given === undefined ? '' : `, got ${JSON.stringify(given)}`}`,
    );
  }
}
