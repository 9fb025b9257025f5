// Pairs of questions in nearly the same words that resolve differently, grouped by what makes the difference. A certain
// relation must hold in every world.
import { describe, expect, test } from 'vitest'
import { readQuestion, relationOf } from '#matching/candidateIndex'
import { compareQuestions } from '#matching/compare/compare'

const asOf = Date.UTC(2026, 10, 23)

/** `title # label` */
function certainRelation(one: string, other: string): string {
  const [a, b] = [one, other].map((text, at) => {
    const [title = '', subtitle] = text.split(' # ')
    return readQuestion({ venue: ['kalshi', 'polymarket'][at]!, marketId: `${at}`, title, subtitle }, { asOf })
  }) as [ReturnType<typeof readQuestion>, ReturnType<typeof readQuestion>]
  const there = relationOf(a, b, compareQuestions(a, b))
  const back = relationOf(b, a, compareQuestions(b, a))
  expect(back.relationBand, 'the same in both directions').toBe(there.relationBand)
  return there.relationBand === 'verified' ? there.relation : 'not sure'
}

describe('no certain relation', () => {
  test.each([
    // Not winning does not mean losing.
    ['Will Rolf Egger win a confidence vote before 2028?', 'Will Rolf Egger lose a confidence vote before 2028?'],
    ['Will Ida Brandt lose the mayoral election in 2027?', 'Will Ida Brandt win the mayoral election in 2027?'],
    [
      'Will Corwin lose its lawsuit against Boltz before 2027?',
      'Will Corwin win its lawsuit against Boltz before 2027?',
    ],
    // A prefix makes a different word.
    ['Will the Greens win a by-election in 2026?', 'Will the Greens win the election in 2026?'],
    ['Will a non-American be Pope before 2040?', 'Will an American be Pope before 2040?'],
    // A value at the end of one month says nothing about another month, and a value that was once true may not be true then.
    [
      'Which company has the best AI model end of December 2026? # Corwin',
      'Which company has the best AI model end of November 2026? # Corwin',
    ],
    [
      "Will Egger's approval rating be above 40% at the end of November 2026?",
      "Will Egger's approval rating be above 40% at the end of December 2026?",
    ],
    ['Will Ida Brandt be chancellor at the end of 2026?', 'Will Ida Brandt be chancellor at the end of 2027?'],
    // May be hit from above or from below.
    ["Will Egger's approval rating hit 35% in 2026?", "Will Egger's approval rating hit 45% in 2026?"],
    ['Will gas prices hit $2.80 before 2027?', 'Will gas prices hit $3.20 before 2027?'],
    ['Will oil reach $50 before 2027?', 'Will oil reach $60 before 2027?'],
    // "By 2027" may include that year or not.
    ['Will Rolf Egger resign by 2027?', 'Will Rolf Egger resign by December 31, 2027?'],
    ['Will Rolf Egger resign by 2027?', 'Will Rolf Egger resign before 2027?'],
    // The event to come first differs.
    ['Will Rolf Egger resign before Ida Brandt does?', 'Will Rolf Egger resign before Ida Brandt is elected?'],
    // Until the end, or on one day.
    ['Will Rolf Egger be president through 2026?', 'Will Rolf Egger be president in 2026?'],
    // Subject and object are exchanged.
    ['Will Iran be attacked before 2027?', 'Will Iran attack before 2027?'],
    ['Will Corwin be acquired before 2027?', 'Will Corwin acquire before 2027?'],
    ['Will someone beat Ida Brandt in the 2027 election?', 'Will Ida Brandt beat someone in the 2027 election?'],
    // The counted things differ although the counts are equal.
    [
      'How many earthquakes of magnitude 7.0 or above in 2026? # 15-16',
      'How many earthquakes of magnitude 6.5 or above in 2026? # 15-16',
    ],
    [
      'How many earthquakes of magnitude 7.0 or above by December 31, 2026? # 15',
      'How many earthquakes of magnitude 7.5 or above by December 31, 2026? # 15',
    ],
    // If the event does not happen at all, both resolve No.
    ['Will Rolf Egger be sentenced to 10 years or more?', 'Will Rolf Egger be sentenced to less than 10 years?'],
    ['Will the mead bill pass with 60 or more votes?', 'Will the mead bill pass with fewer than 60 votes?'],
    // A value published every day may make both resolve Yes.
    ["Will Egger's approval rating be above 42% in 2027?", "Will Egger's approval rating be 42% or below in 2027?"],
  ])('%s | %s', (one, other) => {
    expect(certainRelation(one, other)).toBe('not sure')
    expect(certainRelation(other, one)).toBe('not sure')
  })
})

describe('negated amounts', () => {
  const orders = (amount: string) => `How many orders will Egger sign in December 2026? # ${amount}`
  const signs = (amount: string) => `Will Egger sign ${amount} orders in December 2026?`
  const words = [
    ['no more than 8', 'at most 8'],
    ['not more than 8', 'at most 8'],
    ['not above 8', 'at most 8'],
    ['not over 8', 'at most 8'],
    ['no less than 8', 'at least 8'],
    ['not less than 8', 'at least 8'],
    ['no fewer than 8', 'at least 8'],
    ['not below 8', 'at least 8'],
  ] as const
  test.each(words)('%s is %s', (negated, plain) => {
    for (const questionOf of [orders, signs]) {
      expect(certainRelation(questionOf(negated), questionOf(plain))).toBe('identity')
      expect(['complement', 'disjoint', 'not sure']).toContain(
        certainRelation(questionOf(negated), questionOf(plain === 'at most 8' ? 'more than 8' : 'fewer than 8')),
      )
    }
  })
  test.each(words)('infers nothing wrong from "%s"', (negated, plain) => {
    const most = plain === 'at most 8'
    expect(['subset', 'not sure']).toContain(
      certainRelation(orders(negated), orders(most ? 'at most 9' : 'at least 7')),
    )
    expect(['superset', 'not sure']).toContain(
      certainRelation(signs(negated), orders(most ? 'fewer than 8' : 'more than 8')),
    )
  })
})

test('excludes amounts of a win or a cut from each other, without assuming that one of them happens', () => {
  const win = (amount: string) => `Will Ida Brandt win the 2027 Hamburg mayoral election by ${amount}?`
  expect(certainRelation(win('5% or more'), win('less than 5%'))).toBe('disjoint')
  const cut = (amount: string) => `Will the Fed cut rates by ${amount} at its December 2026 meeting?`
  expect(certainRelation(cut('more than 25 bps'), cut('25 bps or less'))).toBe('disjoint')
})

test.each([
  [
    'Which company has the best AI model end of December 2026? # Corwin',
    'Which company has the best AI model on December 31, 2026? # Corwin',
    'identity',
  ],
  ['Will Rolf Egger resign before the end of 2026?', 'Will Rolf Egger resign by December 31, 2026?', 'identity'],
  ['Will Rolf Egger resign by the end of November 2026?', 'Will Rolf Egger resign by the end of 2026?', 'subset'],
  ['Will TikTok be banned in the US before 2027?', 'TikTok ban in the US before 2027?', 'identity'],
])('still certain: %s | %s', (one, other, relation) => {
  expect(certainRelation(one, other)).toBe(relation)
})
