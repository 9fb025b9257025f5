import { describe, expect, test } from 'vitest'
import { vetoOf, vetoOfUndated, vetoOfVerified } from '#matching/compare/typedFields/vetoes'
import { templatePairOf } from '#matching/decide/templates/templatePair'
import { type Given, pairOf } from '../../decide/templates/read.ts'

describe('rules out that two questions are verified', () => {
  test.each([
    [
      'second person',
      'Will Maria Keller win the 2027 Kroll Prize?',
      'Will Maria Keller and Jon Marsh win the 2027 Kroll Prize?',
    ],
    ['gender', 'Will Ada Berg win the 2027 Kroll Open?', "Will Ada Berg win the women's Kroll Open in 2027?"],
    ['gender', "Will Jon Marsh win the men's Kroll Open in 2027?", 'Will Jon Marsh win the Kroll Open in 2027?'],
    ['gender', 'Will Kim Park be Best Actor in 2027?', 'Will Kim Park be Best Actress in 2027?'],
    ['order in time', 'Will Jon Marsh resign before the vote?', 'Will Jon Marsh resign after the vote?'],
    [
      'round',
      'Will Jon Marsh win the first round of the 2027 presidential election?',
      'Will Jon Marsh win the 2027 presidential election?',
    ],
    ['round', 'Will Jon Marsh win the 2027 runoff?', 'Will Jon Marsh win in 2027?'],
    ['round', 'Will Jon Marsh win the Ohio primary in 2027?', 'Will Jon Marsh win in Ohio in 2027?'],
    [
      'majority',
      'Will the Greens win the most seats in the 2027 election?',
      'Will the Greens win a majority in the 2027 election?',
    ],
    ['bound', 'Will Jon Marsh get above 50% of the vote?', 'Will Jon Marsh get at least 50% of the vote?'],
    ['place', 'Will Jon Marsh become governor in 2027?', 'Will Jon Marsh become governor of Ohio in 2027?'],
    [
      'office',
      'Will Maria Keller endorse Jon Marsh before 2027?',
      'Will Maria Keller endorse Jon Marsh for mayor before 2027?',
    ],
    ['chamber', 'Will Jon Marsh win in Ohio in 2027?', 'Will Jon Marsh win the Senate race in Ohio in 2027?'],
    [
      'league',
      'Will Jon Marsh be named coach of the year in 2027?',
      'Will Jon Marsh be named NBA coach of the year in 2027?',
    ],
    ['unnamed', 'Who will win the 2027 Kroll Prize? # Other', 'Will Jon Marsh win the 2027 Kroll Prize?'],
  ])('%s: %s', (name, a, b) => {
    const [one, two] = pairOf(a, b)
    expect(vetoOf(one, two)?.name).toBe(name)
    expect(vetoOf(two, one)?.name).toBe(name)
  })
})

describe('does not apply', () => {
  test.each([
    ['to equal questions', 'Will Jon Marsh win the 2027 Kroll Prize?', 'Jon Marsh to win the Kroll Prize in 2027?'],
    ['to the own country', 'Will the US leave the pact in 2027?', 'Will Jon Marsh leave the pact in 2027?'],
    [
      'to a place that the event names',
      { title: 'Will Jon Marsh become governor in 2027?', eventTitle: 'Ohio governor' },
      'Will Jon Marsh become governor of Ohio in 2027?',
    ],
    [
      'to a second person that both name',
      'Will Maria Keller and Jon Marsh marry in 2027?',
      'Maria Keller and Jon Marsh married in 2027?',
    ],
    [
      'to the author of a work that only one names',
      'Will Better Days win the 2027 Kroll Prize?',
      'Will "Better Days" by Maria Keller and Jon Marsh win the 2027 Kroll Prize?',
    ],
  ] satisfies [string, Given, Given][])('%s', (_, a, b) => {
    expect(vetoOf(...pairOf(a, b))).toBeNull()
  })
})

describe('identical wording', () => {
  const title = 'Will Jon Marsh be the next Speaker?'
  const vetoOn = (a: Given, b: Given) => {
    const [one, two] = pairOf(a, b)
    return vetoOfUndated(one, two, templatePairOf(one, two)!)
  }

  test('never verifies while one of them is undated', () => {
    expect(vetoOn(title, title)?.name).toBe('undated')
    expect(vetoOn({ title, closeTime: '2027-01-05T00:00:00Z' }, title)?.name).toBe('undated')
  })

  test('may verify if both are dated', () => {
    const dated = { title, closeTime: '2027-01-05T00:00:00Z' }
    expect(vetoOn(dated, dated)).toBeNull()
  })

  test('is required: other words are decided as such', () => {
    expect(vetoOn(title, 'Jon Marsh announced as next Speaker?')).toBeNull()
  })
})

test('an office of one side does not demote what the first comparison has verified; a second person does', () => {
  const alone = 'Will Maria Keller endorse Jon Marsh before 2027?'
  expect(vetoOfVerified(...pairOf(alone, 'Will Maria Keller endorse Jon Marsh for mayor before 2027?'))).toBeNull()
  expect(
    vetoOfVerified(...pairOf(alone, 'Will Maria Keller endorse Jon Marsh and Priya Raman before 2027?'))?.name,
  ).toBe('second person')
})

describe('a post of the same title', () => {
  const vetoOn = (one: string, other: string) => {
    const ask = (post: string) => `Will Jon Marsh be confirmed as ${post} before 2027?`
    return vetoOfVerified(...pairOf(ask(one), ask(other)))?.name
  }

  test.each([
    ['FBI Director', 'Director of the CIA'],
    ['Director of National Intelligence', 'Director of the Secret Service'],
    ['Secretary of Health and Human Services', 'Secretary of Transportation'],
    ['Ambassador to France', 'Ambassador to Spain'],
  ])('at another body is another question: %s, %s', (one, other) => {
    expect([vetoOn(one, other), vetoOn(other, one)]).toEqual(['office', 'office'])
  })

  test.each([
    ['FBI Director', 'Director of the FBI'],
    ['Secretary of HHS', 'Secretary of Health and Human Services'],
    ['Treasury Secretary', 'Secretary of the Treasury'],
    ['U.N. Ambassador', 'Ambassador to the United Nations'],
    ['Secretary of Defense', 'the Defense Secretary'],
    ['Homeland Security Secretary', 'Secretary of Homeland Security'],
  ])('under another name is the same: %s, %s', (one, other) => {
    expect([vetoOn(one, other), vetoOn(other, one)]).toEqual([undefined, undefined])
  })
})
