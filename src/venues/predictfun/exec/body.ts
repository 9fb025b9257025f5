// What a caller may say to build and redeem on Predict.fun. Strict: an unknown key is refused, and so is every credential.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { Amount, namesOneOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'
import { EchoedBuild } from './echo.ts'

const wallets = {
  /** The EOA that signs; without a smart wallet also the maker. */
  owner: Address,
  /** The Predict account, a Kernel smart wallet that holds the assets: maker and signer, for which the owner signs. */
  predictAccount: Address.optional(),
}
const isItsOwn = ({ owner, predictAccount }: { owner: string; predictAccount?: string | undefined }): boolean =>
  owner !== predictAccount
const itsOwn = { path: ['predictAccount'], message: 'is the owner itself: leave it out' }

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      /** Probability dollars, three significant digits. */
      price: Amount,
      /** Shares, cut after five significant digits. */
      size: Amount,
      ...wallets,
      /** An order that was built before, which this one shall be. */
      buildResult: EchoedBuild.optional(),
    },
    { error: credentialAtBuild },
  )
  .refine(namesOneOutcome, selectorMessage)
  .refine(isItsOwn, itsOwn)
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

/** A market that stands by itself is redeemed whole; of a negative-risk one the adapter wants the side and how much of it. */
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
