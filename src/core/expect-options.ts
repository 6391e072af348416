import { expectFunction, expectInteger, expectList, show } from './expect.js';

/** Checks a value; `name` goes into the message. */
export type Expect = (name: string, value: unknown) => void;

/** What is expected of each option that is given. The table is also the list of known names. */
export type Expectations<O> = { readonly [K in keyof O]-?: Expect };

/**
 * Checks a bag of options at call time: an object, with no unknown names (a misspelt limit would
 * silently not hold), and of each option what the table says. `undefined` stands for the default.
 *
 * @param owner - the function that takes them, for the message
 * @throws TypeError or RangeError naming the option, what was expected and what was given
 */
export function expectOptions<O extends object>(
  owner: string,
  options: O,
  expected: Expectations<O>,
): void {
  expectNames(owner, options, Object.keys(expected));
  for (const [name, expect] of Object.entries<Expect>(expected)) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) expect(`${owner}: ${name}`, value);
  }
}

/** The first half of {@link expectOptions}: an object with no names but these. */
export function expectNames(owner: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${owner}: expected an object of options, got ${show(options)}`);
  }
  for (const given of Object.keys(options)) {
    if (known.includes(given)) continue;
    throw new TypeError(`${owner}: unknown option "${given}"; known are ${known.join(', ')}`);
  }
}

/** Any value: it is checked elsewhere. */
export const anything: Expect = () => undefined;

/** A whole number of at least `least`; `Infinity` means no limit. */
export function integerFrom(least: number): Expect {
  return (name, value) => expectInteger(name, value, least);
}

/** One of these values. */
export function oneOf(...choices: readonly (string | boolean)[]): Expect {
  return (name, value) => {
    if (choices.includes(value as string)) return;
    const list = choices
      .map(show)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1');
    throw new TypeError(`${name}: expected ${list}, got ${show(value)}`);
  };
}

/** A list whose entries are each as expected. */
export function listOf(expect: Expect): Expect {
  return (name, value) => {
    expectList(name, value);
    for (const [index, entry] of (value as readonly unknown[]).entries()) {
      expect(`${name}[${index}]`, entry);
    }
  };
}

/** A function, or else a value as expected. */
export function functionOr(expect: Expect): Expect {
  return (name, value) => {
    if (typeof value !== 'function') expect(name, value);
  };
}

/** `true`, `false`, or else a value as expected. */
export function booleanOr(expect: Expect): Expect {
  return (name, value) => {
    if (typeof value === 'boolean') return;
    if (typeof value !== 'object' || value === null) {
      throw new TypeError(`${name}: expected true, false or an object, got ${show(value)}`);
    }
    expect(name, value);
  };
}

/** Anything that can be walked but a text, whose letters it would be. Not walked here: it may be that only once. */
export function expectIterable(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && Symbol.iterator in value) return;
  throw new TypeError(`${name}: expected a list, got ${show(value)}`);
}

/** An object of which these methods are used. */
export function objectWith(...methods: readonly string[]): Expect {
  return (name, value) => {
    if (typeof value !== 'object' || value === null) {
      throw new TypeError(`${name}: expected an object, got ${show(value)}`);
    }
    for (const method of methods) {
      expectFunction(`${name}.${method}`, (value as Readonly<Record<string, unknown>>)[method]);
    }
  };
}
