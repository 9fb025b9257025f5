// The structures as seen by a gateway: subscribers, current state, and the stream's `structures` channel.
import type { Principal } from '#platform/auth/principal'
import type { ClientOp } from '#schemas/stream'
import type { StructureCounts, StructureRow } from '#schemas/structures'
import { unknownVenue } from '../filter.ts'
import type { ArbitragePeer } from '../subscribers.ts'
import type { StructureFilter } from './read.ts'

export interface StructureState {
  rows: Iterable<StructureRow>
  /** Epoch ms; null: nothing was searched yet. */
  computedAt: number | null
  /** What is searched, and what is not. */
  counts: StructureCounts
}

export interface StructureView {
  /** Null while none may be shown. */
  state(): StructureState | null
  add(peer: ArbitragePeer, topic: string, filter: StructureFilter): void
  remove(peer: ArbitragePeer, topic: string): void
}

/** `entitled`: the plan gate, checked at subscribe and every minute. `served`: the venues a filter may name. */
export function structuresChannel(
  view: Pick<StructureView, 'add' | 'remove'>,
  entitled: (principal: Principal) => boolean,
  served: readonly string[],
) {
  return {
    entitled,
    check(op: ClientOp): { code: 'BAD_MESSAGE'; message: string } | null {
      if (op.op !== 'subscribeStructures') return { code: 'BAD_MESSAGE', message: 'not an operation on structures' }
      const strange = unknownVenue(op.venues, served)
      return strange === null ? null : { code: 'BAD_MESSAGE', message: strange }
    },
    started(peer: ArbitragePeer, topic: string, op: ClientOp): void {
      if (op.op !== 'subscribeStructures') return
      const { executableOnly, kinds, venues, minEdge } = op
      view.add(peer, topic, { executableOnly, kinds, venues, minEdge })
    },
    stopped: (peer: ArbitragePeer, topic: string): void => view.remove(peer, topic),
  }
}
