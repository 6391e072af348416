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

/** Checks a time in milliseconds. */
export function expectMs(name: string, value: unknown): void {
  if (typeof value !== 'number') {
    throw new TypeError(`${name}: expected a time in milliseconds, got ${show(value)}`);
  }
  if (!(value >= 0)) {
    throw new RangeError(
      `${name}: expected a time in milliseconds of at least 0, got ${show(value)}`,
    );
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
