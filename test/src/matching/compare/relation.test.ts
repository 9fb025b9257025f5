import { describe, expect, test } from 'vitest'
import { readQuestion, relationOf } from '#matching/candidateIndex'
import { compareQuestions } from '#matching/compare/compare'

const rules = 'It resolves by the CF Benchmarks BRTI at 12:00 ET.'
function relation(one: string, other: string): string {
  const [a, b] = [
    readQuestion({ venue: 'north', marketId: '1', title: one, rules }),
    readQuestion({ venue: 'south', marketId: '1', title: other, rules }),
  ]
  const there = relationOf(a, b, compareQuestions(a, b)).relation
  const back = relationOf(b, a, compareQuestions(b, a)).relation
  const turned: Record<string, string> = { subset: 'superset', superset: 'subset' }
  expect(back, 'the relation is mirrored in the other direction').toBe(turned[there] ?? there)
  return there
}
const above = (strike: string) => `Will the price of Bitcoin be above ${strike} on December 22, 2026?`
const below = (strike: string) => `Will the price of Bitcoin be below ${strike} on December 22, 2026?`

describe('relations between the Yes sides', () => {
  test.each([
    [above('$100,000'), above('$100,000'), 'identity'],
    [above('$110,000'), above('$100,000'), 'subset'],
    [above('$100,000'), above('$110,000'), 'superset'],
    [below('$90,000'), below('$100,000'), 'subset'],
    ['Will the price of Bitcoin be between $100,000 and $105,000 on December 22, 2026?', above('$99,000'), 'subset'],
    ['Will Ohio legalize mead by June 30, 2027?', 'Will Ohio legalize mead by December 31, 2027?', 'subset'],
    // Both may resolve Yes, and neither implies the other.
    [above('$100,000'), below('$110,000'), 'overlap'],
    // Two things differ: neither implies the other.
    ['Will the price of Bitcoin be above $110,000 on December 21, 2026?', above('$100,000'), 'overlap'],
    ['Will Ohio legalize mead by June 30, 2027?', 'Will Texas legalize mead by December 31, 2027?', 'overlap'],
    // Touching a price once does not mean closing above it.
    ['Will the price of Bitcoin hit $110,000 on December 22, 2026?', above('$100,000'), 'overlap'],
  ])('%s | %s: %s', (one, other, expected) => {
    expect(relation(one, other)).toBe(expected)
  })

  test('reverses the direction for strikes when both questions are negated', () => {
    expect(
      relation(
        'Will the price of Bitcoin not be above $110,000 on December 22, 2026?',
        'Will the price of Bitcoin not be above $100,000 on December 22, 2026?',
      ),
    ).toBe('superset')
  })
})
