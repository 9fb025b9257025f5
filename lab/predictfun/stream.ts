// Predictfun's socket: whole books by topic, a heartbeat that has to be answered, replies by request. Nothing is sent until something changes.
import type { Clock } from '#core/clock'
import type { Counters } from '../counters.ts'
import type { LabFeed, VenueCore } from '../restVenue.ts'
import { Topics } from '../topics.ts'
import type { LabReply } from '../venueServer.ts'
import type { PredictListing } from './marketGenerator.ts'
import { bookRow } from './rows.ts'

const heartbeatMs = 15_000
const bookTopic = (id: number | string): string => `predictOrderbook/${id}`

interface StreamRequest {
  method?: unknown
  requestId?: unknown
  params?: unknown
  data?: unknown
}

export function predictFeed(
  core: () => VenueCore,
  counters: Counters,
  listing: PredictListing,
  { clock, isKey, refusal }: { clock: Clock; isKey(key: unknown): boolean; refusal: LabReply },
): LabFeed {
  const byKey = new Map(listing.markets.map((market) => [market.key, market]))
  const push = (topic: string, data: unknown) => JSON.stringify({ type: 'M', topic, data })
  const topics = new Topics({
    counters,
    faults: () => core().faults(),
    formatters: {
      book(live) {
        const market = byKey.get(live.id)!
        const topic = bookTopic(market.id)
        const more = { orderCount: live.book.count(0) + live.book.count(1), settlementsPending: { asks: [], bids: [] } }
        return [[topic, () => push(topic, { ...bookRow(market, live.truth()), ...more, version: 1 })]]
      },
    },
  })
  return {
    listener: topics,
    isPath: (path) => path === '/ws',
    refuse(request) {
      const key = new URL(request.url ?? '/', 'http://lab').searchParams.get('apiKey') ?? request.headers['x-api-key']
      return isKey(key) ? null : refusal
    },
    open(socket) {
      let unanswered: number | null = null
      const heartbeats = clock.every(heartbeatMs, () => {
        if (unanswered !== null) return socket.terminate()
        unanswered = clock.now()
        socket.control(push('heartbeat', unanswered))
      })
      return {
        message(text) {
          const { method, requestId, params, data } = parseRequest(text)
          if (method === 'heartbeat') {
            if (data === unanswered) unanswered = null
            return
          }
          // Only the first topic is read.
          const [topic] = Array.isArray(params) ? (params as unknown[]) : []
          const market = listing.byId.get(String(topic).replace('predictOrderbook/', ''))
          const isKnown = market !== undefined && topic === bookTopic(market.id) && core().isKnown(market.key)
          if (isKnown && method === 'subscribe') topics.subscribe(socket, topic, String(market.id))
          if (isKnown && method === 'unsubscribe') topics.unsubscribe(socket, topic)
          const error = { code: 'invalid_topic', message: `unknown topic ${String(topic).slice(0, 60)}` }
          socket.control(JSON.stringify({ type: 'R', requestId, success: isKnown, ...(isKnown ? {} : { error }) }))
        },
        closed() {
          heartbeats.cancel()
          topics.leave(socket)
        },
      }
    },
  }
}

function parseRequest(text: string): StreamRequest {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
