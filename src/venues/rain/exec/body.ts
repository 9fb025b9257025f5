// What a caller may send to build on Rain. Strict: unknown keys and all credentials are refused. Rain's own rules are checked by guards.ts, with
// Rain's own codes.
import { z } from 'zod'
import { multiplyDecimals, readDecimal } from '#core/decimal'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { BodyTerms } from '../../lane.ts'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { usualFields } from '../../shared/exec/orderFields.ts'
import { type OrderOptions, optionFields } from '../../shared/exec/orderOptions.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'

export const orderOptions = { postOnly: true } as const satisfies OrderOptions

const only = (path: string, action: string) => ({ path: [path], message: `is for a ${action} order only` })

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      action: z.enum(['limit', 'market']).default('limit'),
      isBuy: z.boolean(),
      /** Probability, of a limit order. */
      price: Amount.optional(),
      /** Amount spent, in the pool's base token; or amount sold, in shares. */
      amount: Amount,
      /** The wallet that signs the transaction. */
      owner: Address,
      /** For a market order: accepted shortfall from the quote, in basis points. */
      slippageBps: z.number().optional(),
      /** For a market order: counted from the quoted block. */
      deadlineSecondsFromNow: z.number().optional(),
      /** Of a limit order, at a pool whose build has it. */
      postOnly: optionFields.postOnly,
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .refine(({ action, price }) => action === 'limit' || price === undefined, only('price', 'limit'))
  .refine(({ action, postOnly }) => action === 'limit' || postOnly !== true, only('postOnly', 'limit'))
  .refine(({ action, slippageBps }) => action === 'market' || slippageBps === undefined, only('slippageBps', 'market'))
  .refine(
    ({ action, deadlineSecondsFromNow }) => action === 'market' || deadlineSecondsFromNow === undefined,
    only('deadlineSecondsFromNow', 'market'),
  )
  .meta({
    examples: [
      {
        outcome: '0x5921a9201ca251e9596ede57b67125d5c42c6077:2',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.4',
        amount: '20',
        owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      },
    ],
  })
export type OrderBody = z.infer<typeof OrderBody>

/** A purchase names what it spends. */
export function fieldsOf({ size, ...terms }: BodyTerms, given: JsonObject): JsonObject {
  const fields = usualFields(terms)
  if (size === undefined) return fields
  if ((terms.isBuy ?? given.isBuy) !== true) return { ...fields, amount: size }
  const stated = Amount.safeParse(terms.price ?? given.price).data
  const price = stated === undefined ? null : readDecimal(stated)
  if (price === null) throw new Fault('VALIDATION_ERROR', 'price: is required, because a purchase names its cost')
  return { ...fields, amount: multiplyDecimals(price, String(size)) }
}

const uint256 = 2n ** 256n
export const CancelBody = z
  .strictObject(
    {
      /** From the placement transaction: the pool's own number of the order. */
      orderId: z
        .union([
          z.int().positive().transform(String),
          z.string().regex(/^[1-9]\d{0,77}$/, { error: 'must be a positive uint256', abort: true }),
        ])
        .refine((text) => BigInt(text) < uint256, 'must be a positive uint256'),
    },
    { error: credentialAtBuild },
  )
  .meta({ examples: [{ orderId: '17' }] })
export type CancelBody = z.infer<typeof CancelBody>
