// What a caller may send to build and redeem on Predict.fun. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { SelfTradePrevention } from '#schemas/executions'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { checkOptions, type OrderOptions, optionFields, withOptions } from '../../shared/exec/orderOptions.ts'
import { convertShape, isOneMarket, oneMarket, setShape } from '../../shared/exec/positionBuilds.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'
import { EchoedBuild } from './verifyServerOrder.ts'

const wallets = {
  /** The signing EOA; without a smart wallet also the maker. */
  owner: Address,
  /** The Predict account, a Kernel smart wallet that holds the assets: maker and signer, for which the owner signs. */
  predictAccount: Address.optional(),
}
const isItsOwn = ({ owner, predictAccount }: { owner: string; predictAccount?: string | undefined }): boolean =>
  owner !== predictAccount
const itsOwn = { path: ['predictAccount'], message: 'is the owner itself: leave it out' }

export const orderOptions = {
  expiresAt: true,
  postOnly: true,
  selfTradePrevention: SelfTradePrevention.options,
} as const satisfies OrderOptions

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      /** Probability dollars, three significant digits. */
      price: Amount,
      /** Shares, truncated to five significant digits. */
      size: Amount,
      ...wallets,
      /** An already built order for this one to adopt. */
      buildResult: EchoedBuild.optional(),
      /** 0: it does not expire. */
      expiresAt: optionFields.expiresAt,
      postOnly: optionFields.postOnly,
      selfTradePrevention: SelfTradePrevention.optional(),
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .refine(isItsOwn, itsOwn)
  .refine(({ buildResult, expiresAt }) => buildResult === undefined || (expiresAt ?? 0) === 0, {
    path: ['expiresAt'],
    message: 'an echoed order has its own expiry',
  })
  .superRefine(checkOptions)
  .transform(withOptions)
  .meta({
    examples: [
      {
        outcome: '1739803',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.456',
        size: '21.04',
        owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      },
    ],
  })
export type OrderBody = z.infer<typeof OrderBody>

/** A standalone market is redeemed whole; for a negative-risk one the adapter requires side and amount. */
export const RedeemBody = z
  .strictObject({ ...selectorShape, ...wallets, amount: Amount.optional() }, { error: credentialAtBuild })
  .refine(({ asset, outcome }) => (asset === undefined) !== (outcome === undefined), {
    path: ['outcome'],
    message: 'give outcome, or asset alone',
  })
  .refine(({ asset, outcomeSide }) => asset === undefined || outcomeSide === undefined, selectorMessage)
  .refine(isItsOwn, itsOwn)
  .meta({ examples: [{ outcome: '1739803', owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }] })
export type RedeemBody = z.infer<typeof RedeemBody>

const example = { owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }

export const SetBody = z
  .strictObject({ ...setShape, ...wallets }, { error: credentialAtBuild })
  .refine(isOneMarket, oneMarket)
  .refine(isItsOwn, itsOwn)
  .meta({ examples: [{ outcome: '1739803', amount: '25', ...example }] })
export type SetBody = z.infer<typeof SetBody>

export const ConvertBody = z
  .strictObject({ ...convertShape, ...wallets }, { error: credentialAtBuild })
  .refine(isItsOwn, itsOwn)
  .meta({ examples: [{ outcomes: ['1739803', '1739804'], amount: '25', ...example }] })
export type ConvertBody = z.infer<typeof ConvertBody>
