import type { OutcomeCoverage } from '#schemas/history'

/** Stretches in which the feed broke or rows were lost. Time in which nobody watched is none. */
export function gapsOf(outcomes: readonly Pick<OutcomeCoverage, 'gaps' | 'gapsTruncated'>[]): {
  gaps: number
  /** There are more than are told. */
  isAtLeast: boolean
} {
  return {
    gaps: outcomes.reduce((sum, { gaps }) => sum + gaps.filter(({ kind }) => kind === 'gap').length, 0),
    isAtLeast: outcomes.some(({ gapsTruncated }) => gapsTruncated),
  }
}
