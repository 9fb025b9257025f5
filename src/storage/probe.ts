// Whether a part that this process depends on is there now: the part itself is asked, independently of all other requests to it.
export interface Probe {
  /** As /ready names it. */
  part: string
  /** Rejects when the part does not answer as it should, at the latest soon after `signal` ends. */
  ask(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Of a store or a bus, which has a version. */
export interface StoreProbe extends Probe {
  /** As it names it; null where it does not say. */
  version(): Promise<string | null>
}
