// The matcher's public interface: questions, comparison, candidates and clusters. Pure; heavy callers run it on another
// thread.
export { type Candidate, CandidateIndex, type CandidateOptions } from './candidates.ts'
export {
  type Cluster,
  type ClusterEdge,
  type ClusterMarket,
  type ClusterMember,
  clusterId,
  clusterMarkets,
  type MatchEdge,
  type Override,
  type PreviousCluster,
} from './cluster.ts'
export { compareMarkets, compareQuestions } from './compare.ts'
export type { MatchEngine, MatchRequest } from './engine.ts'
export { IncrementalMatcher, type SessionAnswer, type SessionRun } from './incrementalMatcher.ts'
export { type MatchInput, marketKey, type StrikeType } from './input.ts'
export { inputOf } from './marketInput.ts'
export {
  bandOf,
  type MatchBand,
  type MatchDifference,
  type MatchResult,
  type Polarity,
  type ResolutionEquivalence,
} from './match.ts'
export type { Matches, MatchQuery, MatchState, ScoredPair } from './matches.ts'
export { readQuestion } from './parsedMarket.ts'
export { createPostgresMatches } from './postgresMatches.ts'
export type { Question } from './question.ts'
export { type ListedRelation, type Relation, relate, relationOf } from './relation.ts'
export { type EventMarkets, eventRelations } from './relations/eventRelations.ts'
export { type ReadRelations, readRelations } from './relations/readRelations.ts'
export { decidedRelation, type SecondOpinion, secondOpinion } from './templates/secondOpinion.ts'
export { type TemplateDecision, TemplateDecisions } from './templates/templateDecision.ts'
export type { OpenTemplatePair } from './templates/templateIndex.ts'
export { type TemplatePair, type TemplateSlot, templatePairOf } from './templates/templatePair.ts'
