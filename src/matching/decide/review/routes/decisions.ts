// Exports and imports decisions, in the format of the shipped ones.
import { z } from 'zod'
import { TemplateDecisionSchema } from '#schemas/matchDecisions'
import { ImportBody, ImportResult } from '#schemas/matchReview'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import type { MatchReviewRouteDeps } from '../ports.ts'
import { keyOf, readAccess, reviewAccess, tag } from './shapes.ts'

const path = '/v1/matching/decisions'

export const listTemplateDecisions = defineRoute({
  operationId: 'listTemplateDecisions',
  method: 'get',
  path,
  access: { ...readAccess, rowsPerCredit: 100 },
  summary: 'The operators’ decisions on template pairs that apply, newest first, as importTemplateDecisions reads them',
  tag,
  query: z.strictObject({
    limit: clampedLimit(100, 500).describe('values above 500 are served as 500'),
    before: z
      .string()
      .regex(/^[0-9]{1,18}$/)
      .optional()
      .describe('meta.nextBefore of the page before'),
  }),
  data: z.array(TemplateDecisionSchema),
  topLevelFields: { meta: z.object({ nextBefore: z.string().nullable() }) },
  errors: ['MATCHES_UNAVAILABLE'],
  async handle({ query: { limit, before } }, { matchReview }: MatchReviewRouteDeps) {
    const { decisions, nextBefore } = await matchReview.listDecisions(before ?? null, limit)
    return { data: decisions, siblings: { meta: { nextBefore } } }
  },
})

export const importTemplateDecisions = defineRoute({
  operationId: 'importTemplateDecisions',
  method: 'post',
  path,
  access: reviewAccess,
  summary: 'Records decisions of other deployments; decisions that apply here stay, unless they are replaced',
  tag,
  body: ImportBody,
  bodyBytesMax: 1024 * 1024,
  data: ImportResult,
  errors: ['MATCHES_UNAVAILABLE'],
  handle: async ({ body: { decisions, replace }, principal }, { matchReview }: MatchReviewRouteDeps) => ({
    data: await matchReview.importDecisions(decisions, { replace, recordedBy: keyOf(principal!) }),
  }),
})
