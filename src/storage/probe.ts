// Is a part that this process stands on there, now? Asked of the part itself, beside whatever else it is asked.
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
