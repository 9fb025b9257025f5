// Sxbet's socket: whole books by market, all bets of the venue on one channel. Nothing is sent until something changes.
import type { Clock } from '#core/clock'
import { type CentrifugoError, centrifugoPublication, centrifugoServer, unknownChannel } from '../centrifugo.ts'
import type { Counters } from '../counters.ts'
import type { LabFeed, VenueCore } from '../restVenue.ts'
import { Topics } from '../topics.ts'
import type { SxbetListing, SxbetMarket } from './marketGenerator.ts'
import { bookRow, tradeRow } from './rows.ts'

/** How often each market's book has changed. */
export class Versions {
  private readonly counts = new Map<string, number>()

  raise(key: string): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
  }

  /** Fixed-width digits. */
  of(key: string): string {
    return String(this.counts.get(key) ?? 0).padStart(23, '0')
  }
}

const bookPrefix = 'orderbook_v3:'
const trades = 'recent_trades_v3:global'
const channelsMax = 512
const invalidToken: CentrifugoError = { code: 101, message: 'unauthorized' }

export function sxbetFeed(
  core: () => VenueCore,
  {
    clock,
    counters,
    listing,
    versions,
    isToken,
  }: {
    clock: Clock
    counters: Counters
    listing: SxbetListing
    versions: Versions
    isToken(token: string): boolean
  },
): LabFeed {
  const byKey = new Map(listing.markets.map((market) => [market.key, market]))
  const bookPayload = ({ key, marketHash, event }: SxbetMarket) => ({
    ...bookRow(marketHash, core().engine.market(key)!.truth(), versions.of(key)),
    eventId: event.sportXeventId,
  })
  const topics = new Topics({
    counters,
    faults: () => core().faults(),
    formatters: {
      book(live) {
        versions.raise(live.id)
        const market = byKey.get(live.id)!
        const channel = bookPrefix + market.marketHash
        return [[channel, () => centrifugoPublication(channel, bookPayload(market))]]
      },
      trade: (live, trade) => [
        [trades, () => centrifugoPublication(trades, { trade: tradeRow(byKey.get(live.id)!, trade) })],
      ],
    },
  })
  const open = centrifugoServer({
    clock,
    channelsMax,
    refuse: (token) => (token !== undefined && isToken(token) ? null : invalidToken),
    open: (socket) => ({
      subscribe(channel) {
        if (channel === trades) {
          topics.subscribe(socket, trades, null)
          return null
        }
        const hash = channel.startsWith(bookPrefix) ? channel.slice(bookPrefix.length) : ''
        const market = listing.byHash.get(hash)
        if (market === undefined || !core().isKnown(market.key)) return unknownChannel
        topics.subscribe(socket, channel, hash)
        return null
      },
      unsubscribe: (channel) => void topics.unsubscribe(socket, channel),
      closed: () => topics.leave(socket),
    }),
  })
  return { listener: topics, isPath: (path) => path === '/connection/websocket', open }
}
