// What held at build must hold at submit: same market, same wallet, no more money out, no less in.
import { z } from 'zod'
import { toUnits } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import { type OrderArtifact, readArtifact, violation } from './artifact.ts'
import type { Hex } from './contracts.ts'
import { redeemCalldata } from './redeem.ts'

const Placing = z.object({
  kind: z.literal('order'),
  exchange: z.string(),
  tokenId: z.string(),
  side: z.union([z.literal(0), z.literal(1)]),
  maker: z.string(),
  signer: z.string(),
  signatureType: z.number(),
  /** Given at most. */
  makerAmount: z.string(),
  /** Taken at least. */
  takerAmount: z.string(),
  tick: z.string(),
  expiresAt: z.number(),
})
const Cancelling = z.object({ kind: z.literal('cancel'), orderID: z.string() })
const Redeeming = z.object({
  kind: z.literal('redeem'),
  to: z.string(),
  conditionId: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
})
const Bounds = z.discriminatedUnion('kind', [Placing, Cancelling, Redeeming])

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  const artifact = readArtifact(unsigned)
  const known = Bounds.safeParse(bounds)
  if (!known.success) throw violation('the bounds of this artifact cannot be read', z.prettifyError(known.error))
  if (artifact.kind === 'order' && known.data.kind === 'order') {
    checkOrder(artifact.order, known.data)
    return
  }
  if (artifact.kind === 'cancel' && known.data.kind === 'cancel') {
    if (artifact.cancel.orderID === known.data.orderID) return
    throw violation('it cancels another order')
  }
  if (artifact.kind === 'redeem' && known.data.kind === 'redeem') {
    const { to, data } = artifact.redeem
    if (to === known.data.to && data === redeemCalldata(known.data.conditionId as Hex)) return
    throw violation('it redeems another market')
  }
  throw violation('the artifact does something else than was built')
}

const identity = ['tokenId', 'side', 'maker', 'signer', 'signatureType'] as const

function checkOrder({ domain, message, post }: OrderArtifact, bounds: z.infer<typeof Placing>): void {
  if (domain.verifyingContract !== bounds.exchange) throw violation('it is for another exchange')
  for (const field of identity) if (message[field] !== bounds[field]) throw violation(`it has another ${field}`)
  const [given, taken] = [BigInt(message.makerAmount), BigInt(message.takerAmount)]
  if (given <= 0n || given > BigInt(bounds.makerAmount)) throw violation('it gives more than was asked')
  if (taken < BigInt(bounds.takerAmount)) throw violation('it takes less than was asked')
  if (post.expiration !== String(bounds.expiresAt)) throw violation('it expires at another time')
  if ((post.orderType === 'GTC') !== (bounds.expiresAt === 0)) throw violation('it lives otherwise than was asked')
  const [cash, shares] = message.side === 0 ? [given, taken] : [taken, given]
  // price = cash / shares is a multiple of the tick, and lies inside it.
  const tickUnits = toUnits(bounds.tick, 6)
  if ((cash * 1_000_000n) % (shares * tickUnits) !== 0n) throw violation('its price is off the tick')
  const price = (cash * 1_000_000n) / shares
  if (price < tickUnits || price > 1_000_000n - tickUnits) throw violation('its price is no probability')
}
