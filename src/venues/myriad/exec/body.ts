// What a caller may send to build on Myriad. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { checkOptions, type OrderOptions, oneOfTimes, withOptions } from '../../shared/exec/orderOptions.ts'
import { Address, ExpiresAt } from '../../shared/exec/walletBody.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'

const times = ['good-til-cancel', 'good-til-date', 'fill-or-kill', 'immediate-or-cancel'] as const

/** Order books only, but for a pool’s own fill-or-kill. */
export const orderOptions = { timeInForce: times, expiresAt: true } as const satisfies OrderOptions

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      /** Per share, in the market's collateral: at an order book the limit; at a pool the worst price of the whole trade, fees included. */
      price: Amount,
      /** Shares: at a pool the minimum bought or the maximum sold. */
      size: Amount,
      /** The wallet that signs, or sends the transaction. */
      owner: Address,
      /** 0: good till cancelled. Order books only. */
      expiresAt: ExpiresAt.default(0),
      /** A trade with a pool is always fill-or-kill. */
      timeInForce: oneOfTimes(times),
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .superRefine(checkOptions)
  .transform((body) => ({ ...withOptions(body), selected: body.timeInForce }))
  .meta({
    examples: [
      {
        outcome: '56:ob:730',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.56',
        size: '21.04',
        owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      },
    ],
  })
export type OrderBody = z.infer<typeof OrderBody>
