// How the venue treats the expiry of an order. https://docs.polymarket.com/developers/CLOB/orders/create-order
import type { LaneExecution, LateBound } from '../../lane.ts'
import { readArtifact } from './artifact.ts'

/** An order dies this long before the expiry it was given. */
export const expirySafetyMs = 60_000

/** An expiry nearer than this is refused. */
export const expiryAheadMs = 180_000

/** Null without an expiry: no document says how old a request's own signature may be. */
export function lateBound({ unsigned }: LaneExecution): LateBound | null {
  const artifact = readArtifact(unsigned)
  if (artifact.kind !== 'order' || artifact.order.post.orderType !== 'GTD') return null
  return { untilMs: Number(artifact.order.post.expiration) * 1_000, rule: 'orders past their expiry are refused' }
}
