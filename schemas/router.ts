// Orders over several venues: what is requested, what is planned, and the results. Amounts are decimal strings in dollars, sizes in
// contracts, prices in probability dollars; null is unknown.
import { z } from 'zod'
import { FieldsOfVenues, ItemError } from './batch.ts'
import { Execution, JsonObject } from './executions.ts'
import { executionVenues } from './venues.ts'

export const routerGroupKinds = ['route', 'arbitrage', 'structure'] as const
export const RouterGroupKind = z.enum(routerGroupKinds).meta({ id: 'RouterGroupKind' })
export type RouterGroupKind = z.infer<typeof RouterGroupKind>

/** Larger requests are refused: their sums would not be exact. */
export const contractsMax = 100_000
const dollarsMax = 10_000_000
const decimal = (digits: number, places: number) => new RegExp(`^\\d{1,${digits}}(\\.\\d{1,${places}})?$`)

/** Hundredths of a contract are the finest size of a plan. */
export const PlanSize = z
  .union([z.number(), z.string()])
  .transform(String)
  .pipe(z.string().regex(decimal(6, 2), 'must be contracts above zero with at most two decimals'))
  .refine((text) => Number(text) > 0 && Number(text) <= contractsMax, `must be above 0 and at most ${contractsMax}`)

const Dollars = z
  .union([z.number(), z.string()])
  .transform(String)
  .pipe(z.string().regex(decimal(8, 6), 'must be dollars with at most six decimals'))
  .refine((text) => Number(text) <= dollarsMax, `must be at most ${dollarsMax}`)

const PlanPrice = z
  .union([z.number(), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^0?\.\d{1,6}$/, 'must be between 0 and 1 with at most six decimals'))
  .refine((text) => Number(text) > 0, 'must be above 0')

const venuesMax = 20
const VenueName = z.string().max(40).toLowerCase().pipe(z.enum(executionVenues))
const VenueNames = z.array(VenueName).min(1).max(venuesMax)

/** What every plan takes. */
const planFields = {
  /** Stores the group and builds its executions. Otherwise nothing is stored. */
  persist: z.boolean().optional(),
  /** False: the legs alone, without artifacts. */
  artifacts: z.boolean().optional(),
  /** By venue: further fields of the venue's build, such as `owner`; never a credential. */
  accounts: FieldsOfVenues.optional(),
  /** By venue: cash in dollars for a purchase, contracts for a sale. A venue that is missing is not limited. */
  balances: z.partialRecord(z.enum(executionVenues), z.union([z.number(), z.string()]).transform(String)).optional(),
  /** Only these venues. */
  venues: VenueNames.optional(),
  /** None of these. */
  excludeVenues: VenueNames.optional(),
  /** Books not confirmed for longer are left out. Default: any live book counts. */
  bookAgeMaxMs: z.int().min(1).max(86_400_000).optional(),
}

export const RouterPlanBody = z
  .strictObject({
    /** A market by its venue and id, or a cluster of equal markets; `outcomeSide` is that market’s, or of the cluster’s question. */
    venue: z.string().min(1).max(40).toLowerCase().optional(),
    marketId: z.string().min(1).max(256).optional(),
    clusterId: z.string().min(1).max(256).optional(),
    outcomeSide: z.enum(['YES', 'NO']),
    isBuy: z.boolean(),
    /** Contracts; or `amount` */
    size: PlanSize.optional(),
    /** Dollars: of a purchase what it may cost with all fees, of a sale what it is to bring after them. */
    amount: Dollars.optional(),
    /** No limit price is worse. */
    worstPrice: PlanPrice.optional(),
    /** False: only the outcome itself, never all other outcomes of its event instead of it. */
    structures: z.boolean().optional(),
    ...planFields,
  })
  .refine(({ size, amount }) => (size === undefined) !== (amount === undefined), {
    path: ['size'],
    message: 'give size or amount',
  })
  .refine(({ amount }) => amount === undefined || Number(amount) > 0, { path: ['amount'], message: 'must be above 0' })
  .refine(
    ({ venue, marketId, clusterId }) =>
      clusterId === undefined
        ? venue !== undefined && marketId !== undefined
        : venue === undefined && marketId === undefined,
    { path: ['marketId'], message: 'give venue and marketId, or clusterId' },
  )
  .meta({
    examples: [
      { venue: 'kalshi', marketId: 'KXTEST-26-A', outcomeSide: 'YES', isBuy: true, size: '100', worstPrice: '0.6' },
      { clusterId: 'c1', outcomeSide: 'NO', isBuy: false, amount: '250', balances: { kalshi: '40' } },
    ],
  })
export type RouterPlanBody = z.infer<typeof RouterPlanBody>

export const RouterArbitrageBody = z
  .strictObject({
    /** Exactly so many contracts of each leg; or at most `sizeMax`, of which the size with the largest edge is taken. */
    size: PlanSize.optional(),
    sizeMax: PlanSize.optional(),
    /** Dollars: it is refused below this edge. */
    minEdge: Dollars,
    ...planFields,
  })
  .refine(({ size, sizeMax }) => size === undefined || sizeMax === undefined, {
    path: ['size'],
    message: 'give size or sizeMax',
  })
  .meta({ examples: [{ sizeMax: '200', minEdge: '1.50' }] })
