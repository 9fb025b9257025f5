// Limitless' Socket.IO: whole books of CLOB markets, prices of pools, and resolutions. A new subscription replaces the previous one; nothing is
// sent until something changes.
import type { Clock } from '#core/clock'
import type { Counters } from '../counters.ts'
import type { EngineMarket } from '../engine/market.ts'
import type { LabFeed, VenueCore } from '../restVenue.ts'
import type { LabSocket } from '../socket.ts'
import { isSocketIoPath, socketIoEvent, socketIoServer } from '../socketIo.ts'
import { type LazyMessage, Topics } from '../topics.ts'
import type { LimitlessListing, LimitlessMarket } from './marketGenerator.ts'
import { bookRow, spotMicros } from './rows.ts'

const namespace = '/markets'
const lifecycle = 'lifecycle'
/** Of the chain the pools live on. */
const blockMs = 2_000

export function limitlessFeed(
  core: () => VenueCore,
  counters: Counters,
  listing: LimitlessListing,
  clock: Clock,
): LabFeed {
  const byKey = new Map(listing.markets.map((market) => [market.key, market]))
  const topics = new Topics({
    counters,
    faults: () => core().faults(),
    formatters: { book: (live) => bookSayings(byKey.get(live.id)!, live) },
  })
  const now = () => new Date(clock.now()).toISOString()
  /** One count for all markets, which a reconnect does not begin again. */
  let version = 0

  function bookSayings(market: LimitlessMarket, live: EngineMarket): LazyMessage[] {
    if (market.pool === null) {
      const bookPayload = () => ({
        marketSlug: market.slug,
        orderbook: bookOf(market, live),
        version: ++version,
        timestamp: now(),
      })
      return [[market.slug, () => socketIoEvent(namespace, 'orderbookUpdate', bookPayload())]]
    }
    const address = market.pool
    const pricePayload = () => {
      const yesPrice = spotMicros(live) / 1_000_000
      const updatedPrices = [
        { marketId: market.id, marketAddress: address, yesPrice, noPrice: Math.round((1 - yesPrice) * 1e6) / 1e6 },
      ]
      return { marketAddress: address, updatedPrices, blockNumber: Math.floor(clock.now() / blockMs), timestamp: now() }
    }
    return [[address, () => socketIoEvent(namespace, 'newPriceData', pricePayload())]]
  }

  function want(socket: LabSocket, names: readonly string[]): void {
    const wanted = new Set(names.filter((name) => listing.byName.has(name)))
    for (const topic of topics.topicsOf(socket))
      if (topic !== lifecycle && !wanted.has(topic)) topics.unsubscribe(socket, topic)
    for (const name of wanted) topics.subscribe(socket, name, name)
  }

  return {
    listener: topics,
    isPath: isSocketIoPath,
    open: socketIoServer({
      clock,
      namespace,
      open: (socket) => ({
        event(name, [payload]) {
          if (name === 'subscribe_market_prices') want(socket, namesIn(payload))
          else if (name === 'subscribe_market_lifecycle') topics.subscribe(socket, lifecycle, null)
          else if (name === 'unsubscribe_market_lifecycle') topics.unsubscribe(socket, lifecycle)
          else socket.control(socketIoEvent(namespace, 'exception', { status: 'error', message: `no channel ${name}` }))
        },
        closed: () => topics.leave(socket),
      }),
    }),
    resolved(live) {
      const market = byKey.get(live.id)!
      const isYes = live.result === 'yes'
      const resolution = {
        slug: market.slug,
        type: market.pool === null ? 'CLOB' : 'AMM',
        winningOutcome: isYes ? 'YES' : 'NO',
        winningIndex: isYes ? 0 : 1,
        resolutionDate: now(),
      }
      topics.announce(live, [[lifecycle, () => socketIoEvent(namespace, 'marketResolved', resolution)]])
    },
  }
}

/** Without the extra fields of REST. */
function bookOf(market: LimitlessMarket, live: EngineMarket) {
  const { lastTradePrice: _last, midpoint: _mid, ...book } = bookRow(market, live.truth(), null)
  return book
}

const namesIn = (payload: unknown): string[] => {
  const { marketSlugs, marketAddresses } = (payload ?? {}) as Record<string, unknown>
  return [marketSlugs, marketAddresses].flatMap((list) => (Array.isArray(list) ? list.map(String) : []))
}
