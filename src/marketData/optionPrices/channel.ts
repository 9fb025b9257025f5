// The stream's `price` channel: the known prices of a market on subscribing, then every change. Its shape is the stream's ChannelProvider.
import type { Clock } from '#core/clock'
import type { NamedOp } from '#schemas/stream'
import { priceFrame } from './frames.ts'
import type { FindPool, FoundPool, PriceRefusal } from './prices.ts'

/** The part of the stream's peer that is needed here. */
export interface PricePeer {
  /** Sends now or drops and counts. */
  offer(topic: string, frame: Buffer): unknown
}

export interface PriceChannel {
  check(op: NamedOp): PriceRefusal | Promise<PriceRefusal | null>
  acknowledges(op: NamedOp): { catalogMarketId?: string | null; nativeId?: string }
  started(peer: PricePeer, topic: string, op: NamedOp): void
  stopped(peer: PricePeer, topic: string): void
}

export function priceChannel(find: FindPool, clock: Clock): PriceChannel {
  const ends = new WeakMap<PricePeer, Map<string, () => void>>()
  /** What was found for an operation, between its check and its start. */
  const found = new WeakMap<NamedOp, FoundPool>()

  return {
    check(op) {
      if (op.op !== 'subscribePrice') return { code: 'BAD_MESSAGE', message: 'not an operation on option prices' }
      const answer = find(op)
      if (!(answer instanceof Promise)) return answer
      return answer.then((known) => {
        if ('code' in known) return known
        found.set(op, known)
        return null
      })
    },
    acknowledges(op) {
      const known = found.get(op)
      return known === undefined ? {} : { catalogMarketId: known.catalogMarketId, nativeId: known.marketId }
    },
    started(peer, topic, op) {
      const known = found.get(op)
      if (op.op !== 'subscribePrice' || known === undefined) return
      const mine = ends.get(peer) ?? new Map<string, () => void>()
      ends.set(peer, mine)
      const end = known.watch((prices) => void peer.offer(topic, priceFrame(op, known, prices, clock.now())))
      mine.set(topic, end)
    },
    stopped(peer, topic) {
      const mine = ends.get(peer)
      mine?.get(topic)?.()
      mine?.delete(topic)
    },
  }
}
