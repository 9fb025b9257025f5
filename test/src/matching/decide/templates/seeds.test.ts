import { expect, test } from 'vitest'
import type { LabelledPair } from '#test/support/labelledPairs'
import { decisionsOf, isRedistributable, labelledSets, merged } from '#test/support/matching/seedTemplates'

const by = { decidedAt: '2026-11-30T08:00:00Z', decidedBy: 'ada' }

const labelled = (id: number, a: string, b: string, match = true): { pair: LabelledPair; name: string } => ({
  name: 'set.csv',
  pair: {
    a: { venue: 'kalshi', marketId: `A${id}`, title: a },
    b: { venue: 'polymarket', marketId: `B${id}`, title: b },
    match,
    polarity: match ? 'same' : null,
    group: null,
    relation: null,
    family: null,
  },
})
const mentored = (id: number, person: string, match?: boolean) =>
  labelled(id, `Will ${person} mentor Jon Marsh?`, `Will ${person} take Jon Marsh on as a trainee?`, match)

test('pairs of one template are one decision', () => {
  const { decisions, left } = decisionsOf([mentored(1, 'Maria Keller'), mentored(2, 'Priya Raman')], by)
  expect(left).toBe(0)
  expect(decisions).toHaveLength(1)
  expect(decisions[0]).toMatchObject({
    verdict: 'same',
    relation: 'identity',
    evidence: ['set.csv: A1, B1', 'set.csv: A2, B2'],
    source: 'shipped',
  })
})

test('labels that contradict each other are no decision', () => {
  const { decisions, contradictory } = decisionsOf([mentored(1, 'Maria Keller'), mentored(2, 'Priya Raman', false)], by)
  expect(decisions).toEqual([])
  expect(contradictory).toHaveLength(1)
})

test('pairs that typed fields decide are left out', () => {
  const pair = labelled(1, 'Will Maria Keller resign before 2027?', 'Will Maria Keller resign before 2028?', false)
  expect(decisionsOf([pair], by)).toMatchObject({ decisions: [], left: 1 })
})

test('existing lines are kept, and the new ones follow', () => {
  const { decisions } = decisionsOf([mentored(1, 'Maria Keller')], by)
  const [one] = decisions
  const reviewed = { ...one!, decidedBy: 'bob' }
  expect(merged([reviewed], decisions)).toEqual([reviewed])
  expect(merged([], decisions)).toEqual(decisions)
})

test('only sets that may be redistributed are read', () => {
  expect(['MIT', 'CC0-1.0', 'CC BY 4.0', 'CC BY 4.0 (Some Institute)'].every(isRedistributable)).toBe(true)
  expect(['none stated', 'CC BY-SA 4.0', 'CC BY-NC 4.0', 'LGPL-3.0 repository', ''].some(isRedistributable)).toBe(false)
  const manifest = 'file,kind,licence\na.csv,labels,MIT\nb.csv,labels,none stated\nc.csv,derived,MIT\n'
  expect(labelledSets(manifest)).toEqual(['a.csv'])
})
