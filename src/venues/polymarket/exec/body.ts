// What a caller may send to build an order on Polymarket. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import {
  checkOptions,
  type OrderOptions,
  oneOfTimes,
  optionFields,
  withOptions,
} from '../../shared/exec/orderOptions.ts'
import { Address, ExpiresAt } from '../../shared/exec/walletBody.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'
import { isDepositWallet } from './depositWallet.ts'
import { type Hex, zeroBytes32 } from './typedData.ts'

const Bytes32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .transform((text) => text as Hex)

const times = ['good-til-cancel', 'good-til-date', 'fill-or-kill', 'immediate-or-cancel'] as const

export const orderOptions = {
  timeInForce: times,
  expiresAt: true,
  market: true,
  postOnly: true,
} as const satisfies OrderOptions

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      /** Probability dollars, on the live tick. */
      price: Amount.optional(),
      /** Shares; rounded down to two decimals. */
      size: Amount,
      /** The signing EOA; for type 0 also the maker. */
      owner: Address,
      /** The wallet that pays: the Proxy or Safe of types 1 and 2, the deposit wallet of type 3. */
      funder: Address.optional(),
      signatureType: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]).default(0),
      /** 0: good till cancelled. */
      expiresAt: ExpiresAt.default(0),
      type: optionFields.type,
      worstPrice: optionFields.worstPrice,
      timeInForce: oneOfTimes(times),
      postOnly: optionFields.postOnly,
      metadata: Bytes32.default(zeroBytes32),
      builder: Bytes32.default(zeroBytes32),
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .refine(({ signatureType, owner, funder }) => signatureType !== 0 || funder === undefined || funder === owner, {
    path: ['funder'],
    message: 'with signatureType 0 the owner is the maker: leave funder out',
  })
  .refine(({ signatureType, owner, funder }) => signatureType === 0 || (funder !== undefined && funder !== owner), {
    path: ['funder'],
    message: 'signatureType 1 and 2 need the Proxy or Safe as funder, 3 the deposit wallet, and it is not the owner',
  })
  .refine(
    ({ signatureType, owner, funder }) => signatureType !== 3 || funder === undefined || isDepositWallet(funder, owner),
    {
      path: ['funder'],
      message: 'is not the deposit wallet of this owner',
    },
  )
  .superRefine(checkOptions)
  .transform(withOptions)
  .meta({
    examples: [
      {
        outcome: '512345',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.56',
        size: '21.04',
        owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      },
    ],
  })
export type OrderBody = z.infer<typeof OrderBody>
