// A small linear program in doubles. Its results are hints and bounds for an exact search, never final answers.

import type { Budget } from './budget.ts'

/** Steps per row and column before it stops where it is. */
const stepsPerLine = 20
const tiny = 1e-9
/** Prevents stalling where many rows bind at once. */
const nudge = 1e-8

export interface LinearAnswer {
  x: Float64Array
  /** Shadow price of each row, at least 0. */
  duals: Float64Array
}

/**
 * Maximizes objective · x where rows · x ≤ limits and x ≥ 0. Limits are at least 0, so that x = 0 is a start. Stops early when the budget
 * is used up: x is still possible then, and the duals are still weights.
 */
export function maximize(
  objective: Float64Array,
  rows: readonly Float64Array[],
  limits: Float64Array,
  budget: Budget,
): LinearAnswer {
  const m = rows.length
  const n = objective.length
  const width = n + 1
  const table = new Float64Array((m + 1) * width)
  rows.forEach((row, i) => {
    table.set(row, i * width)
    table[i * width + n] = limits[i]! + nudge * (1 + ((i * 0.618) % 1))
  })
  for (let j = 0; j < n; j++) table[m * width + j] = -objective[j]!
  // Below n a variable, from n on the slack of a row.
  const inRow = Int32Array.from({ length: m }, (_, i) => n + i)
  const inColumn = Int32Array.from({ length: n }, (_, j) => j)
  for (let steps = stepsPerLine * (m + n); steps > 0 && budget.left > 0; steps--) {
    const column = enteringColumn(table.subarray(m * width, m * width + n))
    if (column < 0) break
    const row = leavingRow(table, m, width, column)
    if (row < 0) break
    pivot(table, m + 1, width, row, column)
    budget.left -= table.length
    budget.onProgress()
    const entered = inColumn[column]!
    inColumn[column] = inRow[row]!
    inRow[row] = entered
  }
  const x = new Float64Array(n)
  const duals = new Float64Array(m)
  for (let i = 0; i < m; i++) if (inRow[i]! < n) x[inRow[i]!] = table[i * width + n]!
  for (let j = 0; j < n; j++) if (inColumn[j]! >= n) duals[inColumn[j]! - n] = Math.max(0, table[m * width + j]!)
  return { x, duals }
}

function enteringColumn(costs: Float64Array): number {
  let best = -1
  let least = -tiny
  for (let j = 0; j < costs.length; j++) {
    if (costs[j]! >= least) continue
    least = costs[j]!
    best = j
  }
  return best
}

function leavingRow(table: Float64Array, m: number, width: number, column: number): number {
  let best = -1
  let least = Infinity
  for (let i = 0; i < m; i++) {
    const step = table[i * width + column]!
    if (step <= tiny) continue
    const ratio = table[i * width + width - 1]! / step
    if (ratio >= least) continue
    least = ratio
    best = i
  }
  return best
}

function pivot(table: Float64Array, lines: number, width: number, row: number, column: number): void {
  const at = row * width
  const divisor = table[at + column]!
  for (let k = 0; k < width; k++) table[at + k] = k === column ? 1 / divisor : table[at + k]! / divisor
  for (let i = 0; i < lines; i++) {
    if (i === row) continue
    const base = i * width
    const factor = table[base + column]!
    if (factor === 0) continue
    for (let k = 0; k < width; k++) if (k !== column) table[base + k] = table[base + k]! - factor * table[at + k]!
    table[base + column] = -factor / divisor
  }
}
