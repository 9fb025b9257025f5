// Reads template pairs, and records and withdraws decisions on them.
import { z } from 'zod'
import { DecideBody, OpenTemplatePair, RecordedDecision, TemplatePairDetails, WithdrawBody } from '#schemas/matchReview'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import type { MatchReviewRouteDeps } from '../ports.ts'
import { deciderOf, readAccess, reviewAccess, TemplatePath, tag } from './shapes.ts'

/** The matcher keeps no more. */
const limitMax = 500

export const listTemplatePairs = defineRoute({
  operationId: 'listTemplatePairs',
  method: 'get',
  path: '/v1/matching/templates',
  access: readAccess,
  summary:
    'Pairs of question texts, with placeholders for what they share, that need a decision: the most valuable first',
  tag,
  query: z.strictObject({ limit: clampedLimit(50, limitMax).describe('values above 500 are served as 500') }),
  data: z.array(OpenTemplatePair),
  topLevelFields: { meta: z.object({ open: z.int().describe('Pairs that need a decision, returned or not') }) },
  errors: ['MATCHES_UNAVAILABLE'],
  async handle({ query: { limit } }, { matchReview }: MatchReviewRouteDeps) {
    const { pairs, total } = await matchReview.listOpen(limit)
    return { data: pairs, siblings: { meta: { open: total } } }
  },
})

export const getTemplatePair = defineRoute({
  operationId: 'getTemplatePair',
  method: 'get',
  path: '/v1/matching/templates/{key}',
  access: readAccess,
  summary: 'A template pair with pairs of markets that reduce to it, their fields and rules, and its decisions',
  tag,
  params: TemplatePath,
  query: z.strictObject({}),
  data: TemplatePairDetails,
  errors: ['NOT_FOUND', 'MATCHES_UNAVAILABLE'],
  handle: async ({ params: { key } }, { matchReview }: MatchReviewRouteDeps) => ({ data: await matchReview.find(key) }),
})

export const decideTemplatePair = defineRoute({
  operationId: 'decideTemplatePair',
  method: 'post',
  path: '/v1/matching/templates/{key}/decide',
  access: reviewAccess,
  summary: 'Decides how two texts relate: applied to every pair of markets that reduces to them, from the next run on',
  tag,
  params: TemplatePath,
  body: DecideBody,
  data: RecordedDecision,
  errors: ['NOT_FOUND', 'MATCHES_UNAVAILABLE'],
  handle: async ({ params: { key }, body: { by, ...decision }, principal }, { matchReview }: MatchReviewRouteDeps) => ({
    data: await matchReview.decide(key, { ...decision, ...deciderOf(by, principal!) }),
  }),
})

export const withdrawTemplateDecision = defineRoute({
  operationId: 'withdrawTemplateDecision',
  method: 'post',
  path: '/v1/matching/templates/{key}/withdraw',
  access: reviewAccess,
  summary: 'Withdraws the decision on a template pair: the matcher decides again',
  tag,
  params: TemplatePath,
  body: WithdrawBody,
  data: RecordedDecision,
  errors: ['NOT_FOUND', 'MATCHES_UNAVAILABLE'],
  handle: async ({ params: { key }, body: { by, reason }, principal }, { matchReview }: MatchReviewRouteDeps) => ({
    data: await matchReview.withdraw(key, { reason, ...deciderOf(by, principal!) }),
  }),
})
