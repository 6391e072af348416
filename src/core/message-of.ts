/** What was thrown, as text for a message. */
export function messageOf(cause: unknown): string {
  try {
    return cause instanceof Error ? cause.message : String(cause);
  } catch {
    return 'a value without text';
  }
}
