// The matcher's public interface: questions, comparison, candidates and clusters. Pure; heavy callers run it on another
// thread.
export { type Candidate, CandidateIndex, type CandidateOptions } from './block/candidates.ts'
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
} from './cluster/cluster.ts'
export { compareMarkets, compareQuestions } from './compare/compare.ts'
export { type ListedRelation, type Relation, relate, relationOf } from './compare/relation.ts'
export { decidedRelation, type SecondOpinion, secondOpinion } from './decide/templates/secondOpinion.ts'
export { type TemplateDecision, TemplateDecisions } from './decide/templates/templateDecision.ts'
export type { OpenTemplatePair } from './decide/templates/templateIndex.ts'
export { type TemplatePair, type TemplateSlot, templatePairOf } from './decide/templates/templatePair.ts'
export type { MatchEngine, MatchRequest } from './engine.ts'
export { IncrementalMatcher, type SessionAnswer, type SessionRun } from './incrementalMatcher.ts'
export {
  bandOf,
  type MatchBand,
  type MatchDifference,
  type MatchResult,
  type Polarity,
  type ResolutionEquivalence,
} from './match.ts'
export type { Matches, MatchQuery, MatchState, ScoredPair } from './matches.ts'
export { createPostgresMatches } from './postgresMatches.ts'
export { type MatchInput, marketKey, type StrikeType } from './read/input.ts'
export { inputOf } from './read/marketInput.ts'
export { readQuestion } from './read/parsedMarket.ts'
export type { Question } from './read/question.ts'
export { type EventMarkets, eventRelations } from './relate/eventRelations.ts'
export { type ReadRelations, readRelations } from './relate/readRelations.ts'
