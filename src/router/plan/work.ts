// One limit on the work of a plan: however large the request, the search ends after so many steps and reports what it has not proven.

/** Costs computed and partial splits extended, together. */
export const stepsMax = 8_000
/** Sums compared to compute every split of a small problem: each takes a hundredth of such a step. */
export const tableStepsMax = 300_000
/** Combinations of venues used and left out that are examined. */
const nodesMax = 24
/** Sizes that are tried, where the requested one has no split. */
const sizesMax = 4

export interface Work {
  steps: number
  nodes: number
  sizes: number
}

export const newWork = (steps = stepsMax): Work => ({ steps, nodes: nodesMax, sizes: sizesMax })
