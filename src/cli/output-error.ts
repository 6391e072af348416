import { messageOf } from '../core/message-of.js';

/** Output cannot be written. The command ends with exit code 3. */
export class OutputError extends Error {
  override readonly name = 'OutputError';

  constructor(where: string, cause: unknown) {
    super(`cannot write ${where}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** Whether an error says that whoever reads the output has gone. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
