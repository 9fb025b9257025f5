// The measured promises: one fixture for one real game. The labels stand outside the project; without them this is skipped.
import { describe, expect, it } from 'vitest'
import { evaluate, readLabels } from '#test/support/evalSports'

const labels = readLabels()

describe.skipIf(labels === null)(
  'labelled moneyline, spread and total pairs (skipped where ../shared/fixtures is absent)',
  () => {
    it.each([
      ['by their ids alone', false],
      ['with the titles of their events', true],
    ])(
      '%s: 99 %% of what stands on one fixture is one game, and 90 %% of what is one game stands on one',
      (_, titles) => {
        const { pairs, byKind, markets, placed, wrong, missed } = evaluate(labels!, titles)
        expect(pairs.same).toBeGreaterThan(140)
        expect(Object.keys(byKind).sort()).toEqual(['moneyline', 'spread', 'total'])
        expect(pairs.precision, wrong.join('\n')).toBeGreaterThanOrEqual(0.99)
        expect(pairs.recall, missed.join('\n')).toBeGreaterThanOrEqual(0.9)
        for (const kind of Object.values(byKind)) expect(kind.recall).toBeGreaterThanOrEqual(0.9)
        expect(placed / markets).toBeGreaterThanOrEqual(0.9)
      },
    )
  },
)
