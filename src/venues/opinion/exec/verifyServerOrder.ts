// The output of `buildOrderForSigning` in the venue's own client, whose counterpart posts it "from the build result". Only limit orders;
// everything but the order itself is optional.
import { z } from 'zod'
import { EchoedOrder, verifyEcho } from '../../shared/exec/serverBuiltOrder.ts'
import { hexText } from '../../shared/exec/typedOrder.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { Amount } from '../../shared/selector.ts'
import { chainId, order } from './typedData.ts'

export const VenueBuiltOrder = verifyEcho(
  z.strictObject({
    order: EchoedOrder,
    domain: z
      .strictObject({
        name: z.literal('OPINION CTF Exchange'),
        version: z.literal('1'),
        chainId: z.literal(chainId),
        verifyingContract: Address,
      })
      .optional(),
    /** What is signed. */
    structHash: hexText(64).optional(),
    typedData: order.shapeOf(EchoedOrder, Address).optional(),
    exchangeAddress: Address.optional(),
    currencyAddress: Address.optional(),
    currencyDecimal: z.number().int().optional(),
    marketId: z.number().int().optional(),
    orderType: z.literal(2).optional(),
    price: Amount.optional(),
  }),
)
export type VenueBuiltOrder = z.infer<typeof VenueBuiltOrder>
