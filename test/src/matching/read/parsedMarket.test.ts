import { describe, expect, test } from 'vitest'
import { dayText } from '#matching/read/dateParser'
import type { MatchInput } from '#matching/read/input'
import { readQuestion } from '#matching/read/parsedMarket'

const read = (title: string, more: Partial<MatchInput> = {}) =>
  readQuestion({ venue: 'north', marketId: 'm', title, ...more })
const days = (title: string, more: Partial<MatchInput> = {}): string[] =>
  read(title, more).dates.map(
    (date) => `${date.role} ${date.span === null ? '?' : `${dayText(date.span.from)}..${dayText(date.span.to)}`}`,
  )

describe('dates', () => {
  test.each([
    ['Arrested by December 31, 2026?', ['deadline 2026-12-31..2026-12-31']],
    ['Arrested before 2027?', ['deadline 2026-12-31..2026-12-31']],
    ['Arrested before Jan 1, 2027?', ['deadline 2026-12-31..2026-12-31']],
    ['Engaged by end of 2026?', ['deadline 2026-12-31..2026-12-31']],
    ['Out in 2026?', ['in 2026-01-01..2026-12-31']],
    ['GDP growth in Q2 2026', ['in 2026-04-01..2026-06-30']],
    ['Will it dip to $2,000 May 11-17, 2026?', ['in 2026-05-11..2026-05-17']],
    ['Win on 2026-05-13?', ['on 2026-05-13..2026-05-13']],
    ['Rookie of the Year 2026-27', ['in 2027-01-01..2027-12-31']],
    ['May he resign?', []],
  ])('%s', (title, expected) => {
    expect(days(title)).toEqual(expected)
  })

  test('take a missing year from the id, then from the close time', () => {
    expect(days('Up or down on May 13?', { marketId: 'KXBTC-26MAY13' })).toEqual(['on 2026-05-13..2026-05-13'])
    expect(days('Up or down on May 13?', { closeTime: '2025-05-14T00:00:00Z' })).toEqual(['on 2025-05-13..2025-05-13'])
    expect(days('Up or down on December 30?', { closeTime: '2026-01-02T00:00:00Z' })).toEqual([
      'on 2025-12-30..2025-12-30',
    ])
    expect(days('Up or down on May 13?')).toEqual(['on ?'])
  })
})

describe('strikes', () => {
  const strike = (title: string, more: Partial<MatchInput> = {}) =>
    read(title, more).intervals.map(({ low, lowIncluded, high, highIncluded }) => [
      low,
      lowIncluded,
      high,
      highIncluded,
    ])
  test.each([
    ['Bitcoin above $58,000', [[58_000, false, null, false]]],
    ['Bitcoin $58k or above', [[58_000, true, null, false]]],
    ['FDV above $1.5B', [[1.5e9, false, null, false]]],
    ['between 88-89°F', [[88, true, 89, true]]],
    ['87°F or below', [[null, false, 87, true]]],
    ['at most 3 cuts', [[null, false, 3, true]]],
    ['9+ goals', [[9, true, null, false]]],
    ['210-213 House seats', [[210, true, 213, true]]],
    ['fewer than 100 storms', [[null, false, 100, false]]],
  ])('%s', (title, expected) => {
    expect(strike(title)).toEqual(expected)
  })

  test('come from the venue’s fields when the text names none', () => {
    expect(strike('Bitcoin price on Jul 1, 2026?', { floorStrike: 57_999.99, strikeType: 'greater' })).toEqual([
      [57_999.99, false, null, false],
    ])
  })
})

describe('parts of a question', () => {
  test('completes the question of the event with an outcome label', () => {
    const split = read('Who will win the 2027 Kroll Prize?', { subtitle: 'Maria Keller' })
    const whole = read('Will Maria Keller win the 2027 Kroll Prize?')
    expect(split.rest.map((word) => word.key).sort()).toEqual(whole.rest.map((word) => word.key).sort())
    expect(split.features).toEqual(whole.features)
    expect(split.open).toBe(false)
  })

  test('completes a label without a sentence with the question of its event', () => {
    const label = read('December 31, 2026', { eventTitle: 'Will Dreamcash launch a token by ___?' })
    expect(label.text).toBe('Will Dreamcash launch a token by December 31, 2026?')
  })

  test('finds the sides of a matchup, the day of its event and the side of Yes', () => {
    const game = read('Will Getafe win?', { eventTitle: 'Getafe CF vs. Mallorca on May 13, 2026' })
    expect(game).toMatchObject({
      matchup: { sides: [['getafe'], ['mallorca']] },
      side: ['getafe'],
      sideAssumed: false,
      drawPossible: true,
    })
    expect(read('MIN Wild at COL Avalanche', { marketId: 'KXNHLGAME-26MAY13MINCOL-COL' })).toMatchObject({
      side: ['nhl:col'],
      drawPossible: false,
    })
  })

  test('reads cities as teams only within their league', () => {
    expect(read('Will Houston win the 2026 Pro Baseball Championship?').features).toMatchObject({ team: ['mlb:hou'] })
    expect(read('Will Houston elect a new mayor in 2026?').features.team).toBeUndefined()
  })

  test('does not read places within a person’s name', () => {
    expect(read('Will Mark Cuban run in 2028?').features.place).toBeUndefined()
    expect(read('Will Cuban exports double in 2028?').features.place).toEqual(['cuba'])
  })

  test('reads sources and stations from the rules', () => {
    const { settlement } = read('Highest temperature in Houston?', {
      rules: 'As reported by the National Weather Service at Houston Hobby Airport (KHOU).',
    })
    expect(settlement).toEqual({ sources: ['National Weather Service'], stations: ['houston hobby', 'khou'] })
  })

  test('never throws, whatever the title', () => {
    for (const title of [
      '',
      '?',
      '((((',
      '\u0001\u0001',
      'ÅÄÖ ßẞ ΣΑΣ İ',
      '9'.repeat(400),
      'vs',
      'A vs ',
      '-',
      '$',
      '🏀 vs 🏈',
    ])
      expect(() => read(title)).not.toThrow()
  })
})

// Takes a second; quadratic parsing took minutes and would hit the timeout.
test('parses a text of a million characters', () => {
  const eventTitle = 'Will it happen on January 5, 2027? '.repeat(30_000)
  const question = readQuestion({ venue: 'kalshi', marketId: 'X', title: 'Will it?', eventTitle })
  expect(question.dates.length).toBeGreaterThan(0)
}, 30_000)
