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

/** Checks that options are an object with no names but these. */
export function expectOptions(name: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${name}: expected an object of options, got ${show(options)}`);
  }
  for (const given of Object.keys(options)) {
    if (known.includes(given)) continue;
    throw new TypeError(`${name}: unknown option "${given}"; known are ${known.join(', ')}`);
  }
}

/** Checks an option that must be a list. */
export function expectList(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw new TypeError(`${name}: expected a list, got ${show(value)}`);
}

/** Checks an option that must be a function. */
export function expectFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') {
    throw new TypeError(`${name}: expected a function, got ${show(value)}`);
  }
}

/** Checks an option that must be an Observable. */
export function expectObservable(name: string, value: unknown): void {
  const subscribe = (value as { subscribe?: unknown } | null | undefined)?.subscribe;
  if (typeof subscribe !== 'function') {
    throw new TypeError(`${name}: expected an Observable, got ${show(value)}`);
  }
}

/** A value as an error message shows it. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return `function ${value.name || '(anonymous)'}`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}
