// The portfolio of an account: positions, totals, fills, statements, and what its owner enters. Amounts are decimal strings in `currency`,
// never converted; quantities are contracts or shares. Null is unknown.
import { z } from 'zod'
import { labMark } from './envelope.ts'
import { positionIntents } from './executions.ts'

export const portfolioFormats = ['json', 'csv', 'parquet'] as const
export const positionStatuses = ['open', 'closed', 'all'] as const
export const provenances = ['journal', 'venue_api', 'chain', 'import'] as const
export const settlementTimeSources = ['venue', 'resolutionDate', 'catalogUpdate', 'lastTrade', 'redemption'] as const

export const PortfolioProvenance = z
  .object({
    source: z.literal('journal'),
    entries: z.array(z.enum(provenances)).describe('where the entries of the ledger come from'),
    ...labMark,
  })
  .meta({ id: 'PortfolioProvenance' })

export const PortfolioGaps = z
  .object({
    unexplained: z
      .object({
        total: z.int(),
        orders: z.array(
          z.object({
            executionId: z.uuid(),
            venue: z.string(),
            marketId: z.string(),
            outcomeId: z.string(),
            size: z.string(),
          }),
        ),
      })
      .describe('orders whose reported filled size exceeds their stored fills, by `size`; the first 100'),
    unreadable: z
      .object({
        total: z.int(),
        fills: z.array(
          z.object({
            fillId: z.string(),
            executionId: z.uuid(),
            venue: z.string(),
            reason: z.enum(['not_supported', 'no_terms', 'unreadable']),
          }),
        ),
      })
      .describe('stored fills that count nowhere, because their quantity or market is not known; the first 100'),
    exchanges: z
      .object({
        total: z.int(),
        executions: z.array(z.object({ executionId: z.uuid(), venue: z.string(), intent: z.enum(positionIntents) })),
      })
      .describe(
        'completed splits, merges and conversions that count nowhere, because what they exchanged is not known; the first 100',
      ),
  })
  .meta({ id: 'PortfolioGaps' })

/** Next to `data` in every answer. */
export const portfolioFields = {
  asOf: z.iso.datetime(),
  provenance: PortfolioProvenance,
  unavailable: z
    .array(z.string())
    .describe('sources that did not answer: `catalog`, `books:<venue>`; values that depend on them are null'),
  gaps: PortfolioGaps,
}

const Amount = z.string().nullable()

const Marked = z
  .object({
    mid: Amount.describe('at the middle of the live book'),
    bid: Amount.describe('sold into the live book as a whole; bought back from it, for a quantity below zero'),
    last: Amount.describe('at the last known price'),
  })
  .meta({ id: 'MarkValues' })

const heldShape = {
  venue: z.string(),
  marketId: z.string(),
  outcomeId: z.string(),
  currency: z.string().nullable().describe('of all its amounts; null where no source names it'),
  quantity: z.string().describe('below zero: more was sold here than bought'),
  costBasis: Amount.describe('of the open quantity at average cost, fees included'),
  averageCost: Amount.describe('per share, rounded to 9 places'),
  costBasisFifo: Amount.describe('first in, first out'),
  realizedPnl: Amount.describe('at average cost, fees included'),
  realizedPnlFifo: Amount,
  fees: Amount.describe('paid in cash'),
  bought: z.string().describe('shares that came in by fills, splits and conversions; without imports'),
  sold: z.string().describe('shares that left by fills, merges and conversions; without imports'),
}

