/** How much one of several parts of a kind has had to do: a fetcher, a rule with its handler, or a sink. */
export interface ModuleCounts {
  readonly id: string;
  /** How often it was chosen. */
  readonly called: number;
  /** How often it began what it was chosen for. */
  readonly accepted: number;
  /** How often it ended well. */
  readonly completed: number;
  readonly inFlight: number;
  /** Further figures of the part. */
  readonly extra?: Readonly<Record<string, number>> | undefined;
}

/** Something that is made of parts and counts what they do. */
export interface Counted {
  /** A copy of the figures at the moment, in the order in which the parts were given. */
  counts(): readonly ModuleCounts[];
}

/** The figures of a value that is {@link Counted}; none of any other. */
export function countsOf(value: unknown): readonly ModuleCounts[] {
  const { counts } = (value ?? {}) as Partial<Counted>;
  return typeof counts === 'function' ? (value as Counted).counts() : [];
}
