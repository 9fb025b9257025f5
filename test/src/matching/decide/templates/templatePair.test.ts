import { describe, expect, test } from 'vitest'
import { templatePairOf } from '#matching/decide/templates/templatePair'
import { pairOf } from './read.ts'

const textsOf = (a: string, b: string): (string | undefined)[] => {
  const pair = templatePairOf(...pairOf(a, b))
  return [pair?.a, pair?.b]
}

describe('replaces what both questions name', () => {
  test.each([
    [
      'a person and a place',
      'Will Maria Keller be the next Governor of Ohio?',
      'Maria Keller announced as next Governor of Ohio?',
      'Will {person} be the next Governor of {place}?',
      '{person} announced as next Governor of {place}?',
    ],
    [
      'equal amounts and days in other words',
      'Will Corwin be worth $150k before October 2027?',
      'Corwin worth $150,000 by September 30, 2027?',
      'Will {name} be worth {amount} {date}?',
      '{name} worth {amount} {date}?',
    ],
    [
      'a label inside a sentence in another order',
      'Will Maria Keller AKL endorse in 2027? # Maria Keller',
      'Will Anna Kross-Lind endorse Maria Keller in 2027?',
      'Will Anna Kross-Lind endorse {person} {date}?',
      'Will {person} AKL endorse {date}?',
    ],
    [
      'a title in quotes',
      'Will Some Better Days win the 2027 Kroll Prize? # Some Better Days',
      'Will "Some Better Days" by Jon Marsh win the 2027 Kroll Prize?',
      'Will "{name 1}" by Jon Marsh win the {date} {name 2} Prize?',
      'Will {name 1} win the {date} {name 2} Prize?',
    ],
    [
      'districts and parties',
      'Will Democrats win OH-7 in 2028?',
      'Will the Democratic Party win the OH-07 seat in 2028?',
      'Will the {party} win the {place} seat {date}?',
      'Will {party} win {place} {date}?',
    ],
  ])('%s', (_, a, b, first, second) => {
    expect(textsOf(a, b)).toEqual([first, second])
  })
})

describe('leaves as written', () => {
  test('a name that only one of them has', () => {
    expect(textsOf('Will Maria Keller replace Jon Marsh in Ohio?', 'Will Maria Keller be appointed in Ohio?')).toEqual([
      'Will {person} be appointed in {place}?',
      'Will {person} replace Jon Marsh in {place}?',
    ])
  })

  test('a name that is a part of another', () => {
    const [a, b] = textsOf('Will Jon Marsh Jr. resign in Ohio?', 'Will Jon Marsh leave in Ohio?')
    expect([a, b]).toEqual(['Will Jon Marsh Jr. resign in {place}?', 'Will Jon Marsh leave in {place}?'])
  })

  test('different amounts', () => {
    expect(textsOf('Will Maria Keller win 40% of votes?', 'Will Maria Keller get 45% of votes?')).toEqual([
      'Will {person} get 45% of votes?',
      'Will {person} win 40% of votes?',
    ])
  })
})

test('an exchange of two persons is another text', () => {
  const pair = templatePairOf(...pairOf('Will Maria Keller endorse Jon Marsh?', 'Will Jon Marsh endorse Maria Keller?'))
  expect(pair?.a).toBe('Will {person 1} endorse {person 2}?')
  expect(pair?.b).toBe('Will {person 2} endorse {person 1}?')
})

test('has one key for all pairs of two series, in both directions', () => {
  const of = (name: string): [string, string] => [
    `Will ${name} be the next Governor of Ohio?`,
    `${name} announced as next Governor of Ohio?`,
  ]
  const [one, two] = pairOf(...of('Maria Keller'))
  const there = templatePairOf(one, two)
  const back = templatePairOf(two, one)
  expect(back).toMatchObject({ key: there?.key, a: there?.a, b: there?.b, turned: !there?.turned })
  expect(templatePairOf(...pairOf(...of('Priya Raman')))?.key).toBe(there?.key)
  expect(there?.key).toMatch(/^[0-9a-f]{32}$/)
})

test('lists what each placeholder replaces, in the order of the texts', () => {
  const [a, b] = pairOf('Corwin worth $150,000 in 2027?', 'Will Corwin be worth $150k in 2027?')
  const pair = templatePairOf(a, b)
  expect(pair?.turned).toBe(true)
  expect(pair?.slots).toContainEqual({ placeholder: '{amount}', kind: 'amount', a: '$150k', b: '$150,000' })
})

test('includes an event that adds to the title', () => {
  const [a, b] = pairOf(
    { title: 'Will Maria Keller win by more than 6 points?', eventTitle: 'Ohio Governor race' },
    { title: 'Will Maria Keller win by over 6 points?' },
  )
  const pair = templatePairOf(a, b)
  expect([pair?.a, pair?.b]).toContain('Will {person} win by more than {amount} points? | Ohio Governor race')
})

describe('there is none', () => {
  test.each([
    ['if nothing is shared', 'Will it rain tomorrow?', 'Is the sky blue today?'],
    ['for a game', 'Boston Celtics vs Miami Heat # Boston Celtics', 'Celtics vs Heat # Celtics'],
    ['if a text contains a brace', 'Will Maria Keller {win} in Ohio?', 'Will Maria Keller prevail in Ohio?'],
  ])('%s', (_, a, b) => {
    expect(templatePairOf(...pairOf(a, b))).toBeNull()
  })
})
