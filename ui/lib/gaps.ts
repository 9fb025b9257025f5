import type { OutcomeCoverage } from '#schemas/history'

/** Gaps in which the feed broke or rows were lost. Time that was not watched is not a gap. */
export function gapsOf(outcomes: readonly Pick<OutcomeCoverage, 'gaps' | 'gapsTruncated'>[]): {
  gaps: number
  /** There are more than are listed. */
  isAtLeast: boolean
} {
  return {
    gaps: outcomes.reduce((sum, { gaps }) => sum + gaps.filter(({ kind }) => kind === 'gap').length, 0),
    isAtLeast: outcomes.some(({ gapsTruncated }) => gapsTruncated),
  }
}