export const PortfolioPosition = z
  .object({
    ...heldShape,
    market: z.string().nullable(),
    label: z.string().nullable(),
    marketStatus: z.string().nullable(),
    resolutionDate: z.iso.datetime().nullable(),
    settlement: z
      .object({
        value: z.string().describe('payout of a share'),
        unclaimed: z.string().describe('shares whose payout is not collected'),
        paid: z.string(),
        at: z.iso.datetime().nullable(),
        timeSource: z
          .enum(settlementTimeSources)
          .nullable()
          .describe('of `at`: as the venue reports it, or what it was estimated from'),
      })
      .nullable()
      .describe('null: the market is not known to be resolved'),
    marks: Marked,
    value: Marked.extend({ settlement: Amount.describe('payout of the unclaimed shares') }),
    unrealizedPnl: Marked,
    openedAt: z.iso.datetime().nullable(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'PortfolioPosition' })
export type PortfolioPosition = z.infer<typeof PortfolioPosition>

const Sum = z
  .object({
    known: z.string().describe('the sum of what is known'),
    unknown: z.int().describe('positions left out of it'),
  })
  .meta({ id: 'PortfolioSum' })

const EntrySum = z
  .object({
    known: z.string().describe('the sum of what is known'),
    unknown: z.int().describe('entries left out of it'),
  })
  .meta({ id: 'PortfolioEntrySum' })

const MarkedSum = z.object({ mid: Sum, bid: Sum, last: Sum })

export const unknownReasons = [
  'amount_not_reported',
  'cost_not_entered',
  'cost_unknown',
  'no_live_book',
  'book_too_thin',
  'no_last_price',
  'payout_unknown',
  'catalog_unavailable',
] as const

const totalsShape = {
  currency: z.string().nullable(),
  cashFlow: Amount.describe('deposits, sales and payouts less purchases and fees; not the venue’s balance'),
  deposits: z.string().describe('transfers, and imports at their cost'),
  fees: Sum,
  realizedPnl: Sum.describe('at average cost'),
  realizedPnlFifo: Sum,
  value: MarkedSum.describe('of open positions'),
  unclaimed: z.string().describe('payouts of resolved markets that are not collected'),
  unrealizedPnl: MarkedSum,
  positions: z.object({ open: z.int(), closed: z.int() }),
  unknown: z.array(
    z.object({ field: z.string(), reason: z.enum(unknownReasons), count: z.int().describe('positions, or entries') }),
  ),
}

export const VenueTotals = z.object({ venue: z.string(), ...totalsShape }).meta({ id: 'PortfolioVenueTotals' })
export type VenueTotals = z.infer<typeof VenueTotals>
export const CurrencyTotals = z.object(totalsShape).meta({ id: 'PortfolioCurrencyTotals' })
export type CurrencyTotals = z.infer<typeof CurrencyTotals>

export const PortfolioSummary = z
  .object({ byVenue: z.array(VenueTotals), byCurrency: z.array(CurrencyTotals) })
  .meta({ id: 'PortfolioSummary' })
export type PortfolioSummary = z.infer<typeof PortfolioSummary>

export const PortfolioFill = z
  .object({
    fillId: z.string(),
    executionId: z.uuid().nullable(),
    venue: z.string(),
    marketId: z.string(),
    outcomeId: z.string(),
    side: z.enum(['buy', 'sell']),
    size: z.string(),
    price: Amount.describe('cash by size, rounded to 9 places'),
    cash: Amount.describe('paid or received, before fees'),
    fee: Amount.describe('below zero: a rebate'),
    feeIn: z.enum(['cash', 'outcome']),
    currency: z.string().nullable(),
    isWithdrawn: z.boolean().describe('the venue reverted it'),
    provenance: z.enum(provenances),
    filledAt: z.iso.datetime(),
  })
  .meta({ id: 'PortfolioFill' })
export type PortfolioFill = z.infer<typeof PortfolioFill>

export const historyIntervals = ['day', 'month'] as const

export const PortfolioPeriod = z
  .object({
    period: z.string().describe('`2026-11-30` or `2026-11`, UTC'),
    venue: z.string(),
    currency: z.string().nullable(),
    realizedPnl: Amount.describe('at average cost; before fees that are unknown'),
    fees: EntrySum,
    deposits: EntrySum.describe('transfers, and imports at their cost'),
    bought: EntrySum.describe('paid for purchases, before fees'),
    sold: EntrySum.describe('received for sales, before fees'),
    fills: z.int(),
  })
  .meta({ id: 'PortfolioPeriod' })
export type PortfolioPeriod = z.infer<typeof PortfolioPeriod>

export const StatementPosition = z.object(heldShape).meta({ id: 'StatementPosition' })
export type StatementPosition = z.infer<typeof StatementPosition>

export const StatementEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    kind: z.enum([
      'fill',
      'correction',
      'settlement',
      'redemption',
      'split',
      'merge',
      'conversion',
      'transfer',
      'import',
    ]),
    venue: z.string(),
    currency: z.string().nullable(),
    provenance: z.enum(provenances),
    marketId: z.string().nullable(),
    outcomeId: z.string().nullable(),
    side: z.enum(['buy', 'sell']).nullable(),
    size: Amount,
    cash: Amount.describe('before fees; of an import its cost, of a settlement the payout of a share'),
    fee: Amount,
    feeIn: z.enum(['cash', 'outcome']).nullable(),
    executionId: z.uuid().nullable(),
    withdraws: z.string().nullable().describe('of a correction: the entry that counts no longer'),
    isWithdrawn: z.boolean(),
  })
  .meta({ id: 'StatementEntry' })
