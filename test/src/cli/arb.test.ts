import { describe, expect, it } from 'vitest'
import type { ArbitrageRow } from '#schemas/arbitrage'
import { published } from '#test/src/arbitrage/published'
import { lineOf, table } from '../../../src/cli/arb.ts'

const { all } = published(11)

describe('the surface on a terminal', () => {
  it('prints columns, best edge first, only as many rows as fit, and counts all of them', () => {
    const lines = table(all, 5, '2026-11-21T03:43:48.853Z')
    expect(lines).toHaveLength(7)
    expect(lines[0]).toMatch(/EDGE \$ +ROI % +COST \$ +BUY YES +AT +BUY NO +AT +MATCH +QUESTION/)
    const executable = all.filter(({ label }) => label === 'arbitrage').length
    expect(lines.at(-1)).toBe(`${all.length} rows, ${executable} arbitrage, computed 03:43:48.853`)
    const column = lines[0]!.indexOf('BUY YES')
    for (const line of lines.slice(1, -1)) expect(line.slice(column - 2, column)).toBe('  ')
    const best = Math.max(
      ...all.filter((row) => row.executable).map(({ netEdge }) => netEdge ?? Number.NEGATIVE_INFINITY),
    )
    if (best > Number.NEGATIVE_INFINITY) expect(lines[1]).toContain(best.toFixed(2))
  })

  it('prints zero rows when there are none', () => {
    expect(table([], 5, null).at(-1)).toBe('0 rows, 0 arbitrage')
  })

  it('prints unknown values as a dash, and the reason why a row cannot be traded', () => {
    const row = all.find(({ netEdge, reasons }) => netEdge === null && reasons.length > 0) as ArbitrageRow
    const line = lineOf(row)
    expect(line).toContain('edge — (— %)')
    expect(line).toContain(`[${row.reasons[0]!.slice(0, 20)}`)
  })
})
