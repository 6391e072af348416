import { Option } from 'commander';
import { UsageError } from './usage-error.js';

/** An option whose value is checked while it is read. */
export function valueOption(
  flags: string,
  description: string,
  expected: string,
  read: (text: string) => unknown,
): Option {
  const option = new Option(flags, description);
  return option.argParser((text: string) => {
    const value = read(text);
    if (value === undefined) throw new UsageError(optionSubject(option), expected, text);
    return value;
  });
}

/** An option that may be given several times; its values are collected in order. */
export function repeatedOption(
  flags: string,
  description: string,
  read: (text: string) => unknown,
): Option {
  return new Option(flags, description).argParser((text: string, before: unknown) => [
    ...(Array.isArray(before) ? (before as unknown[]) : []),
    read(text),
  ]);
}

/** An option that takes one of a few words. */
export function choiceOption(
  flags: string,
  description: string,
  choices: readonly string[],
): Option {
  return valueOption(
    flags,
    `${description}: ${choices.join(', ')}`,
    `one of ${choices.join(', ')}`,
    (text) => (choices.includes(text) ? text : undefined),
  );
}

/** How messages name an option: `option -d, --depth`. */
function optionSubject(option: Option): string {
  return `option ${[option.short, option.long].filter((flag) => flag !== undefined).join(', ')}`;
}
