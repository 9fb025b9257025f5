// What held at build must hold at submit: the stored payload names the instrument, the leg, the side and no more money than was bounded.
import { z } from 'zod'
import { compareDecimals, isOnStep } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import { type OrderArtifact, readArtifact, violation } from './artifact.ts'
import { paths } from './wire.ts'

const Placing = z.object({
  kind: z.literal('order'),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  outcome: z.enum(['yes', 'no']),
  /** A buyer pays at most, a seller takes at least this. */
  price: z.string(),
  /** Contracts at most. */
  quantity: z.string(),
  tick: z.string(),
})
const Cancelling = z.object({ kind: z.literal('cancel'), orderId: z.string() })
const Bounds = z.discriminatedUnion('kind', [Placing, Cancelling])

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  const artifact = readArtifact(unsigned)
  const known = Bounds.safeParse(bounds)
  if (!known.success) throw violation('the bounds of this artifact cannot be read', z.prettifyError(known.error))
  if (known.data.kind === 'order') {
    if (artifact.request !== paths.order) throw violation('a cancellation where an order was built')
    checkOrder(artifact, known.data)
  } else if (artifact.request !== paths.cancel || artifact.orderId !== known.data.orderId) {
    throw violation('it cancels another order')
  }
}

function checkOrder(artifact: OrderArtifact, bounds: z.infer<typeof Placing>): void {
  if (artifact.symbol !== bounds.symbol) throw violation('the artifact is for another instrument')
  if (artifact.side !== bounds.side || artifact.outcome !== bounds.outcome) {
    throw violation('the artifact is for another side')
  }
  if (!isOnStep(artifact.price, bounds.tick)) throw violation(`the price is no multiple of ${bounds.tick}`)
  const compared = compareDecimals(artifact.price, bounds.price)
  if (artifact.side === 'buy' ? compared > 0 : compared < 0) throw violation('the price is worse than what was asked')
  if (compareDecimals(artifact.quantity, bounds.quantity) > 0) {
    throw violation('the quantity is more than what was asked')
  }
}
