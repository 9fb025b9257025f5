// Xo's socket: whole books of tokens, the first sent immediately on subscribing. There is no unsubscribe.
import type { Counters } from '../counters.ts'
import type { EngineMarket } from '../engine/market.ts'
import type { LabFeed, VenueCore } from '../restVenue.ts'
import { Topics } from '../topics.ts'
import type { XoListing, XoMarket } from './marketGenerator.ts'
import { bookRow, sidesOf } from './rows.ts'

export function xoFeed(core: () => VenueCore, counters: Counters, listing: XoListing): LabFeed {
  const byKey = new Map(listing.markets.map((market) => [market.key, market]))
  const bookText = (market: XoMarket, token: string, truth: ReturnType<EngineMarket['truth']>): string =>
    JSON.stringify({ event_type: 'book', asset_id: token, ...bookRow(sidesOf(market, token, truth)) })
  const topics = new Topics({
    counters,
    faults: () => core().faults(),
    formatters: {
      book(live) {
        const market = byKey.get(live.id)!
        return market.tokens.map((token) => [token, () => bookText(market, token, live.truth())] as const)
      },
    },
  })
  return {
    listener: topics,
    isPath: (path) => path === '/ws/market',
    open: (socket) => ({
      message(text) {
        const { tokens, isDumped } = parseSubscription(text)
        for (const token of tokens) {
          const market = listing.byToken.get(token)
          if (market === undefined || !core().isKnown(market.key)) continue
          topics.subscribe(socket, token, `${market.id}.${token}`)
          const { faults, engine } = core()
          const truth = faults().staleTruth(market.key, 'ws') ?? engine.market(market.key)!.truth()
          if (isDumped && !faults().withholdsBooks(market.key)) socket.data(bookText(market, token, truth))
        }
      },
      closed: () => topics.leave(socket),
    }),
  }
}

function parseSubscription(text: string): { tokens: string[]; isDumped: boolean } {
  try {
    const request = JSON.parse(text) as { type?: unknown; assets_ids?: unknown; initial_dump?: unknown } | null
    const isSubscription = request?.type === 'market' && Array.isArray(request.assets_ids)
    return {
      tokens: isSubscription ? (request.assets_ids as unknown[]).map(String) : [],
      isDumped: request?.initial_dump === true,
    }
  } catch {
    return { tokens: [], isDumped: false }
  }
}
