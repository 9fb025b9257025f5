// Myriad's socket: levels of both outcomes of an order book, one channel per market. Nothing is sent until something changes, and nothing about
// pools.
import type { Clock } from '#core/clock'
import { centrifugoPublication, centrifugoServer, unknownChannel } from '../centrifugo.ts'
import type { Counters } from '../counters.ts'
import type { LabFeed, VenueCore } from '../restVenue.ts'
import { Topics } from '../topics.ts'
import { type MyriadListing, type MyriadMarket, nameOf } from './marketGenerator.ts'
import { priceWei, wei } from './rows.ts'

const micro = 1_000_000

export function myriadFeed(core: () => VenueCore, counters: Counters, listing: MyriadListing, clock: Clock): LabFeed {
  const books = listing.markets.filter(({ model }) => model === 'ob')
  const channelOf = ({ networkId, id }: MyriadMarket): string => `orderbook:${networkId}:${id}`
  const byKey = new Map(books.map((market) => [market.key, market]))
  const byChannel = new Map(books.map((market) => [channelOf(market), market]))
  const topics = new Topics({
    counters,
    faults: () => core().faults(),
    formatters: {
      level(live, side, index) {
        const market = byKey.get(live.id)
        if (market === undefined) return []
        const price = live.book.grid.prices[index]!
        const amount = wei(live.book.at(side, index))
        const isBid = side === 0
        const payload = () => ({
          networkId: market.networkId,
          marketId: market.id,
          ts: clock.now(),
          changes: [
            { outcome: 0, side: isBid ? 'bid' : 'ask', price: priceWei(price), amount },
            { outcome: 1, side: isBid ? 'ask' : 'bid', price: priceWei(micro - price), amount },
          ],
        })
        const channel = channelOf(market)
        return [[channel, () => centrifugoPublication(channel, payload())]]
      },
    },
  })
  const open = centrifugoServer({
    clock,
    open: (socket) => ({
      subscribe(channel) {
        const market = byChannel.get(channel)
        if (market === undefined || !core().isKnown(market.key)) return unknownChannel
        topics.subscribe(socket, channel, nameOf(market))
        return null
      },
      unsubscribe: (channel) => void topics.unsubscribe(socket, channel),
      closed: () => topics.leave(socket),
    }),
  })
  return { listener: topics, isPath: (path) => path === '/ws', open }
}
