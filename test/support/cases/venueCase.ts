// What the suites need for a venue: the true state in its lab, and what a full list shows of it.
import type { LabStatus } from '#lab/engine/market'
import type { Lab, LabVenueName } from '#lab/lab'
import type { MarketStatus } from '#schemas/market'
import type { ExecutionAdapter, StatusLane } from '#venues/lane'
import type { LaneVenue } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import type { LaneCase, Secrets } from './laneCase.ts'

export interface LabMarket {
  status: LabStatus
  /** No market of its event is open any more. */
  isEventOver: boolean
}

/** A venue whose manifest has an adapter has its case too; one whose executions are only read has its credentials. */
export type VenueCase<M extends VenueManifest = VenueManifest> = DataCase &
  (M extends { slug: infer V extends LaneVenue; exec: ExecutionAdapter } ? { lane: LaneCase<V> } : unknown) &
  (M extends { status: StatusLane } ? { status: { secrets: readonly Secrets[] } } : unknown)

export interface DataCase {
  manifest: VenueManifest
  lab: LabVenueName
  /** Every market of the lab, by its id here. */
  markets(lab: Lab): Map<string, LabMarket>
  /** Status of a market in a full list; null if lists omit it. */
  walked(market: LabMarket): MarketStatus | null
  /** False if rows of its lists have no quotes. */
  hasQuotes?: false
  /** False if the venue does not report the winning side of a resolved market. */
  reportsWinner?: false
  /** Well-formed and unknown. */
  unknown: { marketId: string; outcomeId: string }
}

export const statusWords = { open: 'active', closed: 'closed', resolved: 'resolved' } as const
export const everything = ({ status }: LabMarket): MarketStatus => statusWords[status]
/** Ended events are the majority, and no longer change. */
export const eventsNotOver = ({ status, isEventOver }: LabMarket): MarketStatus | null =>
  isEventOver ? null : statusWords[status]

interface Row {
  key: string
}

export const marketsOf = <Market extends Row>(
  engine: { statusOf(key: string): LabStatus },
  rows: readonly Market[],
  idOf: (row: Market) => string,
  siblingsOf: (row: Market) => readonly Row[] = (row) => [row],
): Map<string, LabMarket> =>
  new Map(
    rows.map((row) => {
      const isEventOver = siblingsOf(row).every(({ key }) => engine.statusOf(key) !== 'open')
      return [idOf(row), { status: engine.statusOf(row.key), isEventOver }]
    }),
  )
