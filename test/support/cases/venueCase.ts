// What the suites want to know of a venue: what its lab knows to be true, and what of it a walk tells.
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

/** A venue whose manifest names a lane has that of it too; of one whose executions are looked at alone, who may look. */
export type VenueCase<M extends VenueManifest = VenueManifest> = DataCase &
  (M extends { slug: infer V extends LaneVenue; exec: ExecutionAdapter } ? { lane: LaneCase<V> } : unknown) &
  (M extends { status: StatusLane } ? { status: { secrets: readonly Secrets[] } } : unknown)

export interface DataCase {
  manifest: VenueManifest
  lab: LabVenueName
  /** Every market of the lab, by the id we give it. */
  markets(lab: Lab): Map<string, LabMarket>
  /** What a whole walk tells of a market; null where it is left to other reads. */
  walked(market: LabMarket): MarketStatus | null
  /** False where rows of its lists carry no prices of what trades. */
  hasQuotes?: false
  /** False where the venue does not say which side a resolved market paid. */
  tellsWinner?: false
  /** Well formed, and nobody's. */
  unknown: { marketId: string; outcomeId: string }
}

export const statusWords = { open: 'active', closed: 'closed', resolved: 'resolved' } as const
export const everything = ({ status }: LabMarket): MarketStatus => statusWords[status]
/** Events that are over outnumber the others, and change no more. */
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
