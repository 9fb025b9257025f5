// Hard negatives are made from equal pairs by exchanging one thing, and each is certainly another question.
import { describe, expect, test } from 'vitest'
import type { LabelledPair } from '#test/support/labelledPairs'
import {
  type HardNegative,
  hardNegatives,
  type NegativeKind,
  negativeKinds,
} from '#test/support/matching/hardNegatives'

type Side = Omit<LabelledPair['a'], 'venue'>

const equalPair = (a: Side, b: Side, more: Partial<LabelledPair> = {}): LabelledPair => ({
  a: { venue: 'kalshi', ...a },
  b: { venue: 'polymarket', ...b },
  match: true,
  polarity: 'same',
  group: null,
  relation: 'identity',
  family: 'MADEUP',
  ...more,
})

const ofKind = (pairs: readonly LabelledPair[], kind: NegativeKind): HardNegative[] =>
  hardNegatives(pairs).filter((negative) => negative.kind === kind)

const prize = equalPair(
  { marketId: 'KXKROLL-27-MK', title: 'Who will win the Kroll Prize in 2027?', subtitle: 'Maria Keller' },
  {
    marketId: '101',
    title: 'Will Maria Keller win the 2027 Kroll Prize?',
    rules: 'Resolves to Yes if Maria Keller is the laureate of 2027. Keller may decline.',
    closeTime: '2027-10-01T00:00:00Z',
  },
)
const election = equalPair(
  {
    marketId: 'KXPERUPRES-27-RV',
    title: 'Will Rosa Vidal win the first round of the Peruvian presidential election?',
  },
  { marketId: '102', title: 'Will Rosa Vidal win the first round of the presidential election in Peru before 2028?' },
)
const seats = equalPair(
  { marketId: 'KXSEATS-27-B25', title: 'Will the Greens win between 20 and 25 seats?' },
  { marketId: '103', title: 'Will the Greens win 20-25 seats?' },
)
const turnout = equalPair(
  { marketId: 'KXTURNOUT-27-T70', title: 'Will turnout be above 70%?' },
  { marketId: '104', title: 'Turnout above 70% in the June 12 election?' },
)

describe('exchanging a name', () => {
  test('exchanges it in all texts and keeps the rest', () => {
    const [negative] = ofKind([prize], 'name')
    expect(negative?.change).toMatch(/^Maria Keller → /)
    const { a, b } = negative!.pair
    expect(a).toEqual(prize.a)
    expect(b.title).not.toContain('Maria Keller')
    expect(b.title).toMatch(/^Will \w+ \w+ win the 2027 Kroll Prize\?$/)
    expect(b.rules).not.toContain('Maria Keller')
  })

  test('uses the name that both titles have if there is no label', () => {
    expect(ofKind([election], 'name')[0]?.change).toMatch(/^Rosa Vidal → /)
  })
})

describe('exchanging a year', () => {
  test('moves every year and the close time by the same number of years', () => {
    const [negative] = ofKind([prize], 'year')
    const { b } = negative!.pair
    const year = Number(/20\d\d/.exec(b.title)?.[0])
    expect(year).not.toBe(2027)
    expect(b.rules).toContain(`of ${year}.`)
    expect(b.closeTime).toBe(`${year}-10-01T00:00:00.000Z`)
  })

  test('leaves years in brackets and seasons alone', () => {
    const film = equalPair({ marketId: 'KX-1', title: 'x' }, { marketId: '1', title: 'Will "Roofman" (2025) win?' })
    const season = equalPair({ marketId: 'KX-2', title: 'x' }, { marketId: '2', title: 'Will Ada lead in 2025-26?' })
    expect(ofKind([film, season], 'year')).toEqual([])
  })

  test('moves the year of a date', () => {
    const game = equalPair({ marketId: 'KX-3', title: 'x' }, { marketId: '3', title: 'Will Haiti win on 2026-06-24?' })
    expect(ofKind([game], 'year')[0]?.pair.b.title).toMatch(/on 20\d\d-06-24\?$/)
  })
})

describe('exchanging a number', () => {
  test('raises the upper end of a range', () => {
    expect(ofKind([seats], 'number')[0]?.pair.b.title).toBe('Will the Greens win 20-31 seats?')
  })

  test('exchanges a threshold, not a day of a month', () => {
    expect(ofKind([turnout], 'number')[0]?.pair.b.title).toBe('Turnout above 76% in the June 12 election?')
  })
})

