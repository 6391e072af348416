/** Checks an option at call time; the message names it, what was expected and what was given. */
export function expectInteger(name: string, value: unknown, least: number): void {
  if (typeof value !== 'number') {
    throw new TypeError(
      `${name}: expected a whole number of at least ${least}, got ${show(value)}`,
    );
  }
  if (value !== Infinity && !(Number.isInteger(value) && value >= least)) {
    throw new RangeError(
      `${name}: expected a whole number of at least ${least}, got ${show(value)}`,
    );
  }
}

/** Checks how many may run at once: a whole number of at least `least`, and not `Infinity`. */
export function expectWidth(name: string, value: unknown, least: number): void {
  expectInteger(name, value, least);
  if (value === Infinity) {
    throw new RangeError(`${name}: expected a whole number of at least ${least}, got Infinity`);
  }
}

/** Checks how many may run at once, where that is a number for good or an Observable of numbers. */
export function expectLiveWidth(name: string, value: unknown): void {
  if (typeof value === 'number') expectWidth(name, value, 1);
  else if (!isSubscribable(value)) {
    throw new TypeError(
      `${name}: expected a whole number or an Observable of them, got ${show(value)}`,
    );
  }
}

/** The longest time that a timer of Node or a browser can wait: almost 25 days. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Checks a time in milliseconds that a timer can wait; `Infinity` means for ever. */
export function expectMs(name: string, value: unknown): void {
  if (typeof value !== 'number') {
    throw new TypeError(`${name}: expected a time in milliseconds, got ${show(value)}`);
  }
  if (value !== Infinity && !(value >= 0 && value <= LONGEST_TIMER)) {
    throw new RangeError(
      `${name}: expected a time in milliseconds from 0 to ${LONGEST_TIMER}, got ${show(value)}`,
    );
  }
}

/** Checks a time in milliseconds that must end. */
export function expectTimer(name: string, value: unknown): void {
  expectMs(name, value);
  if (value === Infinity) {
    throw new RangeError(`${name}: expected a time in milliseconds that ends, got Infinity`);
  }
}

/** Checks a number that must be above 0; `Infinity` means no limit. */
export function expectPositive(name: string, value: unknown): void {
  if (typeof value !== 'number') {
    throw new TypeError(`${name}: expected a number above 0, got ${show(value)}`);
  }
  if (!(value > 0)) {
    throw new RangeError(`${name}: expected a number above 0, got ${show(value)}`);
  }
}

/** Checks a part of a whole: a number from 0 to 1. */
export function expectFraction(name: string, value: unknown): void {
  if (typeof value !== 'number') {
    throw new TypeError(`${name}: expected a number from 0 to 1, got ${show(value)}`);
  }
  if (!(value >= 0 && value <= 1)) {
    throw new RangeError(`${name}: expected a number from 0 to 1, got ${show(value)}`);
  }
}

/** Checks an option that must be true or false. */
export function expectBoolean(name: string, value: unknown): void {
  if (typeof value !== 'boolean') {
    throw new TypeError(`${name}: expected true or false, got ${show(value)}`);
  }
}

/** Checks an option that must be a text. */
export function expectString(name: string, value: unknown): void {
  if (typeof value !== 'string') {
    throw new TypeError(`${name}: expected a string, got ${show(value)}`);
  }
}

/** Checks an option that must be an object, such as a group of options. */
export function expectObject(name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${name}: expected an object, got ${show(value)}`);
  }
}

/** Checks an option that must be a list. */
export function expectList(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw new TypeError(`${name}: expected a list, got ${show(value)}`);
}

/** Checks the clock of what waits. */
export function expectScheduler(name: string, value: unknown): void {
  const { schedule, now } = (value ?? {}) as { schedule?: unknown; now?: unknown };
  if (typeof schedule !== 'function' || typeof now !== 'function') {
    throw new TypeError(`${name}: expected a scheduler of RxJS, got ${show(value)}`);
  }
}

/** Checks an option that must be a function. */
export function expectFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') {
    throw new TypeError(`${name}: expected a function, got ${show(value)}`);
  }
}

/** Checks an option that must be an Observable. */
export function expectObservable(name: string, value: unknown): void {
  if (!isSubscribable(value)) {
    throw new TypeError(`${name}: expected an Observable, got ${show(value)}`);
  }
}

function isSubscribable(value: unknown): boolean {
  const subscribe = (value as { subscribe?: unknown } | null | undefined)?.subscribe;
  return typeof subscribe === 'function';
}

/** What an error message shows of a text, characters. */
const SHOWN = 80;

/** A value as an error message shows it: short, and in one line. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN));
  if (typeof value === 'function') return `function ${value.name || '(anonymous)'}`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}
