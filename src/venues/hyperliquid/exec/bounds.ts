// What held at build must hold at submit: the stored artifact names the outcome, the side, and no more money than was bounded.
import { z } from 'zod'
import { compareDecimals, isOnStep } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import type { Action, OrderWire } from './action.ts'
import { readArtifact, violation } from './artifact.ts'
import { tick } from './wireNumbers.ts'

const Source = z.enum(['a', 'b'])
const Asset = z.number().int()
const Placing = z.object({
  kind: z.enum(['order', 'modify']),
  source: Source,
  asset: Asset,
  isBuy: z.boolean(),
  /** A buyer pays at most, a seller takes at least this. */
  price: z.string(),
  /** Contracts at most. */
  size: z.string(),
  /** Our client order id. */
  reference: z.string(),
  /** Of a modification: the order it replaces. */
  replaces: z.union([z.number(), z.string()]).optional(),
  /** Of a modification: contracts filled of that order when this was built, and those filled in all before this one's own. */
  executed: z.string().optional(),
  filledBefore: z.string().optional(),
})
const Cancelling = z.object({
  kind: z.literal('cancel'),
  source: Source,
  asset: Asset,
  /** Order id, or client order id. */
  reference: z.union([z.number(), z.string()]),
})
const Bounds = z.discriminatedUnion('kind', [Placing, Cancelling])

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  const { action, source } = readArtifact(unsigned)
  const known = Bounds.safeParse(bounds)
  if (!known.success) throw violation('the bounds of this artifact cannot be read', z.prettifyError(known.error))
  if (source !== known.data.source) throw violation('the artifact is for another network')
  if (known.data.kind === 'cancel') checkCancel(action, known.data)
  else checkPlacing(action, known.data)
}

function checkCancel(action: Action, bounds: z.infer<typeof Cancelling>): void {
  const named =
    action.type === 'cancel'
      ? action.cancels.map(({ a, o }) => [a, o])
      : action.type === 'cancelByCloid'
        ? action.cancels.map(({ asset, cloid }) => [asset, cloid])
        : []
  const [asset, reference] = named[0] ?? []
  if (asset !== bounds.asset || reference !== bounds.reference) throw violation('it cancels another order')
}

function checkPlacing(action: Action, bounds: z.infer<typeof Placing>): void {
  checkOrder(orderOf(action, bounds), bounds)
}

function orderOf(action: Action, { kind, replaces }: z.infer<typeof Placing>): OrderWire {
  const modify = action.type === 'batchModify' ? action.modifies[0] : undefined
  const order = action.type === 'order' && kind === 'order' ? action.orders[0] : undefined
  if (order !== undefined) return order
  if (kind !== 'modify' || modify === undefined) throw violation(`a ${action.type} action is no ${kind}`)
  if (modify.oid !== replaces) throw violation('it modifies another order')
  return modify.order
}

function checkOrder(
  { a, b, p, s, c }: OrderWire,
  { asset, isBuy, price, size, reference }: z.infer<typeof Placing>,
): void {
  if (a !== asset) throw violation('the artifact is for another outcome')
  if (b !== isBuy) throw violation('the artifact is for the other side')
  if (c !== reference) throw violation('the artifact carries another client order id')
  if (!isOnStep(p, tick)) throw violation(`the price is no multiple of ${tick}`)
  const compared = compareDecimals(p, price)
  if (isBuy ? compared > 0 : compared < 0) throw violation('the price is worse than what was asked')
  if (compareDecimals(s, size) > 0) throw violation('the size is more than what was asked')
}
