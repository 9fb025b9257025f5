// Whether a dependency of this process is available now: it is queried directly, independently of all other requests to it.
export interface Probe {
  /** As named in /ready. */
  part: string
  /** Rejects when the dependency does not answer properly, at the latest soon after `signal` ends. */
  check(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Of a store or a bus, which has a version. */
export interface StoreProbe extends Probe {
  /** In its own format; null if it does not report one. */
  version(): Promise<string | null>
}
