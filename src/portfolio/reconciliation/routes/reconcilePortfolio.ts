// The account's journal compared with what its venues show. Credentials come with the request, are used for it, and are gone with it.
import { z } from 'zod'
import { multiplyDecimals, roundDecimal } from '#core/decimal'
import { portfolioFields } from '#schemas/portfolio'
import {
  type ReconciledOrder,
  type ReconciledPosition,
  ReconciledVenue,
  ReconciliationGap,
} from '#schemas/reconciliation'
import { defineRoute } from '#server/http/defineRoute'
import { TradedVenue } from '#server/http/venueName'
import { access, accountOf, fieldsOf, isoOf, tag } from '../../routes/shapes.ts'
import type { Compared } from '../compare.ts'
import type { ComparedOrder } from '../compareOrders.ts'
import type { ReconciliationRouteDeps } from '../ports.ts'
import { importRef, type ReconciledVenue as Read, reconcile } from '../reconcile.ts'
import { accountsMax, planOf, unnamedVenues } from './plan.ts'

const venuesMax = 20
/** Digits an import may have after the point. */
const importPlaces = 18

const Given = z.record(z.string(), z.unknown())
/** By venue: one account there, or several. */
const ByVenue = z.record(z.string(), z.union([Given, z.array(Given).min(1).max(accountsMax)])).default({})

const Body = z
  .strictObject({
    venues: z
      .array(TradedVenue)
      .min(1)
      .max(venuesMax)
      .optional()
      .describe('default: those with an account or credentials below'),
    accounts: ByVenue.describe('by venue: `{wallet}`, or a list of them; for venues that show accounts to anyone'),
    credentials: ByVenue.describe(
      'by venue: as for its submit, or a list of them; used for this request, never stored or logged',
    ),
  })
  .meta({
    examples: [
      {
        accounts: { polymarket: { wallet: '0x1111111111111111111111111111111111111111' } },
        credentials: { polymarket_us: { keyId: 'key-1', secretKey: 'c2VjcmV0' } },
      },
    ],
  })

export const reconcilePortfolio = defineRoute({
  operationId: 'reconcilePortfolio',
  method: 'post',
  path: '/v1/portfolio/reconcile',
  liveOnly: true,
  access,
  heavy: true,
  summary: 'Compares the account’s positions with those that venues show of it; changes nothing',
  tag,
  body: Body,
  data: z.array(ReconciledVenue),
  topLevelFields: {
    ...portfolioFields,
    unsupported: z.array(ReconciliationGap).describe('venues whose accounts cannot be read here, and why'),
    accountNeeded: z
      .array(ReconciliationGap)
      .describe('venues that were requested, or have positions, and for which the request names no account'),
  },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'NOT_SUPPORTED', 'EXEC_UNAVAILABLE'],
  async handle(input, { reconciliation: deps }: ReconciliationRouteDeps) {
    const accountId = accountOf(input)
    const plan = planOf(deps, input.body)
    const found = await reconcile(deps, { accountId, signal: input.call.signal }, plan.requests)
    const unnamed = input.body.venues === undefined ? unnamedVenues(deps, plan, found.heldVenues) : null
    return {
      data: found.venues.map(rowOf),
      siblings: {
        ...fieldsOf({ ...found.journal, unavailable: found.unavailable }),
        unsupported: [...plan.unsupported, ...(unnamed?.unsupported ?? [])],
        accountNeeded: [...plan.accountNeeded, ...(unnamed?.accountNeeded ?? [])],
      },
    }
  },
})

function rowOf({ venue, source, found, error }: Read): ReconciledVenue {
  if (found === null) {
    const unread = { asOf: null, isComplete: null, balances: null, positions: null, openOrders: null }
    return { venue, provenance: source, ...unread, error }
  }
  const { holdings, positions, openOrders } = found
  return {
    venue,
    asOf: isoOf(holdings.asOf),
    provenance: source,
    isComplete: holdings.isComplete,
    balances: holdings.balances,
    positions: positions.map((position) => positionRow(venue, position, holdings.asOf)),
    openOrders: openOrders?.map(orderRow) ?? null,
    error: null,
  }
}

function orderRow({ isBuy, reason, ...order }: ComparedOrder): ReconciledOrder {
  return { ...order, side: isBuy === null ? null : isBuy ? 'buy' : 'sell', evidence: { reason } }
}

function positionRow(venue: string, compared: Compared, asOf: number): ReconciledPosition {
  const { marketId, outcomeId, ours, theirs, reason, difference, costDifference, lastEntryAt, unexplained } = compared
  return {
    marketId,
    outcomeId,
    ours,
    theirs,
    class: compared.class,
    evidence: {
      reason,
      difference,
      costDifference,
      lastEntryAt: lastEntryAt === null ? null : isoOf(lastEntryAt),
      unexplained,
    },
    import: importOf(venue, compared, asOf),
  }
}

function importOf(
  venue: string,
  { marketId, outcomeId, theirs, class: kind }: Compared,
  asOf: number,
): ReconciledPosition['import'] {
  if (kind !== 'orphan' || marketId === null || theirs === null) return null
  const { quantity, averageCost } = theirs
  const cost =
    averageCost === null ? null : roundDecimal(multiplyDecimals(quantity, averageCost), importPlaces, 'halfEven')
  return {
    kind: 'position',
    venue,
    ref: importRef(venue, marketId, outcomeId),
    at: isoOf(asOf),
    marketId,
    outcomeId,
    size: quantity,
    cost,
  }
}
