// The account's journal compared with what venues show of its accounts. Amounts are decimal strings; null is unknown.
import { z } from 'zod'
import { ExecutionStatus } from './executions.ts'
import { PositionImport } from './portfolio.ts'

export const ReconciliationClass = z
  .enum(['equal', 'drift', 'orphan', 'ghost', 'unproven', 'pending'])
  .describe(
    'orphan: only the venue shows it. ghost: only the journal has it. unproven: only the journal has it, and the venue’s list proves nothing about it. pending: fills, or a settlement, that one side does not have yet',
  )
  .meta({ id: 'ReconciliationClass' })

export const ReconciliationReason = z
  .enum([
    'same',
    'within_rounding',
    'quantity',
    'cost',
    'not_in_journal',
    'not_at_venue',
    'list_incomplete',
    'market_ended',
    'fills_not_stored',
    'fills_not_shown',
    'settled',
  ])
  .meta({ id: 'ReconciliationReason' })

const Holding = z
  .object({
    quantity: z.string().describe('below zero: short'),
    averageCost: z.string().nullable().describe('per share; ours includes fees, the venue’s does not'),
  })
  .meta({ id: 'ReconciledHolding' })

export const ReconciledPosition = z
  .object({
    marketId: z.string().nullable().describe('null: the catalog does not know the outcome'),
    outcomeId: z.string(),
    ours: Holding.nullable().describe('null: no position'),
    theirs: Holding.nullable().describe('null: no position'),
    class: ReconciliationClass,
    evidence: z.object({
      reason: ReconciliationReason,
      difference: z.string().describe('the venue’s quantity less ours'),
      costDifference: z.string().nullable().describe('of the average cost; null: not compared'),
      lastEntryAt: z.iso.datetime().nullable().describe('of our last entry in this outcome'),
      unexplained: z.array(z.uuid()).describe('executions of which the venue reported more as filled than is stored'),
    }),
    import: PositionImport.nullable().describe(
      'of an orphan: the body for POST /v1/portfolio/imports, which enters it once; null where there is nothing to enter',
    ),
  })
  .meta({ id: 'ReconciledPosition' })
export type ReconciledPosition = z.infer<typeof ReconciledPosition>

export const ReconciledOrder = z
  .object({
    orderId: z.string().describe('the venue’s'),
    executionId: z.uuid().nullable().describe('ours; with class pending it may be this one'),
    status: ExecutionStatus.nullable().describe('of our execution'),
    marketId: z.string().nullable(),
    outcomeId: z.string().nullable(),
    side: z.enum(['buy', 'sell']).nullable(),
    price: z.string().nullable(),
    remaining: z.string().nullable().describe('not filled yet'),
    class: ReconciliationClass,
    evidence: z.object({
      reason: z.enum([
        'same',
        'rests_after_end',
        'not_in_journal',
        'outcome_unknown',
        'not_at_venue',
        'list_incomplete',
        'recent',
      ]),
    }),
  })
  .meta({ id: 'ReconciledOrder' })
export type ReconciledOrder = z.infer<typeof ReconciledOrder>

export const ReconciledVenue = z
  .object({
    venue: z.string(),
    asOf: z.iso.datetime().nullable().describe('time of the venue’s lists; null: they could not be read'),
    provenance: z.enum(['venue_api', 'chain']),
    isComplete: z.boolean().nullable().describe('false: what the lists do not show proves nothing; null: not read'),
    balances: z
      .array(
        z.object({
          currency: z.string().nullable(),
          total: z.string().nullable(),
          available: z.string().nullable(),
        }),
      )
      .nullable()
      .describe('null: not read'),
    positions: z.array(ReconciledPosition).nullable().describe('null: not read; never an empty list for that'),
    openOrders: z.array(ReconciledOrder).nullable().describe('null: not read, or this venue’s list is not documented'),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'ReconciledVenue' })
export type ReconciledVenue = z.infer<typeof ReconciledVenue>

export const ReconciliationGap = z.object({ venue: z.string(), reason: z.string() }).meta({ id: 'ReconciliationGap' })
