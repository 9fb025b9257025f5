// The official client's output: `buildOrder`, `buildTypedData` and its hash, and the fields posted along. Only limit orders; everything but the
// order itself is optional.
import { z } from 'zod'
import { EchoedOrder, verifyEcho } from '../../shared/exec/serverBuiltOrder.ts'
import { hexText } from '../../shared/exec/typedOrder.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { order } from './typedData.ts'

export const EchoedBuild = verifyEcho(
  z.strictObject({
    order: EchoedOrder,
    typedData: order.shapeOf(EchoedOrder, Address).optional(),
    hash: hexText(64).optional(),
    /** In 10^-18. */
    pricePerShare: z.string().max(40).optional(),
    strategy: z.literal('LIMIT').optional(),
  }),
)
export type EchoedBuild = z.infer<typeof EchoedBuild>
