// What held at build must hold at submit: same market, same side, no worse price, no more contracts.
import { z } from 'zod'
import { compareDecimals } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import { readArtifact, violation } from './artifact.ts'

const leg = {
  ticker: z.string(),
  side: z.enum(['bid', 'ask']),
  /** A bid pays at most, an ask takes at least this. */
  price: z.string(),
  /** At most. */
  count: z.string(),
}
const Bounds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('order'), ...leg, reduceOnly: z.boolean() }),
  z.object({ kind: z.literal('modify'), ...leg, orderId: z.string() }),
  z.object({ kind: z.literal('cancel'), orderId: z.string() }),
])
type Leg = z.infer<z.ZodObject<typeof leg>>

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  const artifact = readArtifact(unsigned)
  const known = Bounds.safeParse(bounds)
  if (!known.success) throw violation('the bounds of this artifact cannot be read', z.prettifyError(known.error))
  const held = known.data
  if (artifact.kind === 'order' && held.kind === 'order') {
    if ((artifact.order.reduce_only === true) !== held.reduceOnly) throw violation('reduce_only was not asked so')
    checkLeg(artifact.order, held)
  } else if (artifact.kind === 'modify' && held.kind === 'modify') {
    if (artifact.amend.order_id !== held.orderId) throw violation('it modifies another order')
    checkLeg(artifact.amend, held)
  } else if (artifact.kind !== 'cancel' || held.kind !== 'cancel') {
    throw violation('the artifact does something else than was built')
  } else if (artifact.cancel.order_id !== held.orderId) {
    throw violation('it cancels another order')
  }
}

function checkLeg(found: Leg, held: Leg): void {
  if (found.ticker !== held.ticker) throw violation('it is for another market')
  if (found.side !== held.side) throw violation('it is for another side')
  const compared = compareDecimals(found.price, held.price)
  if (found.side === 'bid' ? compared > 0 : compared < 0) throw violation('the price is worse than what was asked')
  if (compareDecimals(found.count, held.count) > 0) throw violation('the count is more than what was asked')
}
