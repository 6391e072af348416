/** A file that was written. */
export interface SavedFile {
  /** The URL that answered. */
  readonly url: string;
  /** Absolute path. */
  readonly path: string;
  /** Size, bytes. */
  readonly bytes: number;
  /** `Content-Type` as the server named it. */
  readonly contentType: string | undefined;
  /** SHA-256 of the content, hexadecimal. */
  readonly sha256: string;
}
