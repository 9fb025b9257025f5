// What held at build must hold at submit: the stored body names the market, the intent and no more money than was bounded.
import { z } from 'zod'
import { compareDecimals, isOnStep } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import { isCancel, type OrderArtifact, readArtifact, violation } from './artifact.ts'

const Placing = z.object({
  kind: z.literal('order'),
  marketSlug: z.string(),
  intent: z.string(),
  /** Long price. Buying long and selling short want it low; the other two want it high. */
  price: z.string(),
  quantity: z.string(),
  tif: z.string(),
  tick: z.string(),
})
const Cancelling = z.object({ kind: z.literal('cancel'), orderId: z.string(), marketSlug: z.string() })
const Bounds = z.discriminatedUnion('kind', [Placing, Cancelling])

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  const artifact = readArtifact(unsigned)
  const known = Bounds.safeParse(bounds)
  if (!known.success) throw violation('the bounds of this artifact cannot be read', z.prettifyError(known.error))
  if (known.data.kind === 'order') {
    if (isCancel(artifact)) throw violation('a cancellation where an order was built')
    checkOrder(artifact, known.data)
    return
  }
  const { orderId, marketSlug } = known.data
  if (!isCancel(artifact) || artifact.orderId !== orderId || artifact.marketSlug !== marketSlug) {
    throw violation('it cancels another order')
  }
}

function checkOrder(artifact: OrderArtifact, bounds: z.infer<typeof Placing>): void {
  if (artifact.marketSlug !== bounds.marketSlug) throw violation('the artifact is for another market')
  if (artifact.intent !== bounds.intent) throw violation('the artifact is for another side')
  if (artifact.tif !== bounds.tif) throw violation('the artifact is for another time in force')
  const { value } = artifact.price
  if (!isOnStep(value, bounds.tick)) throw violation(`the price is no multiple of ${bounds.tick}`)
  const wantsLow = artifact.intent === 'ORDER_INTENT_BUY_LONG' || artifact.intent === 'ORDER_INTENT_SELL_SHORT'
  const compared = compareDecimals(value, bounds.price)
  if (wantsLow ? compared > 0 : compared < 0) throw violation('the price is worse than what was asked')
  if (compareDecimals(String(artifact.quantity), bounds.quantity) > 0) {
    throw violation('the quantity is more than what was asked')
  }
}
