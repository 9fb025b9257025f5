// The measured goals: one fixture per real game. The labels are outside the project; without them this is skipped.
import { describe, expect, it } from 'vitest'
import { evaluate, readLabels } from '#test/support/evalSports'
import { evaluateHeldOut } from '#test/support/sports/evalHeldOut'
import { heldOut } from '#test/support/sports/heldOut'

const labels = readLabels()

describe.skipIf(labels === null)(
  'labelled moneyline, spread and total pairs (skipped where ../shared/fixtures is absent)',
  () => {
    it.each([
      ['by their ids only', false],
      ['with the titles of their events', true],
    ])(
      '%s: 99 %% of the pairs on one fixture are one game, and 90 %% of the pairs of one game are on one fixture',
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

// Labelled before the engine first saw them, and no rule is made for one of them: a lower result means that something got worse.
it('held-out pairs: the measured results do not get worse', () => {
  expect(heldOut.length).toBeGreaterThanOrEqual(150)
  expect(new Set(heldOut.map(({ sides }) => JSON.stringify(sides))).size).toBe(heldOut.length)
  const { precision, recall, wrong, missed } = evaluateHeldOut()
  expect(precision, wrong.join('\n')).toBeGreaterThanOrEqual(0.92)
  expect(recall, missed.join('\n')).toBeGreaterThanOrEqual(0.88)
})
