// What must hold for a typed order at submit: same market, same wallet, no more paid out, no less received, a price on the tick.
import { z } from 'zod'
import { toUnits } from '#core/decimal'
import type { ExecutionVenue } from '#schemas/venues'
import { violation } from './artifact.ts'
import { checkAmounts, type Hex, Uint } from './typedOrder.ts'

interface TypedArtifact {
  domain: { verifyingContract: Hex }
  message: {
    maker: Hex
    signer: Hex
    tokenId: string
    makerAmount: string
    takerAmount: string
    side: number
    signatureType: number
  }
}

/** An order's self-description. A lane adds its struct's further members and the fields posted with it. */
export function typedOrderBounds({ domain, message }: TypedArtifact) {
  const { tokenId, side, maker, signer, signatureType, makerAmount, takerAmount } = message
  const exchange = domain.verifyingContract
  return { kind: 'order', exchange, tokenId, side, maker, signer, signatureType, makerAmount, takerAmount }
}

export const sameTypedOrder = {
  exchange: 'it is for another exchange',
  tokenId: 'it has another tokenId',
  side: 'it has another side',
  maker: 'it has another maker',
  signer: 'it has another signer',
  signatureType: 'it has another signatureType',
} as const

/** In addition to the unchanged fields: amounts in base units, the tick a decimal string. */
export const HeldOrder = z.object({ makerAmount: Uint, takerAmount: Uint, tick: z.string() })

/**
 * For cash and shares of six decimals, with cash never rounded: their quotient is a multiple of the tick, strictly inside it. Throws
 * ARTIFACT_BOUNDS_VIOLATION.
 */
export function checkTypedOrder(
  venue: ExecutionVenue,
  { message }: Pick<TypedArtifact, 'message'>,
  held: z.infer<typeof HeldOrder>,
): void {
  checkAmounts(venue, message, held)
  const amounts = [BigInt(message.makerAmount), BigInt(message.takerAmount)] as const
  const [cash, shares] = message.side === 0 ? amounts : amounts.toReversed()
  const tickUnits = toUnits(held.tick, 6)
  if ((cash * 1_000_000n) % (shares * tickUnits) !== 0n) throw violation(venue, 'its price is off the tick')
  const price = (cash * 1_000_000n) / shares
  if (price < tickUnits || price > 1_000_000n - tickUnits) throw violation(venue, 'its price is not a probability')
}
