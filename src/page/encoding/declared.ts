import { encodingFromLabel } from './encoding-label.js';

/** What a search for a declaration gives: the encoding, and the first label that is none. */
export interface Declared {
  readonly encoding: string | undefined;
  readonly unknownLabel?: string;
}

/** Remembers the first label that is none. */
export interface Unknown {
  unknownLabel?: string;
}

/** The encoding of a label in a declaration that was read as ASCII. */
export function readable(label: string, unknown: Unknown): string | undefined {
  const encoding = encodingFromLabel(label);
  if (encoding === undefined) unknown.unknownLabel ??= label;
  if (encoding === 'UTF-16LE' || encoding === 'UTF-16BE') return 'UTF-8';
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding;
}
