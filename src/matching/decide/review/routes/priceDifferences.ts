// Lists pairs that were demoted because their prices differ, and records an operator's override of one.
import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { formatIssues } from '#core/formatZodIssues'
import { NextCursor } from '#schemas/envelope'
import { PairOverride, PriceDifference, PriceReviewBody } from '#schemas/matchReview'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import { MarketVenue } from '#server/http/venueName'
import type { DemotedPairPosition } from '#storage/postgres/matching/index'
import type { MatchReviewRouteDeps } from '../ports.ts'
import { deciderOf, readAccess, reviewAccess, tag } from './shapes.ts'

const path = '/v1/matching/priceDifferences'
/** Each row has the rules of both markets. */
const limitMax = 50
const cursorKind = 'priceDifferences'
const bind = cursorBinding({})

export const listPriceDifferences = defineRoute({
  operationId: 'listPriceDifferences',
  method: 'get',
  path,
  access: readAccess,
  summary:
    'Verified pairs whose prices differ by more than both books cost for an hour and that need a review: the last demoted first; pass nextCursor back as cursor',
  tag,
  query: z.strictObject({
    limit: clampedLimit(20, limitMax).describe('values above 50 are served as 50'),
    cursor: z.string().max(2_048).optional(),
  }),
  data: z.array(PriceDifference),
  topLevelFields: { nextCursor: NextCursor },
  errors: ['MATCHES_UNAVAILABLE'],
  async handle({ query: { limit, cursor } }, { matchReview }: MatchReviewRouteDeps) {
    const after =
      cursor === undefined ? null : (matchReview.cursors.decode(cursorKind, bind, cursor) as DemotedPairPosition)
    const { differences, next } = await matchReview.listPriceDifferences(after, limit)
    const siblings = next === null ? {} : { nextCursor: matchReview.cursors.encode(cursorKind, bind, next) }
    return { data: differences, siblings }
  },
})

export const reviewPriceDifference = defineRoute({
  operationId: 'reviewPriceDifference',
  method: 'post',
  path: `${path}/review`,
  access: reviewAccess,
  summary:
    'Pins or forbids a pair that was demoted because of its prices, or withdraws that: applied from the next run on',
  tag,
  body: PriceReviewBody,
  data: PairOverride,
  errors: ['NOT_FOUND', 'EXCHANGE_NOT_AVAILABLE', 'MATCHES_UNAVAILABLE'],
  handle: async ({ body: { a, b, action, reason, by }, principal }, { matchReview }: MatchReviewRouteDeps) => ({
    data: await matchReview.reviewPriceDifference(
      { a: marketOf('a', a), b: marketOf('b', b) },
      { action, reason, ...deciderOf(by, principal!) },
    ),
  }),
})

/** Throws VALIDATION_ERROR for a venue that does not exist. */
function marketOf(field: 'a' | 'b', { venue, marketId }: { venue: string; marketId: string }) {
  const parsed = MarketVenue.safeParse(venue)
  if (!parsed.success) throw new Fault('VALIDATION_ERROR', `${field}.venue: ${formatIssues(parsed.error.issues)}`)
  return { venue: parsed.data, marketId }
}
