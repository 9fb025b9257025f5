// What a caller may send to build an order on Limitless. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { SelfTradePrevention } from '#schemas/executions'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import {
  checkOptions,
  type OrderOptions,
  oneOfTimes,
  optionFields,
  withOptions,
} from '../../shared/exec/orderOptions.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'

const bpsMax = 10_000

const times = ['good-til-cancel', 'immediate-or-cancel'] as const

/** A fill-or-kill order of this venue has no price, so that nothing limits what it pays. */
export const orderOptions = {
  timeInForce: times,
  market: true,
  postOnly: true,
  clientOrderId: 'a UUID, used once',
  selfTradePrevention: SelfTradePrevention.options,
} as const satisfies OrderOptions

/** By default a limit order that rests until filled or cancelled. */
export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      /** Probability dollars, a multiple of 0.001. */
      price: Amount.optional(),
      /** Shares, a multiple of 0.001. */
      size: Amount,
      /** The wallet that makes and signs the order. */
      owner: Address,
      /** `id` of the owner's profile, which the venue shows only to its owner. Checked at submit. */
      ownerId: z.int().positive(),
      /** `rank.feeRateBps` of the same profile. It is signed; when the market charges fees it must match exactly, which is checked at submit. Where takers pay in USDC (`feeModuleType` COLLATERAL), 0 is signed instead. */
      feeRateBps: z.int().min(0).max(bpsMax),
      type: optionFields.type,
      worstPrice: optionFields.worstPrice,
      timeInForce: oneOfTimes(times),
      postOnly: optionFields.postOnly,
      clientOrderId: z.uuid().optional(),
      selfTradePrevention: SelfTradePrevention.optional(),
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .superRefine(checkOptions)
  .transform(withOptions)
  .meta({
    examples: [
      {
        outcome: 'both-to-score-1779980360817',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.65',
        size: '10',
        owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        ownerId: 1001,
        feeRateBps: 300,
      },
    ],
  })
export type OrderBody = z.infer<typeof OrderBody>
