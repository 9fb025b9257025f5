// What the matcher found last, for those who only read it.
export { findClusters } from './findClusters.ts'
export { latestRunId } from './latestRunId.ts'
