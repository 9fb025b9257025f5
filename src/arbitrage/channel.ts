// The stream's `arbitrage` channel: validation and access. It implements the stream's ChannelProvider.
import type { Principal } from '#platform/auth/principal'
import type { ClientOp } from '#schemas/stream'
import { type SubscriberFilter, unknownVenue } from './filter.ts'
import type { ArbitragePeer } from './subscribers.ts'

/** Where subscribers go: the actor's publisher. */
export interface ArbitrageAudience {
  add(peer: ArbitragePeer, topic: string, filter: SubscriberFilter): void
  remove(peer: ArbitragePeer, topic: string): void
}

export interface ArbitrageChannel {
  entitled(principal: Principal): boolean
  check(op: ClientOp): { code: 'BAD_MESSAGE'; message: string } | null
  started(peer: ArbitragePeer, topic: string, op: ClientOp): void
  stopped(peer: ArbitragePeer, topic: string): void
}

/** `entitled`: the plan gate, checked at subscribe and every minute. `served`: the venues a filter may name. */
export function arbitrageChannel(
  audience: ArbitrageAudience,
  entitled: (principal: Principal) => boolean,
  served: readonly string[],
): ArbitrageChannel {
  return {
    entitled,
    check(op) {
      if (op.op !== 'subscribeArbitrage') return { code: 'BAD_MESSAGE', message: 'not an arbitrage operation' }
      const strange = unknownVenue(op.venues, served)
      return strange === null ? null : { code: 'BAD_MESSAGE', message: strange }
    },
    started(peer, topic, op) {
      if (op.op !== 'subscribeArbitrage') return
      const { executableOnly, venues, minEdge, intervalMs } = op
      audience.add(peer, topic, { executableOnly, venues, minEdge, intervalMs })
    },
    stopped: (peer, topic) => audience.remove(peer, topic),
  }
}
