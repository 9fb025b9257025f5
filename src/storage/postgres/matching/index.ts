// What the matcher stores and reads, one exported function per statement.
export { findClusters } from './findClusters.ts'
export { findMatchDigests, findMatchWords, type MatchWords } from './findMatchWords.ts'
export { findPreviousMembers, type PreviousMember } from './findPrevious.ts'
export { latestRunId } from './latestRunId.ts'
export type { MatchPairRow } from './matchRow.ts'
export {
  findStandingOverride,
  findStandingOverrides,
  hasNewOverride,
  insertOverride,
  listOverrides,
  type NewOverride,
  type OverrideSide,
  type OverrideWord,
} from './overrides.ts'
export { type ClusterRow, type MatchPiece, type RunEnd, type WrittenRun, writeRun } from './writeRun.ts'
