// What every data function of a venue receives, and the form in which it receives a contract's event.

import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { HttpClient } from '#net/http'
import type { VenueSlug } from '#schemas/venues'

/** Passed to every data function. `urls` and `credentials` are the operator's, from config: never a caller's. */
export interface VenueContext {
  /** Named in faults: the slug the reads serve. */
  venue: VenueSlug
  http: HttpClient
  clock: Clock
  log: Log
  /** Base URLs by the names the manifest declares in `urls`. */
  urls: Readonly<Record<string, string>>
  /** Operator credentials by the names the manifest declares, when configured. */
  credentials: Readonly<Record<string, string>> | null
  signal: AbortSignal
  /** Called with the number of unreadable rows in a list, for callers that report it. */
  leftOut?(rows: number): void
  /** Called for every field of a row that has an unexpected form and counts as unknown. A function of its own, without `this`. */
  lostField?: (field: string) => void
}

/** A decoded event of a contract. */
export interface ChainEvent {
  name: string
  /** As viem decodes them: integers are bigints. */
  args: Readonly<Record<string, unknown>>
}
