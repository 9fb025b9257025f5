// "In 2027" and "by December 31, 2027" end together, but they are the same question only once 2027 has begun: an
// earlier event resolves only the second.
import { describe, expect, test } from 'vitest'
import { IncrementalMatcher, type MatchInput, readQuestion, relationOf } from '#matching/candidateIndex'
import { compareQuestions } from '#matching/compare/compare'

const at = (venue: string, title: string, marketId = `${venue}-1`): MatchInput => ({ venue, marketId, title })
const inWindow = 'Will Ohio legalize mead in 2027?'
const byEnd = 'Will Ohio legalize mead by December 31, 2027?'

function comparisonOf(one: string, other: string, asOf: string | null, id = 'south-1'): string {
  const read = (market: MatchInput): ReturnType<typeof readQuestion> =>
    readQuestion(market, { asOf: asOf === null ? null : Date.parse(asOf) })
  const [a, b] = [read(at('north', one)), read(at('south', other, id))]
  const result = compareQuestions(a, b)
  const { relation, relationBand } = relationOf(a, b, result)
  return `${result.matchBand} ${relation} ${relationBand ?? 'none'}`
}

describe('a time window compared with a deadline at its end', () => {
  test.each([
    [inWindow, byEnd, '2027-01-02'],
    [inWindow, 'Will Ohio legalize mead before 2028?', '2027-06-01'],
    ['Will Ohio legalize mead in March 2027?', 'Will Ohio legalize mead by March 31, 2027?', '2027-03-02'],
    ['Will Ohio legalize mead in Q3 2027?', 'Will Ohio legalize mead by September 30, 2027?', '2027-07-04'],
    [
      'Will Ada Finch leave as CEO of Corwin in 2027?',
      'Ada Finch out as CEO of Corwin by December 31, 2027?',
      '2027-02-01',
    ],
  ])('%s | %s is the same question as of %s', (one, other, asOf) => {
    expect(comparisonOf(one, other, asOf)).toBe('verified identity verified')
  })

  test.each([
    [inWindow, byEnd, '2026-11-23'],
    // 2027 has not begun in any time zone yet.
    [inWindow, byEnd, '2027-01-01T03:00:00Z'],
    [inWindow, 'Will Ohio legalize mead before 2028?', '2026-11-23'],
    ['Will Ohio legalize mead in March 2027?', 'Will Ohio legalize mead by March 31, 2027?', '2027-02-20'],
    ['Will Ohio legalize mead in Q3 2027?', 'Will Ohio legalize mead by September 30, 2027?', '2027-05-04'],
    [
      'Will Ada Finch leave as CEO of Corwin in 2027?',
      'Ada Finch out as CEO of Corwin by December 31, 2027?',
      '2026-12-01',
    ],
  ])('%s only implies %s as of %s', (one, other, asOf) => {
    expect(comparisonOf(one, other, asOf)).toBe('material subset verified')
    expect(comparisonOf(other, one, asOf)).toBe('material superset verified')
  })

  test('does not verify the pair when the reading time is unknown', () => {
    expect(comparisonOf(inWindow, byEnd, null)).toMatch(/^minor overlap minor/)
  })

  test.each([
    ['Will Ada Finch score 40 goals in the 2026-27 season?', 'Will Ada Finch score 40 goals by December 31, 2027?'],
    ['Will Ada Finch score 40 goals this season?', 'Will Ada Finch score 40 goals by May 31, 2027?'],
    ['Will the Senate confirm Ada Finch during the term?', 'Will the Senate confirm Ada Finch by January 20, 2029?'],
  ])('%s is not a date window: %s', (one, other) => {
    for (const asOf of ['2026-11-23', '2027-03-01']) expect(comparisonOf(one, other, asOf)).not.toMatch(/^verified/)
  })

  test('treats a year that appears only in the id as a possible deadline, unless it names the edition', () => {
    expect(comparisonOf(inWindow, 'Will Ohio legalize mead?', '2026-11-23', 'KXMEAD-27')).toMatch(/^minor/)
    expect(comparisonOf(inWindow, 'Will Ohio legalize mead?', '2027-01-23', 'KXMEAD-27')).toMatch(/^verified identity/)
    expect(
      comparisonOf(
        'Will Ada Finch win the 2027 Kroll Prize?',
        'Will Ada Finch win the Kroll Prize?',
        '2026-11-23',
        'KXKROLL-27',
      ),
    ).toMatch(/^verified identity/)
  })

  test('does not treat the year that names a contest as a window', () => {
    const [one, other] = ['Will Ada Finch win the 2027 Kroll Prize?', 'Will Ada Finch win the Kroll Prize in 2027?']
    expect(comparisonOf(one, other, '2026-11-23')).toMatch(/^verified identity/)
  })
})

describe('incremental runs', () => {
  const run = (session: IncrementalMatcher, now: string, full = false) =>
    session.run({ previous: [], overrides: [], full, now: Date.parse(now) })
  const many = Array.from({ length: 12 }, (_, n) =>
    at('east', `Will ${'abcdefghijkl'[n]}dam Finch run in May 2029?`, `e${n}`),
  )

  test('compares a pair again once its window has begun, even if its text did not change', () => {
    const session = new IncrementalMatcher()
    session.put([at('north', inWindow), at('south', byEnd), ...many])
    const before = run(session, '2026-12-30')
    expect(before.pairs).toMatchObject([{ relation: 'subset', relation_band: 'verified', cluster_id: null }])
    expect(run(session, '2026-12-31').pairs).toEqual(before.pairs)
    const after = run(session, '2027-01-02')
    expect(after.pairs).toMatchObject([{ relation: 'identity', band: 'verified', cluster_id: expect.any(String) }])
    expect(after.counts.changed).toBe(1)
    const fresh = new IncrementalMatcher()
    fresh.put([at('north', inWindow), at('south', byEnd), ...many])
    const expected = run(fresh, '2027-01-02', true)
    expect(after.pairs).toEqual(expected.pairs)
    expect(after.clusters).toEqual(expected.clusters)
  })
})
