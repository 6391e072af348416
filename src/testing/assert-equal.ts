/**
 * Throws unless two values are deeply equal, with a message that lists them side by side.
 * The default assertion of the marble runner, which knows no test framework; errors are
 * compared by name, code and message.
 */
export function assertEqual(actual: unknown, expected: unknown): void {
  const got = lines(actual);
  const want = lines(expected);
  const length = Math.max(got.length, want.length);
  const report: string[] = [];
  let same = true;
  for (let i = 0; i < length; i++) {
    if (got[i] === want[i]) {
      report.push(`    ${got[i] ?? ''}`);
      continue;
    }
    same = false;
    if (want[i] !== undefined) report.push(`  - ${want[i] ?? ''}`);
    if (got[i] !== undefined) report.push(`  + ${got[i] ?? ''}`);
  }
  if (!same) throw new Error(`The run differs (- expected, + actual):\n${report.join('\n')}`);
}

function lines(value: unknown): string[] {
  return Array.isArray(value) ? value.map(line) : [show(value, [])];
}

/** One notification of a diagram, or one subscription, as a line to read. */
function line(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return show(entry, []);
  if ('frame' in entry && 'notification' in entry) {
    const { frame, notification } = entry;
    const { kind, value, error } = notification as { kind: string } & Record<string, unknown>;
    const what = { N: () => `next ${show(value, [])}`, E: () => `error ${show(error, [])}` }[kind];
    return `${String(frame)} ms ${what?.() ?? 'complete'}`;
  }
  return show(entry, []);
}

/** Text that is equal exactly for equal values. Keys are sorted; cycles are named by depth. */
function show(value: unknown, parents: readonly object[]): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `[function ${value.name}]`;
  if (typeof value !== 'object' || value === null)
    return Object.is(value, -0) ? '-0' : String(value);
  const cycle = parents.indexOf(value);
  if (cycle !== -1) return `[cycle ${cycle}]`;
  const inside = [...parents, value];
  if (value instanceof Error) {
    const code = 'code' in value ? ` ${show(value.code, inside)}` : '';
    return `${value.name}${code}: ${value.message}`;
  }
  if (value instanceof Date || value instanceof URL) return `${nameOf(value)}${value.toJSON()}`;
  if (ArrayBuffer.isView(value)) return `${nameOf(value)}${show([...bytesOf(value)], inside)}`;
  if (Array.isArray(value)) return `[${value.map((one) => show(one, inside)).join(', ')}]`;
  if (value instanceof Set) return `Set ${show([...value], inside)}`;
  if (value instanceof Map) return `Map ${show([...value], inside)}`;
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${key}: ${show(one, inside)}`);
  return `${nameOf(value)}{ ${fields.join(', ')} }`;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function nameOf(value: object): string {
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null;
  const name = prototype?.constructor?.name ?? '';
  return name === 'Object' || name === '' ? '' : `${name} `;
}
