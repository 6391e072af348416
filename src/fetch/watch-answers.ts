import type { Socket } from 'node:net';

// Sees what comes on a connection before undici does, for two things that it gets wrong:
//
// - It destroys a connection on which `100 Continue` comes, because it never asks for it. But a
//   client has to take interim answers that it does not expect (RFC 9110 §15.2), and undici passes
//   over other ones well: so it is shown `102` where the server has sent `100`. That takes a look at
//   12 bytes an answer; nothing is held back, and limits count as ever.
// - It bounds neither blank lines before a head nor chunk sizes and their extensions: so whoever
//   waits for the answer is told how much comes.

const [ZERO, ONE, TWO] = [0x30, 0x31, 0x32];
/** Places in `HTTP/1.1 100`. */
const [HUNDREDS, TENS, UNITS] = [9, 10, 11];
const END_OF_HEAD = [0x0d, 0x0a, 0x0d, 0x0a];

/** Who waits for the answer on a connection. */
export interface AnswerReader {
  /** So many bytes have come, which undici has not read yet; `false` if it shall not. */
  onRead(bytes: number): boolean;
}

/**
 * Watches the answers on an HTTP/1.1 connection, see the head of this file.
 *
 * @param sending - whose request is being written, asked at each write
 */
export function watchAnswers(socket: Socket, sending: () => AnswerReader | undefined): void {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean;
  let answer: AnswerStart | undefined;
  let reader: AnswerReader | undefined;
  // One request at a time: what comes after it is written is the beginning of its answer.
  socket.write = (...written: unknown[]) => {
    answer ??= new AnswerStart();
    reader = sending() ?? reader;
    return write(...written);
  };
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (!(chunk instanceof Uint8Array)) return chunk;
    if (answer?.renumber(chunk) === true) answer = undefined;
    return reader?.onRead(chunk.length) === false ? null : chunk;
  };
}

/** Follows an answer up to the status of its final head, wherever it is cut into parts. */
class AnswerStart {
  /** Place in the status line, up to its status. */
  #at = 0;
  #hundreds = 0;
  #tens = 0;
  /** Within an interim head: how much of its end has come; else -1. */
  #ended = -1;

  /** Turns `100` into `102`. `true` once the final status has come, or what is no status line. */
  renumber(bytes: Uint8Array): boolean {
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = bytes[i];
      if (this.#ended >= 0) {
        this.#ended = byte === END_OF_HEAD[this.#ended] ? this.#ended + 1 : Number(byte === 0x0d);
        if (this.#ended === END_OF_HEAD.length) {
          this.#ended = -1;
          this.#at = 0;
        }
        continue;
      }
      if (this.#at === HUNDREDS) this.#hundreds = byte ?? 0;
      else if (this.#at === TENS) this.#tens = byte ?? 0;
      else if (this.#at === UNITS) {
        if (this.#hundreds !== ONE) return true;
        if (this.#tens === ZERO && byte === ZERO) bytes[i] = TWO;
        this.#ended = 0;
      }
      this.#at += 1;
    }
    return false;
  }
}
