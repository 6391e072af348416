// Own code: keys are also made in browsers, where node:crypto is missing and SubtleCrypto answers
// only by promise. MurmurHash3 (x86, 128 bits) after Austin Appleby's public-domain description.

const C = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93] as const;
const ADD = [0x561ccd1b, 0x0bcaa747, 0x96cd1c35, 0x32ac3b17] as const;
const TURN_K = [15, 16, 17, 18] as const;
const TURN_H = [19, 17, 15, 13] as const;

/**
 * A 128-bit hash of a request body as 32 hexadecimal digits. Text is hashed as its UTF-8 bytes,
 * which are what is sent. Not for security: collisions can be made.
 */
export function bodyHash(body: string | Uint8Array): string {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const h = new Int32Array(4);
  const whole = bytes.length - (bytes.length % 16);
  for (let at = 0; at < whole; at += 16) {
    for (let lane = 0; lane < 4; lane += 1) {
      mixIn(h, lane, view.getInt32(at + lane * 4, true));
      const turned = rotate(get(h, lane), get(TURN_H, lane)) + get(h, (lane + 1) % 4);
      h[lane] = Math.imul(turned, 5) + get(ADD, lane);
    }
  }
  for (let lane = 3; lane >= 0; lane -= 1) {
    let word = 0;
    for (let byte = 3; byte >= 0; byte -= 1) {
      word = (word << 8) | (bytes[whole + lane * 4 + byte] ?? 0);
    }
    mixIn(h, lane, word);
  }
  for (let lane = 0; lane < 4; lane += 1) h[lane] = get(h, lane) ^ bytes.length;
  addUp(h);
  for (let lane = 0; lane < 4; lane += 1) h[lane] = avalanche(get(h, lane));
  addUp(h);
  return Array.from(h, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function mixIn(h: Int32Array, lane: number, word: number): void {
  const scrambled = rotate(Math.imul(word, get(C, lane)), get(TURN_K, lane));
  h[lane] = get(h, lane) ^ Math.imul(scrambled, get(C, (lane + 1) % 4));
}

function addUp(h: Int32Array): void {
  h[0] = get(h, 0) + get(h, 1) + get(h, 2) + get(h, 3);
  for (let lane = 1; lane < 4; lane += 1) h[lane] = get(h, lane) + get(h, 0);
}

function avalanche(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

function get(words: ArrayLike<number>, index: number): number {
  return words[index] ?? 0;
}
