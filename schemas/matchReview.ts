// Template pairs under review, as served: two question texts with placeholders, the markets that reduce to them, and what was decided.
import { z } from 'zod'
import { DecisionReason, decisionVerdicts, TemplateDecisionSchema } from './matchDecisions.ts'
import { matchRelations } from './matches.ts'
import { MatchBand } from './structures.ts'
import { singleLineText } from './text.ts'
import { servedVenues } from './venues.ts'

const TemplateSlot = z
  .object({
    /** As in both texts: `{person}`. */
    placeholder: z.string(),
    kind: z.string(),
    a: z.string(),
    b: z.string(),
  })
  .meta({ id: 'TemplateSlot' })

const pairFields = {
  key: z.string().describe('The first 32 hex digits of the SHA-256 of both texts, joined by a newline'),
  a: z.string(),
  b: z.string(),
  slots: z.array(TemplateSlot).describe('What the placeholders replace in one of its pairs of markets'),
  pairs: z.int().describe('Pairs of markets that reduce to it'),
  openInterest: z.number().nullable().describe('Of its markets, estimated, in the venues’ own units'),
  edge: z.number().nullable().describe('Largest difference of Yes prices between two of its markets, probability'),
}

export const OpenTemplatePair = z
  .object({ ...pairFields, value: z.number().describe('Of a decision, roughly in dollars: the list is sorted by it') })
  .meta({ id: 'OpenTemplatePair' })
export type OpenTemplatePair = z.infer<typeof OpenTemplatePair>

const ReviewedMarket = z
  .object({
    venue: z.string(),
    marketId: z.string(),
    title: z.string(),
    url: z.string(),
    outcomes: z.array(z.object({ outcomeId: z.string(), label: z.string(), price: z.number().nullable() })),
    openInterest: z.number().nullable(),
  })
  .meta({ id: 'ReviewedMarket' })
export type ReviewedMarket = z.infer<typeof ReviewedMarket>

const ReviewedField = z
  .object({ field: z.string(), a: z.string().nullable(), b: z.string().nullable(), equal: z.boolean() })
  .meta({ id: 'ReviewedField' })
export type ReviewedField = z.infer<typeof ReviewedField>

const ReviewedPair = z
  .object({
    a: ReviewedMarket,
    b: ReviewedMarket,
    fields: z.array(ReviewedField).describe('What the matcher reads of both, field by field; the rules last'),
    band: MatchBand.nullable().describe('As of the last run; null: not stored'),
    differences: z.array(z.string()),
  })
  .meta({ id: 'ReviewedPair' })
export type ReviewedPair = z.infer<typeof ReviewedPair>

export const RecordedDecision = z
  .object({
    id: z.string(),
    action: z.enum(['decide', 'withdraw']),
    verdict: z.enum(decisionVerdicts).nullable().describe('null for a withdrawal'),
    relation: z.enum(matchRelations).nullable(),
    reasons: z.array(DecisionReason),
    decidedBy: z.string(),
    decidedAt: z.iso.datetime(),
    applies: z.boolean(),
  })
  .meta({ id: 'RecordedDecision' })
export type RecordedDecision = z.infer<typeof RecordedDecision>

export const TemplatePairDetails = z
  .object({
    ...pairFields,
    pairs: z.int().nullable().describe('null: not among the open pairs of the last run, and its value is unknown'),
    examples: z.array(ReviewedPair),
    decisions: z.array(RecordedDecision).describe('The newest 100, newest first'),
  })
  .meta({ id: 'TemplatePair' })
export type TemplatePairDetails = z.infer<typeof TemplatePairDetails>

const MarketQuote = z.object({ bid: z.number().nullable(), ask: z.number().nullable() }).meta({ id: 'MarketQuote' })

export const PriceDifference = ReviewedPair.extend({
  polarity: z.enum(['same', 'inverse']).describe('inverse: Yes of one is No of the other'),
  quotes: z.object({ a: MarketQuote, b: MarketQuote }).describe('Of Yes, as last listed by each venue'),
  since: z.iso.datetime().describe('Every observation found a difference since then'),
  demotedAt: z.iso.datetime().describe('When it had lasted for an hour'),
  observedAt: z.iso.datetime(),
  excess: z
    .number()
    .describe(
      'How much the mid prices differed beyond half of both spreads and both taker fees at observedAt, probability',
    ),
}).meta({ id: 'PriceDifference' })
export type PriceDifference = z.infer<typeof PriceDifference>

const DeciderName = singleLineText(200)
const DecisionText = singleLineText(1_000)

export const DecideBody = z
  .strictObject({
    relation: z
      .enum(matchRelations)
      .describe('From Yes of the first text to Yes of the second: identity and complement make a pair equal'),
    reason: DecisionText.optional(),
    by: DeciderName.optional().describe('Who decides; default: the key'),
  })
  .meta({ examples: [{ relation: 'identity', reason: 'both resolve by the official result', by: 'ann' }] })

export const WithdrawBody = z
  .strictObject({ reason: DecisionText.optional(), by: DeciderName.optional() })
  .meta({ examples: [{ reason: 'the rules differ on a tie', by: 'ann' }] })

const MarketReference = z
  .strictObject({ venue: singleLineText(50), marketId: singleLineText(500) })
  .meta({ id: 'MarketReference' })

const overrideActions = ['pin', 'forbid', 'withdraw'] as const
export type OverrideAction = (typeof overrideActions)[number]

export const PriceReviewBody = z
  .strictObject({
    action: z
      .enum(overrideActions)
      .describe('pin: the same question, whatever the prices; forbid: different questions; withdraw: neither'),
    a: MarketReference,
    b: MarketReference,
    reason: DecisionText.optional(),
    by: singleLineText(120).optional().describe('Who decides; recorded with the key'),
  })
  .meta({
    examples: [
      {
        action: 'forbid',
        a: { venue: servedVenues[0], marketId: '101' },
        b: { venue: servedVenues[1], marketId: 'KXKROLL-27-MK' },
        reason: 'another cutoff',
        by: 'ann',
      },
    ],
  })

const overrideSide = z.object({ venue: z.string(), marketId: z.string() })

export const PairOverride = z
  .object({
    id: z.string(),
    a: overrideSide,
    b: overrideSide,
    action: z.enum(overrideActions),
    polarity: z.enum(['same', 'inverse']).nullable().describe('Of a pin'),
    reason: z.string(),
    setBy: z.string(),
    setAt: z.iso.datetime(),
  })
  .meta({ id: 'PairOverride' })
export type PairOverride = z.infer<typeof PairOverride>

export const importedDecisionsMax = 500

export const ImportBody = z
  .strictObject({
    decisions: z.array(TemplateDecisionSchema).min(1).max(importedDecisionsMax),
    replace: z.boolean().default(false).describe('Also where another decision applies here'),
  })
  .meta({
    examples: [
      {
        decisions: [
          {
            a: 'Will {person} be the next {role}?',
            b: '{person} announced as next {role}?',
            verdict: 'different',
            relation: 'overlap',
            reasons: [{ field: 'act', reason: 'an announcement can come before the office is held' }],
            evidence: [],
            decidedAt: '2026-11-30T12:00:00Z',
            decidedBy: 'ann',
            source: 'operator',
          },
        ],
      },
    ],
  })

export const ImportResult = z
  .object({
    imported: z.int(),
    unchanged: z.int().describe('The same relation applied already'),
    skipped: z.int().describe('Another decision applies here'),
  })
  .meta({ id: 'ImportedDecisions' })
export type ImportResult = z.infer<typeof ImportResult>
