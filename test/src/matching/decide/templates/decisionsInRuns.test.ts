// Decisions on template pairs in whole and incremental runs of the matcher.
import { expect, test } from 'vitest'
import type { TemplateDecision } from '#matching/decide/templates/templateDecision'
import { IncrementalMatcher } from '#matching/incrementalMatcher'
import type { MatchInput } from '#matching/read/input'

const people = ['Maria Keller', 'Priya Raman', 'Tomas Herrera']
const at = (venue: string, marketId: string, title: string): MatchInput => ({ venue, marketId, title })
const listed = people.flatMap((person, p) => [
  at('north', String(p), `Will ${person} mentor Viktor Novak?`),
  at('south', String(p), `Will ${person} take Viktor Novak on as a trainee?`),
])
const run = { previous: [], overrides: [], full: false, now: 1_700_000_000_000 }

function decided(matcher: IncrementalMatcher, changes: Partial<TemplateDecision> = {}): TemplateDecision {
  const [open] = matcher.run(run).openTemplates
  return {
    a: open!.pair.a,
    b: open!.pair.b,
    verdict: 'same',
    relation: 'identity',
    reasons: [],
    evidence: [],
    decidedAt: '2026-11-30T08:00:00Z',
    decidedBy: 'ada',
    source: 'operator',
    ...changes,
  }
}

function started(): IncrementalMatcher {
  const matcher = new IncrementalMatcher()
  matcher.put(listed)
  return matcher
}

test('reports template pairs without a decision, with the markets that reduce to them', () => {
  const [open, ...others] = started().run(run).openTemplates
  expect(others).toEqual([])
  expect(open?.count).toBe(3)
  expect([open?.pair.a, open?.pair.b]).toContain('Will {person 1} mentor {person 2}?')
  const north = open?.pair.a === 'Will {person 1} mentor {person 2}?' ? 'a' : 'b'
  expect(open?.examples.map((example) => example[north])).toEqual(['north:0', 'north:1', 'north:2'])
})

test('a decision joins all of its pairs in the next run, and its end separates them again', () => {
  const matcher = started()
  const decision = decided(matcher)
  const joined = matcher.run({ ...run, decisions: [decision] })
  expect(joined.clusters).toHaveLength(3)
  expect(joined.openTemplates).toEqual([])
  const separated = matcher.run(run)
  expect(separated.clusters).toEqual([])
  expect(separated.openTemplates).toHaveLength(1)
})

test('gives the same result as a new matcher with the same decisions', () => {
  const matcher = started()
  const decision = decided(matcher)
  const incremental = matcher.run({ ...run, decisions: [decision] })
  const whole = started().run({ ...run, full: true, decisions: [decision] })
  expect(incremental.clusters).toEqual(whole.clusters)
  expect(incremental.pairs).toEqual(whole.pairs)
})

test('a decision that they differ separates markets joined by an earlier one', () => {
  const matcher = started()
  const decision = decided(matcher)
  matcher.run({ ...run, decisions: [decision] })
  const later: TemplateDecision = {
    ...decision,
    verdict: 'different',
    relation: 'overlap',
    decidedAt: '2026-12-01T08:00:00Z',
  }
  const { clusters, openTemplates } = matcher.run({ ...run, decisions: [decision, later] })
  expect(clusters).toEqual([])
  expect(openTemplates).toEqual([])
})

test('no longer reports pairs of markets that are gone', () => {
  const matcher = started()
  matcher.run(run)
  matcher.drop(['north:0', 'north:1'])
  expect(matcher.run(run).openTemplates[0]?.count).toBe(1)
  matcher.drop(['north:2'])
  expect(matcher.run(run).openTemplates).toEqual([])
})