export type RouterArbitrageBody = z.infer<typeof RouterArbitrageBody>

export const RouterCloseBody = z
  .strictObject({
    /** `complete`: buys what is missing. `unwind`: sells what is too much. Default: what leaves more. */
    mode: z.enum(['complete', 'unwind']).optional(),
    ...planFields,
  })
  .meta({ examples: [{ mode: 'complete' }] })
export type RouterCloseBody = z.infer<typeof RouterCloseBody>

export const RouterQuote = z
  .object({
    contracts: z.string(),
    /** Prices alone: paid, or received for a sale. */
    notional: z.string(),
    fee: z.string(),
    /** Of what is bought, charged if it wins. */
    settlementFee: z.string(),
    /** notional ÷ contracts. */
    averagePrice: z.string().nullable(),
    /** Paid with all fees; of a sale what is received after them. */
    total: z.string(),
    /** The request is met in full. */
    filled: z.boolean(),
    /** No other split is better. */
    proven: z.boolean(),
    /** Dollars that a better split of this size could save at most; null: not known. */
    gap: z.string().nullable(),
    /** Of an arbitrage: paid in the worst case after settlement, and that less `total`. */
    payout: z.string().nullable(),
    edge: z.string().nullable(),
  })
  .meta({ id: 'RouterQuote' })
export type RouterQuote = z.infer<typeof RouterQuote>

/** What one venue alone would do. */
export const RouterAlternative = z
  .object({
    venue: z.string(),
    marketId: z.string(),
    /** Of a structure: all legs together. */
    structure: z.boolean(),
    contracts: z.string(),
    averageTotal: z.string().nullable(),
    total: z.string(),
  })
  .meta({ id: 'RouterAlternative' })

export const RouterLeftOut = z
  .object({ venue: z.string(), marketId: z.string(), structure: z.boolean(), reason: z.string() })
  .meta({ id: 'RouterLeftOut' })

export const RouterLeg = z
  .object({
    position: z.number().int(),
    /** Legs of one component are to be filled equally. */
    component: z.number().int(),
    venue: z.string(),
    marketId: z.string(),
    outcomeId: z.string(),
    outcomeSide: z.enum(['YES', 'NO']),
    isBuy: z.boolean(),
    size: z.string(),
    /** The worst price taken, on the market’s tick. */
    limitPrice: z.string(),
    averagePrice: z.string(),
    notional: z.string(),
    fee: z.string(),
    bookAgeMs: z.number().int().nullable(),
    /** The order does not rest if it is not filled at once. False: the venue takes no such order. */
    immediate: z.boolean(),
    /** In a closing group: the leg of the closed one that it completes or undoes. */
    closesPosition: z.number().int().nullable(),
    /** The unsigned artifact; null: see `error`, or artifacts were not requested. */
    execution: Execution.nullable(),
    error: ItemError.nullable(),
    warnings: z.array(z.string()).optional(),
    /** As its execution reports; null: unknown, or nothing was stored. */
    matchedSize: z.string().nullable(),
    paidPrice: z.string().nullable(),
    paidFee: z.string().nullable(),
  })
  .meta({ id: 'RouterLeg' })
export type RouterLeg = z.infer<typeof RouterLeg>

export const routerStatuses = [
  'planned',
  'building',
  'built',
  'working',
  'filled',
  'partial',
  'unequal',
  'unfilled',
] as const
export const RouterStatus = z.enum(routerStatuses).meta({ id: 'RouterStatus' })
export type RouterStatus = z.infer<typeof RouterStatus>

export const RouterExposure = z
  .object({
    position: z.number().int(),
    /** Contracts of the leg’s outcome that no other leg covers. */
    contracts: z.string(),
  })
  .meta({ id: 'RouterExposure' })

export const RouterGroup = z
  .object({
    /** Null: nothing was stored. */
    groupId: z.uuid().nullable(),
    kind: RouterGroupKind,
    /** `unequal`: all legs have ended, and some filled more than others. `partial`: equally, and less than planned. */
    status: RouterStatus,
    /** The group that this one closes. */
    closesGroupId: z.uuid().nullable(),
    closedBy: z.array(z.uuid()),
    request: JsonObject,
    quote: RouterQuote,
    alternatives: z.array(RouterAlternative),
    leftOut: z.array(RouterLeftOut),
    legs: z.array(RouterLeg),
    /** Of ended legs, closing groups included; null while a leg works, or what was filled is unknown. */
    exposure: z.array(RouterExposure).nullable(),
    /** Contracts of the request that were not filled; null likewise. */
    remaining: z.string().nullable(),
    /** Of an arbitrage: what was really paid for the contracts that every leg has. */
    realised: z
      .object({
        contracts: z.string(),
        total: z.string().nullable(),
        /** Before settlement fees. */
        edge: z.string().nullable(),
        /** The quoted edge of as many contracts. */
        quotedEdge: z.string().nullable(),
      })
      .nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'RouterGroup' })
export type RouterGroup = z.infer<typeof RouterGroup>
