// Every built venue as the suites of the data half want it: its lab's truth, and what of it a walk tells. A venue left out does not compile.
import type { LabStatus } from '#lab/engine/market'
import type { Lab, LabVenueName } from '#lab/lab'
import type { MarketStatus } from '#schemas/market'
import type { BuiltVenue } from '#schemas/venues'
import { registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'

export interface LabMarket {
  status: LabStatus
  /** No market of its event is open any more. */
  isEventOver: boolean
}

export interface VenueCase {
  manifest: VenueManifest
  lab: LabVenueName
  /** Every market of the lab, by the id we give it. */
  markets(lab: Lab): Map<string, LabMarket>
  /** What a whole walk tells of a market; null where it is left to other reads. */
  walked(market: LabMarket): MarketStatus | null
  /** Well formed, and nobody's. */
  unknown: { marketId: string; outcomeId: string }
}

const words = { open: 'active', closed: 'closed', resolved: 'resolved' } as const
const everything = ({ status }: LabMarket): MarketStatus => words[status]
/** Events that are over outnumber the others, and change no more. */
const eventsNotOver = ({ status, isEventOver }: LabMarket): MarketStatus | null => (isEventOver ? null : words[status])

interface Row {
  key: string
}

const marketsOf = <Market extends Row>(
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

export const venueCases: Record<BuiltVenue, VenueCase> = {
  polymarket: {
    manifest: registry.polymarket,
    lab: 'polymarket',
    markets: ({ polymarket: { engine, listing } }) =>
      marketsOf(
        engine,
        listing.markets,
        ({ id }) => id,
        ({ event }) => event.markets,
      ),
    walked: eventsNotOver,
    unknown: { marketId: '999999999', outcomeId: '1'.repeat(77) },
  },
  kalshi: {
    manifest: registry.kalshi,
    lab: 'kalshi',
    markets: ({ kalshi: { engine, listing } }) => marketsOf(engine, listing.markets, ({ ticker }) => ticker),
    // Settled markets are millions and change no more.
    walked: ({ status }) => (status === 'resolved' ? null : words[status]),
    unknown: { marketId: 'KXNOSUCH-99JAN01-T1', outcomeId: 'KXNOSUCH-99JAN01-T1' },
  },
  gemini: {
    manifest: registry.gemini,
    lab: 'gemini',
    markets: ({ gemini: { engine, listing } }) => marketsOf(engine, listing.contracts, ({ symbol }) => symbol),
    walked: everything,
    unknown: { marketId: 'GEMI-NOSUCH261231-AAA', outcomeId: 'GEMI-NOSUCH261231-AAA' },
  },
  polymarket_us: {
    manifest: registry.polymarket_us,
    lab: 'polymarket_us',
    markets: ({ polymarket_us: { engine, listing } }) =>
      marketsOf(
        engine,
        listing.markets,
        ({ slug }) => slug,
        ({ event }) => event.markets,
      ),
    walked: eventsNotOver,
    unknown: { marketId: 'no-such-market', outcomeId: 'no-such-market:long' },
  },
  hyperliquid: {
    manifest: registry.hyperliquid,
    lab: 'hyperliquid',
    markets: ({ hyperliquid: { engine, listing } }) =>
      marketsOf(engine, listing.outcomes, ({ outcome }) => String(outcome)),
    // The venue knows no state between open and settled.
    walked: ({ status }) => (status === 'resolved' ? 'resolved' : 'active'),
    unknown: { marketId: '9999998', outcomeId: '#99999980' },
  },
}
