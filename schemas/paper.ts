// Paper accounts: cash, positions, orders and fills of accounts whose orders are matched here and never reach a venue. Amounts are decimal
// strings in `currency`; null: the catalog does not name it.
import { z } from 'zod'

/** Position in canonical UUID text. */
const versionAt = 14
const paperVersion = '8'

/** Working orders of a paper account. */
export const paperWorkingOrdersMax = 200

/** Of paper accounts and of backtests, where nothing else is set: docs/paper-fill-model.md. */
export const fillModelDefaults = { latencyMedianMs: 150, latencySigma: 0.5, cancelShareAhead: 0.5 } as const

/** A paper account has an id of UUID version 8, every other account one of version 4: no process needs a read to distinguish them. */
export const isPaperAccount = (accountId: string): boolean => accountId[versionAt] === paperVersion

/** From the id of version 4 that `randomUUID` makes. */
export const paperAccountIdOf = (uuid: string): string =>
  uuid.slice(0, versionAt) + paperVersion + uuid.slice(versionAt + 1)

export const paperOrderStates = ['working', 'filled', 'canceled', 'expired', 'rejected'] as const
export type PaperOrderState = (typeof paperOrderStates)[number]
export const paperTimesInForce = ['GTC', 'GTD', 'FOK', 'IOC'] as const
export type PaperTimeInForce = (typeof paperTimesInForce)[number]

export const PaperBalance = z
  .object({
    venue: z.string(),
    currency: z.string().nullable(),
    cash: z.string().describe('including `reserved`'),
    reserved: z.string().describe('held by working purchases'),
    available: z.string(),
  })
  .meta({ id: 'PaperBalance' })
export type PaperBalance = z.infer<typeof PaperBalance>

export const PaperPosition = z
  .object({
    venue: z.string(),
    marketId: z.string(),
    outcomeId: z.string(),
    currency: z.string().nullable(),
    quantity: z.string().describe('contracts or shares, including `reserved`'),
    reserved: z.string().describe('held by working sales'),
  })
  .meta({ id: 'PaperPosition' })
export type PaperPosition = z.infer<typeof PaperPosition>

export const PaperAccount = z
  .object({
    accountId: z.uuid(),
    startCash: z.string().describe('of every venue and currency, granted with the first order there'),
    balances: z.array(PaperBalance),
    positions: z.array(PaperPosition),
    workingOrders: z.int(),
    workingOrdersMax: z.int(),
    resets: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'PaperAccount' })
export type PaperAccount = z.infer<typeof PaperAccount>

export const PaperOrder = z
  .object({
    executionId: z.uuid(),
    venue: z.string(),
    orderId: z.string().describe('the execution’s `venueRef`'),
    marketId: z.string(),
    outcomeId: z.string(),
    side: z.enum(['buy', 'sell']),
    price: z.string(),
    size: z.string(),
    filled: z.string(),
    timeInForce: z.enum(paperTimesInForce),
    postOnly: z.boolean(),
    expiresAt: z.iso.datetime().nullable(),
    state: z.enum(paperOrderStates),
    reason: z.string().nullable().describe('why it ended, where that is not obvious'),
    reserved: z.string().describe('cash of a purchase, contracts of a sale'),
    fee: z.string(),
    queueAhead: z
      .string()
      .nullable()
      .describe('contracts ahead of it when it began to rest; null: it did not rest yet'),
    cancelRequestedAt: z.iso.datetime().nullable(),
    placedAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'PaperOrder' })
export type PaperOrder = z.infer<typeof PaperOrder>

export const PaperEvidence = z.object({
  bookEpoch: z.int(),
  bookSeq: z.int(),
  tradeIds: z.array(z.string()),
})
export type PaperEvidence = z.infer<typeof PaperEvidence>

export const PaperFill = z
  .object({
    fillId: z.string().regex(/^\d+$/),
    executionId: z.uuid(),
    venue: z.string(),
    marketId: z.string(),
    outcomeId: z.string(),
    currency: z.string().nullable(),
    side: z.enum(['buy', 'sell']),
    price: z.string(),
    size: z.string(),
    cash: z.string().describe('price times size, before the fee'),
    fee: z.string(),
    liquidity: z.enum(['taker', 'maker']),
    evidence: PaperEvidence.describe('the sequence of the live book, and the trades, that the fill follows from'),
    filledAt: z.iso.datetime(),
  })
  .meta({ id: 'PaperFill' })
export type PaperFill = z.infer<typeof PaperFill>
