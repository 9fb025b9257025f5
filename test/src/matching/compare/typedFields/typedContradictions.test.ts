import { describe, expect, test } from 'vitest'
import { isAlias, typedContradiction } from '#matching/compare/typedFields/typedContradictions'
import { type TypedField, typedFieldNames, typedFieldsOf, unspecified } from '#matching/read/typedFields/typedFields'
import { type Given, pairOf, question } from '../../decide/templates/read.ts'

describe('contradicts', () => {
  test.each([
    ['who', 'Who will win the 2027 Kroll Prize? # Maria Keller', 'Will Priya Raman win the 2027 Kroll Prize?'],
    ['who', 'Will Jon Marsh vote for Maria Keller in 2027?', 'Will Jon Marsh vote to confirm Priya Raman in 2027?'],
    ['who', 'Will Democrats win OH-7 in 2028?', 'Will the Republican Party win the OH-07 seat in 2028?'],
    ['date', 'Will Jon Marsh resign before 2027?', 'Will Jon Marsh leave office before 2028?'],
    ['threshold', 'Will Jon Marsh win above 40% of votes?', 'Will Jon Marsh get above 45% of the vote?'],
    ['threshold', 'Will Jon Marsh win above 40% of votes?', 'Will Jon Marsh get at least 40% of the vote?'],
    ['place', 'Will Jon Marsh be governor of Ohio in 2027?', 'Will Jon Marsh be the next governor of Texas in 2027?'],
    ['office', 'Will Jon Marsh be governor of Ohio in 2027?', 'Will Jon Marsh be elected mayor in Ohio in 2027?'],
    ['act', 'Will Jon Marsh say China in 2027?', 'Will Jon Marsh mention Chinese in 2027?'],
    [
      'stage',
      'Will Jon Marsh win the first round of the presidential election in 2027?',
      'Will Jon Marsh win the runoff of the presidential election in 2027?',
    ],
    [
      'date',
      { title: 'Will Jon Marsh be the next Speaker?', closeTime: '2023-01-07T00:00:00Z' },
      { title: 'Jon Marsh announced as next Speaker?', closeTime: '2025-01-07T00:00:00Z' },
    ],
    [
      'source',
      { title: 'Will Jon Marsh top the ranking?', rules: 'Settled by the figures of Gallup.' },
      { title: 'Jon Marsh first in the ranking?', rules: 'Settled by the figures of RealClearPolitics.' },
    ],
  ] satisfies [TypedField, Given, Given][])('%s: %j', (field, a, b) => {
    const [one, two] = pairOf(a, b)
    expect(typedContradiction(one, two)?.field).toBe(field)
    expect(typedContradiction(two, one)?.field).toBe(field)
  })
})

describe('leaves open', () => {
  test.each([
    ['other words', 'Will Jon Marsh vote for Maria Keller?', 'Will Jon Marsh vote to confirm Maria Keller?'],
    ['a surname alone', 'Will Jon Marsh stay in office in 2027?', 'Will Marsh remain in office in 2027?'],
    ['initials', 'Will AKL endorse Jon Marsh in 2027?', 'Will Anna Kross-Lind back Jon Marsh in 2027?'],
    ['a name on one side', 'Will Jon Marsh replace Maria Keller in 2027?', 'Will Jon Marsh be appointed in 2027?'],
  ])('%s', (_, a, b) => {
    expect(typedContradiction(...pairOf(a, b))).toBeNull()
  })
})

test('one person under two names', () => {
  expect(isAlias('jon marsh', 'marsh')).toBe(true)
  expect(isAlias('akl', 'anna kross-lind')).toBe(true)
  expect(isAlias('jon marsh', 'maria marsh')).toBe(false)
  expect(isAlias('jon marsh', 'jon keller')).toBe(false)
})

test('every field has a value or is unspecified', () => {
  const fields = typedFieldsOf(question('Will Jon Marsh be governor of Ohio before 2028?', 'kalshi', 'A'))
  expect(Object.keys(fields).sort()).toEqual([...typedFieldNames].sort())
  expect(fields).toMatchObject({
    who: 'jon marsh',
    office: 'office governor',
    place: 'place ohio',
    date: 'by 2027-12-31',
    threshold: unspecified,
    stage: unspecified,
    source: unspecified,
    polarity: 'affirmed',
    sport: unspecified,
    game: unspecified,
  })
})
