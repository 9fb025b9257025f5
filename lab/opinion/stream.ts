// Opinion's socket: levels of both tokens of a market, one frame each. Nothing is sent until something changes.
import type { Counters } from '../counters.ts'
import type { LabFeed, VenueCore } from '../restVenue.ts'
import { Topics } from '../topics.ts'
import type { LabReply } from '../venueServer.ts'
import type { OpinionListing, OpinionMarket } from './marketGenerator.ts'
import { priceText } from './rows.ts'

const depth = 'market.depth.diff'

export function opinionFeed(
  core: () => VenueCore,
  counters: Counters,
  listing: OpinionListing,
  auth: { isKey(key: string): boolean; refusal: LabReply },
): LabFeed {
  const byKey = new Map(listing.markets.map((market) => [market.key, market]))
  const topicOf = ({ id }: OpinionMarket): string => `${depth}:${id}`
  const topics = new Topics({
    counters,
    faults: () => core().faults(),
    formatters: {
      level(live, side, index) {
        const market = byKey.get(live.id)!
        const micros = live.book.grid.prices[index]!
        const size = String(live.book.at(side, index) / 100)
        const row = (outcomeSide: 1 | 2) => () =>
          JSON.stringify({
            marketId: market.id,
            tokenId: market.tokens[outcomeSide - 1],
            outcomeSide,
            side: (side === 0) === (outcomeSide === 1) ? 'bids' : 'asks',
            price: priceText(outcomeSide === 1 ? micros : 1_000_000 - micros),
            size,
            msgType: depth,
          })
        return [
          [topicOf(market), row(1)],
          [topicOf(market), row(2)],
        ]
      },
    },
  })
  return {
    listener: topics,
    isPath: (path) => path === '/',
    refuse(request) {
      const key = new URL(request.url ?? '/', 'http://lab').searchParams.get('apikey')
      return key !== null && auth.isKey(key) ? null : auth.refusal
    },
    open: (socket) => ({
      message(text) {
        const { action, channel, marketId } = parseRequest(text)
        const market = listing.byId.get(String(marketId))
        if (action === 'HEARTBEAT') return
        if (channel !== depth || market === undefined || !core().isKnown(market.key)) {
          socket.control(JSON.stringify({ code: 400, message: 'invalid subscription', action, channel, marketId }))
          return
        }
        if (action === 'SUBSCRIBE') topics.subscribe(socket, topicOf(market), String(market.id))
        if (action === 'UNSUBSCRIBE') topics.unsubscribe(socket, topicOf(market))
        socket.control(JSON.stringify({ code: 200, message: 'success', action, channel, marketId }))
      },
      closed: () => topics.leave(socket),
    }),
  }
}

function parseRequest(text: string): { action?: unknown; channel?: unknown; marketId?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
