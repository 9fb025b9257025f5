// Review by people: the queue of template pairs, decisions, export and import, and pairs whose prices differ.
import { importTemplateDecisions, listTemplateDecisions } from './routes/decisions.ts'
import { listPriceDifferences, reviewPriceDifference } from './routes/priceDifferences.ts'
import {
  decideTemplatePair,
  getTemplatePair,
  listTemplatePairs,
  withdrawTemplateDecision,
} from './routes/templatePairs.ts'

export type { Decider, MatchReview, MatchReviewRouteDeps } from './ports.ts'
export { createPostgresMatchReview } from './postgresMatchReview.ts'

export const matchReviewRoutes = [
  listTemplatePairs,
  getTemplatePair,
  decideTemplatePair,
  withdrawTemplateDecision,
  listTemplateDecisions,
  importTemplateDecisions,
  listPriceDifferences,
  reviewPriceDifference,
]
