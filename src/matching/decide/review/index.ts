// Review of template pairs by people: the queue, decisions, export and import.
import { importTemplateDecisions, listTemplateDecisions } from './routes/decisions.ts'
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
]
