/** Refuses names that mean nothing: a misspelt limit would silently not hold. */
export function checkNames(owner: string, options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new TypeError(`${owner}: unknown option "${name}"; known are ${known.join(', ')}`);
    }
  }
}

/** Checks an optional object, such as a group of options. */
export function checkObject(owner: string, name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${owner}: ${name}: expected an object, got ${show(value)}`);
  }
}

/** Checks an optional number that must be positive; `Infinity` means no limit. */
export function checkPositive(owner: string, name: string, value: unknown, unit: string): void {
  if (value === undefined) return;
  const expected = `expected a positive number of ${unit}`;
  if (typeof value !== 'number') {
    throw new TypeError(`${owner}: ${name}: ${expected}, got ${show(value)}`);
  }
  if (!(value > 0)) throw new RangeError(`${owner}: ${name}: ${expected}, got ${show(value)}`);
}

/** Checks an optional whole number that must be positive and finite. */
export function checkCount(owner: string, name: string, value: unknown, unit: string): void {
  checkPositive(owner, name, value, unit);
  if (value !== undefined && !Number.isSafeInteger(value)) {
    throw new RangeError(
      `${owner}: ${name}: expected a whole number of ${unit}, got ${show(value)}`,
    );
  }
}

/** Checks an optional value by its `typeof`. */
export function checkType(
  owner: string,
  name: string,
  value: unknown,
  type: 'boolean' | 'function' | 'string',
): void {
  if (value === undefined || typeof value === type) return;
  throw new TypeError(`${owner}: ${name}: expected a ${type}, got ${show(value)}`);
}

/** A value, short and in one line. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'an array' : 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