describe('exchanging a word', () => {
  test.each([
    ['stage', 'Will Rosa Vidal win the second round of the presidential election in Peru before 2028?'],
    ['direction', 'Will Rosa Vidal win the first round of the presidential election in Peru after 2028?'],
    ['office', 'Will Rosa Vidal win the first round of the senatorial election in Peru before 2028?'],
  ] as const)('exchanges the %s', (kind, title) => {
    expect(ofKind([election], kind)[0]?.pair.b.title).toBe(title)
  })

  test('exchanges the place for another of its kind', () => {
    const [negative] = ofKind([election], 'place')
    expect(negative?.change).toMatch(/^Peru → /)
    expect(negative?.pair.b.title).not.toContain('Peru')
  })

  test('exchanges the number of an electoral district', () => {
    const race = equalPair(
      { marketId: 'KXHOUSERACE-TX19-26-D', title: 'Will Democratic win the House race for TX-19?' },
      { marketId: '105', title: 'Will the Democratic Party win the TX-19 House seat?' },
    )
    expect(ofKind([race], 'place')[0]?.pair.b.title).toBe('Will the Democratic Party win the TX-18 House seat?')
  })

  test('does not take the city of a team for a place', () => {
    const team = equalPair(
      { marketId: 'KXMLBAL-26-HOU', title: 'Will Houston win?' },
      { marketId: '106', title: 'Will Houston Astros win?' },
    )
    expect(ofKind([team], 'place')).toEqual([])
  })

  test('lets a reversed threshold be the opposite, but not a reversed deadline', () => {
    expect(ofKind([turnout], 'direction')[0]).toMatchObject({ allowed: 'inverse' })
    expect(ofKind([election], 'direction')[0]).toMatchObject({ allowed: null })
  })
})

describe('what both sides state', () => {
  test('is known of each', () => {
    expect(ofKind([election], 'place')[0]).toMatchObject({ stated: true })
    expect(ofKind([election], 'year')[0]).toMatchObject({ stated: true })
    expect(ofKind([election], 'direction')[0]).toMatchObject({ stated: false })
  })

  test('does not include an office that one side names alone', () => {
    const vote = equalPair(
      { marketId: 'KXVOTE-26-AB', title: 'Will Ada Brink vote for Kai Renner?' },
      { marketId: '107', title: 'Will Ada Brink vote to confirm Kai Renner as FBI Director?' },
    )
    expect(ofKind([vote], 'office')[0]).toMatchObject({ change: 'FBI Director → CIA Director', stated: false })
    expect(ofKind([vote], 'name')[0]).toMatchObject({ stated: true })
  })
})

describe('other outcomes of the event', () => {
  const candidate = (name: string, id: string): LabelledPair =>
    equalPair(
      { marketId: `KXKROLL-27-${id}`, title: 'Who will win the Kroll Prize?', subtitle: name },
      { marketId: `2${id}`, title: `Will ${name} win the Kroll Prize?` },
    )

  test('pairs each market with the partners of others', () => {
    const found = ofKind([candidate('Maria Keller', 'MK'), candidate('Jonas Lind', 'JL')], 'sibling')
    expect(found.map(({ pair }) => [pair.a.subtitle, pair.b.title])).toEqual(
      expect.arrayContaining([
        ['Maria Keller', 'Will Jonas Lind win the Kroll Prize?'],
        ['Jonas Lind', 'Will Maria Keller win the Kroll Prize?'],
      ]),
    )
  })

  test('are not two spellings of one outcome', () => {
    expect(ofKind([candidate('Maria Keller', 'MK'), candidate('Keller', 'K')], 'sibling')).toEqual([])
  })

  test('may be opposites in a game', () => {
    const side = (name: string, id: string): LabelledPair =>
      equalPair(
        { marketId: `KXCS2GAME-27-${id}`, title: 'Who will win the Alfa vs. Bravo match?', subtitle: name },
        { marketId: `3${id}`, title: `${name} to win Alfa vs. Bravo?` },
      )
    expect(ofKind([side('Alfa', 'A'), side('Bravo', 'B')], 'sibling')[0]).toMatchObject({ allowed: 'inverse' })
  })
})

describe('the whole set', () => {
  const pairs = [prize, election, seats, turnout]

  test('is the same for the same seed', () => {
    expect(hardNegatives(pairs, { seed: 'one' })).toEqual(hardNegatives(pairs, { seed: 'one' }))
    expect(hardNegatives(pairs, { seed: 'one' })).not.toEqual(hardNegatives(pairs, { seed: 'two' }))
  })

  test('takes kinds in turn when it is limited', () => {
    const found = hardNegatives([...pairs, equalPair(prize.a, { ...prize.b, marketId: '9' })], { max: 7 })
    const stated = found.filter((negative) => negative.stated)
    expect(stated).toHaveLength(7)
    expect(new Set(stated.map(({ kind }) => kind)).size).toBe(7)
    expect(found.every(({ kind }) => negativeKinds.includes(kind))).toBe(true)
  })

  test('is labelled as different and uses no pair that is not equal', () => {
    const found = hardNegatives([...pairs, { ...prize, match: false }])
    expect(found.every(({ pair }) => !pair.match && pair.relation === 'overlap')).toBe(true)
    expect(hardNegatives([{ ...prize, match: false }])).toEqual([])
  })
})
