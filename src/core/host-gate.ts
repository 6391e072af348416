/** A place at a host that was reserved for one request before it was handed to a worker. */
export interface HostPass {
  /** Politeness key of the host. */
  readonly host: string;
}
