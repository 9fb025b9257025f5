// Polymarket_us's market data socket: subscriptions by the client's own request ids, and the whole book after every change.
import type { Counters } from '../counters.ts'
import type { EngineMarket } from '../engine/market.ts'
import type { LabFeed, VenueCore } from '../restVenue.ts'
import type { LabSocket } from '../socket.ts'
import { type LazyMessage, Topics } from '../topics.ts'
import type { UsAuth } from './auth.ts'
import type { UsListing, UsMarket } from './marketGenerator.ts'
import { bookRow } from './rows.ts'

const path = '/v1/ws/markets'
const subscriptionType = 'SUBSCRIPTION_TYPE_MARKET_DATA'
const slugsMax = 100

interface StreamRequest {
  subscribe?: { requestId?: unknown; subscriptionType?: unknown; marketSlugs?: unknown }
  unsubscribe?: { requestId?: unknown }
}

export function polymarketUsFeed(core: () => VenueCore, counters: Counters, listing: UsListing, auth: UsAuth): LabFeed {
  const byKey = new Map(listing.markets.map((market) => [market.key, market]))
  /** Each socket's request ids per market: frames carry them. */
  const requests = new Map<string, Map<string, number>>()
  const topicOf = (slug: string, requestId: string): string => `${slug} ${requestId}`
  const frame = (market: EngineMarket, requestId: string): string => {
    const truth = core().faults().staleTruth(market.id, 'ws') ?? market.truth()
    return JSON.stringify({ requestId, subscriptionType, marketData: bookRow(byKey.get(market.id)!, market, truth) })
  }
  const words = {
    book(market: EngineMarket): LazyMessage[] {
      const { slug } = byKey.get(market.id)!
      return [...(requests.get(slug)?.keys() ?? [])].map((id) => [topicOf(slug, id), () => frame(market, id)])
    },
  }
  const topics = new Topics({ formatters: words, faults: () => core().faults(), counters })

  function count(slug: string, requestId: string, by: 1 | -1): void {
    const counts = requests.get(slug) ?? new Map<string, number>()
    const left = (counts.get(requestId) ?? 0) + by
    if (left === 0) counts.delete(requestId)
    else counts.set(requestId, left)
    if (counts.size === 0) requests.delete(slug)
    else requests.set(slug, counts)
  }

  function refusalOf(id: string, slugs: string[], markets: (UsMarket | undefined)[], mine: Map<string, string[]>) {
    if (slugs.length === 0 || slugs.length > slugsMax) return 'from 1 to 100 market slugs'
    const unknown = slugs.find((_, i) => markets[i] === undefined || !core().isKnown(markets[i].key))
    if (unknown !== undefined) return `market ${unknown} not found`
    return mine.has(id) ? 'request id is taken' : null
  }

  function subscribe(
    socket: LabSocket,
    mine: Map<string, string[]>,
    { requestId, marketSlugs }: StreamRequest['subscribe'] & object,
  ): void {
    const id = String(requestId)
    const slugs = Array.isArray(marketSlugs) ? marketSlugs.filter((slug) => typeof slug === 'string') : []
    const markets = slugs.map((slug) => listing.bySlug.get(slug))
    const refusal = refusalOf(id, slugs, markets, mine)
    if (refusal !== null) {
      socket.control(JSON.stringify({ requestId: id, error: refusal }))
      return
    }
    mine.set(id, slugs)
    for (const [i, slug] of slugs.entries()) {
      topics.subscribe(socket, topicOf(slug, id), slug)
      count(slug, id, 1)
      const { key } = markets[i]!
      if (!core().faults().withholdsBooks(key)) socket.data(frame(core().engine.market(key)!, id))
    }
  }

  function leave(socket: LabSocket, mine: Map<string, string[]>, id: string): void {
    for (const slug of mine.get(id) ?? []) {
      topics.unsubscribe(socket, topicOf(slug, id))
      count(slug, id, -1)
    }
    mine.delete(id)
  }

  return {
    listener: topics,
    isPath: (requestPath) => requestPath === path,
    refuse: ({ headers }) => auth.refuse(headers, 'GET', path),
    open(socket) {
      const mine = new Map<string, string[]>()
      return {
        message(text) {
          const { subscribe: wanted, unsubscribe: left } = JSON.parse(text) as StreamRequest
          if (wanted !== undefined) subscribe(socket, mine, wanted)
          else if (left !== undefined) leave(socket, mine, String(left.requestId))
        },
        closed() {
          for (const id of [...mine.keys()]) leave(socket, mine, id)
          topics.leave(socket)
        },
      }
    },
  }
}
