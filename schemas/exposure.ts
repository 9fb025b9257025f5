// What an account's positions can pay together, over markets that ask the same or related questions. Amounts are decimal strings in the
// currency of the row; null: unknown.
import { z } from 'zod'
import { MatchBand } from './structures.ts'

export const ExposureView = z.enum(['group', 'venue', 'event']).meta({ id: 'ExposureView' })
export type ExposureView = z.infer<typeof ExposureView>

/**
 * What the payouts leave out. `void_or_split`: a market that is void or pays a part to each side. `settlement_fee`: the venue charges one, or
 * does not document that it charges none. `currency_unknown`: the market is not added to any other. With the others, each share may pay
 * anything from zero to one unit: `not_in_catalog`, `outcome_unknown`, `scalar`, `payout_unknown` (resolved, without a known payout).
 */
export const NotCovered = z
  .enum([
    'void_or_split',
    'settlement_fee',
    'currency_unknown',
    'not_in_catalog',
    'outcome_unknown',
    'scalar',
    'payout_unknown',
  ])
  .meta({ id: 'ExposureNotCovered' })
export type NotCovered = z.infer<typeof NotCovered>

/**
 * Why the worst and best case are bounds. `search_limit`: too many combinations. `relations_limit`: more relations than are read.
 * `payout_unknown`: see `notCovered`. `contradiction`: the relations contradict each other or a result, and are not used.
 */
export const ExposureBound = z
  .enum(['search_limit', 'relations_limit', 'payout_unknown', 'contradiction'])
  .meta({ id: 'ExposureBound' })
export type ExposureBound = z.infer<typeof ExposureBound>

const Amount = z.string()
const cases = {
  worstCase: Amount.describe('value of all its positions in the worst outcome; a lower bound unless isExact'),
  bestCase: Amount.describe('in the best outcome; an upper bound unless isExact'),
  isExact: z.boolean(),
  bounds: z.array(ExposureBound).describe('empty if isExact'),
  lockedProfit: Amount.nullable().describe('worstCase less capitalUsed; null if a cost is unknown'),
  bestProfit: Amount.nullable().describe('bestCase less capitalUsed; null if a cost is unknown'),
  capitalUsed: Amount.nullable().describe(
    'cost basis, fees included; below zero for a short; null if a cost is unknown',
  ),
  unknownCosts: z.int().describe('positions without a known cost'),
  share: z.number().nullable().describe('of the capital used in this currency, 0 to 1, of known costs'),
  settlesAt: z.iso.datetime().nullable().describe('latest resolution date of its open markets; null if one is unknown'),
  daysToSettlement: z.number().nullable().describe('0 if the date has passed'),
}

export const ExposurePosition = z
  .object({
    venue: z.string(),
    marketId: z.string(),
    outcomeId: z.string(),
    market: z.string().nullable().describe('title'),
    label: z.string().nullable(),
    quantity: Amount.describe('below zero: short'),
    costBasis: Amount.nullable(),
    payout: Amount.nullable().describe('per share, of a resolved market whose payout is not collected'),
    inWorstCase: Amount.nullable().describe('its value in the worst outcome; null if that was not found'),
    inBestCase: Amount.nullable(),
    resolutionDate: z.string().nullable(),
  })
  .meta({ id: 'ExposurePosition' })
export type ExposurePosition = z.infer<typeof ExposurePosition>

export const ExposureOutcome = z
  .object({
    payoff: Amount,
    profit: Amount.nullable(),
    pays: z
      .array(z.object({ venue: z.string(), marketId: z.string(), outcomeId: z.string() }))
      .describe('the held outcomes that come true, or have'),
  })
  .meta({ id: 'ExposureOutcome' })
export type ExposureOutcome = z.infer<typeof ExposureOutcome>

export const ExposureRelation = z
  .object({ id: z.string(), kind: z.string(), band: MatchBand, reason: z.string().nullable() })
  .meta({ id: 'ExposureRelation' })
export type ExposureRelation = z.infer<typeof ExposureRelation>

export const MinorRelations = z
  .object({
    relations: z.array(ExposureRelation).describe('at most 50'),
    count: z.int(),
    groups: z.array(z.string()).describe('ids of the other groups that they connect with this one'),
    worstCase: Amount.nullable().describe('of all these groups together; null if the relations contradict each other'),
    bestCase: Amount.nullable(),
    isExact: z.boolean(),
    bounds: z.array(ExposureBound),
    lockedProfit: Amount.nullable(),
  })
  .meta({ id: 'ExposureMinorRelations' })
export type MinorRelations = z.infer<typeof MinorRelations>

export const ExposureGroup = z
  .object({
    by: z.literal('group'),
    groupId: z.string().describe('the first of its markets, `<venue>:<marketId>`'),
    currency: z.string().nullable().describe('`USD` for every dollar and token worth one'),
    venues: z.array(z.string()),
    ...cases,
    outcomes: z.array(ExposureOutcome).describe('worst first'),
    hasAllOutcomes: z.boolean().describe('false: only the worst and the best that were found'),
    positions: z.array(ExposurePosition),
    relations: z.array(ExposureRelation).describe('that connect its markets; at most 50'),
    relationCount: z.int(),
    notCovered: z.array(z.object({ reason: NotCovered, markets: z.array(z.string()) })),
    minorRelations: MinorRelations.nullable().describe(
      'what changes if uncertain relations hold too; null: there are none',
    ),
  })
  .meta({ id: 'ExposureGroup' })
export type ExposureGroup = z.infer<typeof ExposureGroup>

/** Positions at one venue, or in one event of one. */
export const ExposurePart = z
  .object({
    by: z.enum(['venue', 'event']),
    venue: z.string(),
    eventId: z.string().nullable(),
    market: z.string().nullable().describe('of a market without an event: `<venue>:<marketId>`'),
    currency: z.string().nullable(),
    positions: z.int(),
    markets: z.int(),
    ...cases,
  })
  .meta({ id: 'ExposurePart' })
export type ExposurePart = z.infer<typeof ExposurePart>

export const ExposureRow = z.discriminatedUnion('by', [ExposureGroup, ExposurePart]).meta({ id: 'ExposureRow' })
export type ExposureRow = z.infer<typeof ExposureRow>

const concentration = {
  currency: z.string().nullable(),
  capitalUsed: Amount.describe('of known costs'),
  unknownCosts: z.int(),
  share: z.number().nullable(),
}
export const ExposureMeta = z
  .object({
    positions: z.int(),
    groups: z.int(),
    /** Of the whole account, largest first, at most 20 of each. */
    concentration: z.object({
      venues: z.array(z.object({ venue: z.string(), ...concentration })),
      events: z.array(
        z.object({
          venue: z.string(),
          eventId: z.string().nullable(),
          market: z.string().nullable(),
          ...concentration,
        }),
      ),
      groups: z.array(z.object({ groupId: z.string(), ...concentration })),
    }),
  })
  .meta({ id: 'ExposureMeta' })
export type ExposureMeta = z.infer<typeof ExposureMeta>

export const exposureLimitDefault = 20
/** Larger limits are capped at this. */
export const exposureLimitMax = 100
