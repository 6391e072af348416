import { isSpace, isWord, latin1 } from './ascii-bytes.js';

const GREATER = 0x3e;
const SLASH = 0x2f;
const EQUALS = 0x3d;

/** The attributes that declare an encoding. */
const NAMES = ['charset', 'content', 'http-equiv'] as const;
export type AttributeName = (typeof NAMES)[number];

/** "Get an attribute" of the prescan; values are turned into strings only when asked for. */
export class AttributeReader {
  position = 0;
  /** The attribute's name if it is one of a `meta` that matters. */
  name: AttributeName | undefined;
  /** The end was reached inside the tag. */
  cut = false;
  private readonly bytes: Uint8Array;
  private readonly end: number;
  private valueStart = 0;
  private valueEnd = 0;

  constructor(bytes: Uint8Array, end: number) {
    this.bytes = bytes;
    this.end = end;
  }

  /**
   * Moves to the next attribute; false at the end of the tag, and `position` is then there.
   */
  next(): boolean {
    const { bytes, end } = this;
    let at = this.position;
    while (at < end && (isSpace(bytes[at] ?? 0) || bytes[at] === SLASH)) at++;
    this.position = at;
    if (at >= end) return this.stop();
    if (bytes[at] === GREATER) return false;

    const nameStart = at;
    at++;
    while (at < end && !endsName(bytes[at] ?? 0)) at++;
    this.name = attributeName(bytes, nameStart, at);
    while (at < end && isSpace(bytes[at] ?? 0)) at++;
    this.valueStart = this.valueEnd = 0;
    if (at < end && bytes[at] === EQUALS) {
      at++;
      while (at < end && isSpace(bytes[at] ?? 0)) at++;
      const quote = bytes[at];
      if (quote === 0x22 || quote === 0x27) {
        const close = bytes.indexOf(quote, at + 1);
        if (close === -1 || close >= end) return this.stop();
        this.valueStart = at + 1;
        this.valueEnd = close;
        at = close + 1;
      } else {
        this.valueStart = at;
        while (at < end && bytes[at] !== GREATER && !isSpace(bytes[at] ?? 0)) at++;
        this.valueEnd = at;
      }
    }
    if (at >= end) return this.stop();
    this.position = at;
    return true;
  }

  value(): string {
    return latin1(this.bytes, this.valueStart, this.valueEnd);
  }

  private stop(): false {
    this.position = this.end;
    this.cut = true;
    return false;
  }
}

function attributeName(bytes: Uint8Array, start: number, end: number): AttributeName | undefined {
  for (const name of NAMES) {
    if (isWord(bytes, start, end, name)) return name;
  }
  return undefined;
}

/** Whether a byte ends the name of a tag or attribute. */
export function endsName(byte: number): boolean {
  return byte === EQUALS || byte === GREATER || byte === SLASH || isSpace(byte);
}