export type StatementEntry = z.infer<typeof StatementEntry>

export const StatementTotals = z
  .object({
    venue: z.string(),
    currency: z.string().nullable(),
    cashFlow: Amount,
    deposits: EntrySum,
    fees: EntrySum,
    realizedPnl: Amount,
  })
  .meta({ id: 'StatementTotals' })
export type StatementTotals = z.infer<typeof StatementTotals>

export const Statement = z
  .object({
    period: z.string(),
    from: z.iso.datetime().describe('inclusive'),
    to: z.iso.datetime().describe('exclusive'),
    isComplete: z.boolean().describe('false: the period has not ended'),
    opening: z.array(StatementPosition),
    entries: z.array(StatementEntry).describe('oldest first'),
    closing: z.array(StatementPosition),
    totals: z.array(StatementTotals).describe('what the period added, by venue and currency'),
  })
  .meta({ id: 'PortfolioStatement' })
export type Statement = z.infer<typeof Statement>

const digits = 18
const decimal = (pattern: string) =>
  z.string().regex(new RegExp(`^${pattern}\\d{1,${digits}}(\\.\\d{1,${digits}})?$`), {
    error: 'must be a plain decimal as text, at most 18 digits before and after the point',
  })

const importShape = {
  venue: z.string().min(1),
  ref: z.string().min(1).max(200).describe('your own name of it: a ref is entered once per venue'),
  at: z.iso.datetime({ offset: true }).describe('when it happened'),
}

/** Bodies of an import; the route parses the venue. */
export const PositionImport = z.strictObject({
  kind: z.literal('position'),
  ...importShape,
  marketId: z.string().min(1).max(300),
  outcomeId: z.string().min(1).max(300),
  currency: z.string().min(1).max(20).optional().describe('default: that of the market'),
  size: decimal('-?').describe('below zero: a short position, or what undoes an earlier import'),
  cost: decimal('-?').nullable().default(null).describe('of the whole, with the sign of size; null: unknown'),
})
export const TransferImport = z.strictObject({
  kind: z.literal('transfer'),
  ...importShape,
  currency: z.string().min(1).max(20),
  cash: decimal('-?').describe('above zero: paid in, below: paid out'),
})

export const PortfolioImport = z
  .object({
    importId: z.string(),
    kind: z.enum(['position', 'transfer']),
    venue: z.string(),
    ref: z.string(),
    currency: z.string().nullable(),
    marketId: z.string().nullable(),
    outcomeId: z.string().nullable(),
    size: Amount,
    cost: Amount,
    cash: Amount,
    at: z.iso.datetime(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'PortfolioImport' })
export type PortfolioImport = z.infer<typeof PortfolioImport>
