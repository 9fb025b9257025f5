// What the matcher stores and reads, one exported function per statement.
export { type Cutoff, countActiveMarkets, countMarketsUpTo, findCutoff } from './activeMarkets.ts'
export { type DemotedPair, type DemotedPairPosition, findDemotedPairs, findDemotedPolarity } from './demotedPairs.ts'
export { findCluster, findClusterOf, findMatchState, type MatchState } from './findCluster.ts'
export { findMatchDigests, findMatchWords, type MatchWords } from './findMatchWords.ts'
export { findPairs, type PairSelection, type PricedPairRow, pairsScannedMax } from './findPairs.ts'
export { findPreviousMembers, type PreviousMember } from './findPrevious.ts'
export { findStoredPairs, type StoredComparison } from './findStoredPairs.ts'
export {
  countJudgeRequest,
  findJudgeDecisions,
  findJudgement,
  findJudgementKeys,
  findLastReviewId,
  insertJudgement,
  insertJudgementReview,
  type JudgementReview,
  type JudgementTexts,
  type JudgeVersion,
  judgeDecision,
  listJudgements,
  type NewJudgement,
  type StoredJudgement,
  sampleJudgements,
} from './judgements.ts'
export {
  findVerified,
  insertLabel,
  listLabels,
  type NewLabel,
  type StoredLabel,
  sampleVerified,
  type VerifiedPair,
} from './labels.ts'
export { latestRunId } from './latestRunId.ts'
export { type MatchPairRow, matchOfRow } from './matchRow.ts'
export {
  countOpenTemplatePairs,
  findOpenTemplatePair,
  listOpenTemplatePairs,
  type OpenTemplatePairRow,
  openTemplatePairsMax,
  type ValuedTemplatePair,
} from './openTemplatePairs.ts'
export {
  findActiveOverride,
  findActiveOverrides,
  hasNewOverride,
  inPairOrder,
  insertOverride,
  listOverrides,
  type NewOverride,
  type OverrideCommand,
  type OverrideSide,
} from './overrides.ts'
export {
  deleteGonePriceGaps,
  deletePriceGaps,
  findQuotedPairs,
  findWalkedVenues,
  listPriceGaps,
  type PairSides,
  type QuotedPair,
  type StoredPriceGap,
  writePriceGaps,
} from './priceGaps.ts'
export { readClusters } from './readClusters.ts'
export { type RelationPage, type RelationPairRow, readRelationPages } from './readRelations.ts'
export {
  findActiveTemplateDecisions,
  findLastTemplateDecisions,
  findTemplateDecisions,
  insertTemplateDecisions,
  listTemplateDecisions,
  lockTemplateDecisions,
  type NewTemplateDecision,
  operatorDecision,
  type StoredTemplateDecision,
} from './templateDecisions.ts'
export {
  type ClusterRow,
  type EventRelationRow,
  type MatchPiece,
  type RunEnd,
  type WrittenRun,
  writeRun,
} from './writeRun.ts'
