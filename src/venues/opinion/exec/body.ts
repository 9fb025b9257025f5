// What a caller may send to build an order on Opinion. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { checkOptions, type OrderOptions, optionFields, withOptions } from '../../shared/exec/orderOptions.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'
import { VenueBuiltOrder } from './verifyServerOrder.ts'

/** An EOA trading for itself, and a Safe that an EOA signs for. */
const [eoa, safe] = [0, 2] as const

const needsSafe = {
  path: ['safeAddress'],
  message: 'signatureType 2 needs the Safe as safeAddress, and it is not the owner',
}

export const orderOptions = { postOnly: true } as const satisfies OrderOptions

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      /** Probability dollars, at most four decimals. */
      price: Amount,
      /** Shares. The given amount is truncated to four significant digits. */
      size: Amount,
      /** The signing EOA; without a Safe also the maker. */
      owner: Address,
      /** The Safe that pays, for which the owner signs. */
      safeAddress: Address.optional(),
      /** 0 an EOA, 2 a Safe; by default derived from `safeAddress`. */
      signatureType: z.union([z.literal(eoa), z.literal(safe)]).optional(),
      /** An already built order for this one to adopt. */
      buildResult: VenueBuiltOrder.optional(),
      postOnly: optionFields.postOnly,
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .refine(({ signatureType, safeAddress }) => signatureType !== safe || safeAddress !== undefined, needsSafe)
  .refine(({ owner, safeAddress }) => safeAddress !== owner, needsSafe)
  .refine(({ signatureType, safeAddress }) => signatureType !== eoa || safeAddress === undefined, {
    path: ['safeAddress'],
    message: 'with signatureType 0 the owner is the maker: leave safeAddress out',
  })
  .superRefine(checkOptions)
  .transform((body) => ({ ...withOptions(body), signatureType: body.safeAddress === undefined ? eoa : safe }))
  .meta({
    examples: [
      {
        outcome: '26356',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.56',
        size: '21.04',
        owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      },
    ],
  })
export type OrderBody = z.infer<typeof OrderBody>
