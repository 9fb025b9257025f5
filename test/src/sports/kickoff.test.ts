import { describe, expect, it } from 'vitest'
import { easternTime, kickoffOf, localDay } from '#matching/read/games/kickoff'
import { market } from './markets.ts'

const iso = (at: number | null | undefined): string | null => (at == null ? null : new Date(at).toISOString())
const day = (text: string): number => Date.parse(text) / 86_400_000

describe('wall-clock time of New York', () => {
  it.each([
    ['winter', easternTime(2026, 1, 18, 13 * 60), '2026-01-18T18:00:00.000Z'],
    ['summer', easternTime(2026, 5, 10, 19 * 60 + 20), '2026-05-10T23:20:00.000Z'],
    ['the last minute before daylight saving time', easternTime(2026, 3, 8, 119), '2026-03-08T06:59:00.000Z'],
    ['the first minute of daylight saving time', easternTime(2026, 3, 8, 180), '2026-03-08T07:00:00.000Z'],
    ['the last evening of daylight saving time', easternTime(2026, 10, 31, 1_200), '2026-11-01T00:00:00.000Z'],
    ['the day after', easternTime(2026, 11, 1, 780), '2026-11-01T18:00:00.000Z'],
  ])('%s', (_, at, expected) => {
    expect(iso(at)).toBe(expected)
    expect(localDay(at, 'America/New_York')).toBe(day(iso(at - 4 * 3_600_000)!.slice(0, 10)))
  })
})

describe('when a game begins', () => {
  it.each([
    [
      'a field of the market',
      market('a', '1', { metadata: { gameStartTime: '2026-05-10T18:05:00.000Z' } }),
      '2026-05-10T18:05:00.000Z',
    ],
    [
      'a field of the event',
      market('a', '1', { eventMetadata: { startTime: '2026-05-10T18:05:00.000Z' } }),
      '2026-05-10T18:05:00.000Z',
    ],
    ['a ticker', market('a', 'KXMLBGAME-26MAY101920DETKC-DET'), '2026-05-10T23:20:00.000Z'],
    [
      'a ticker of a team whose code begins with a digit',
      market('a', 'KXCS2GAME-26MAY1010009ZFAL-FAL'),
      '2026-05-10T14:00:00.000Z',
    ],
    [
      'rules',
      market('a', 'KXNFLGAME-26SEP14DENKC-DEN', {
        description: 'If Denver wins the game originally scheduled for Sep 14, 2026 at 8:15 PM EDT, …',
      }),
      '2026-09-15T00:15:00.000Z',
    ],
  ])('%s gives the time', (_, input, expected) => {
    expect(iso(kickoffOf(input)?.at)).toBe(expected)
  })

  it.each([
    ['a ticker', market('a', 'KXEPLGAME-26MAY24WHULEE-WHU'), '2026-05-24'],
    ['a slug', market('a', '1', { slug: 'epl-whu-lee-2026-05-24' }), '2026-05-24'],
    ['a field', market('a', '1', { eventMetadata: { eventDate: '2026-05-24' } }), '2026-05-24'],
    [
      'rules',
      market('a', '1', { description: 'Resolves by the winner of the game scheduled for May 24, 2026.' }),
      '2026-05-24',
    ],
    [
      'a midnight on the date in the rules',
      market('a', '1', {
        eventMetadata: { startTime: '2026-05-24T00:00:00.000Z' },
        description: 'the game scheduled for May 24, 2026.',
      }),
      '2026-05-24',
    ],
  ])('%s gives only the date', (_, input, expected) => {
    expect(kickoffOf(input)).toEqual({ at: null, day: day(expected) })
  })

  it.each([
    ['on an American evening', 'the game scheduled for May 23, 2026.'],
    ['that the rules confirm', 'the game scheduled for May 24, 2026 at 12:00 AM EDT'],
    ['without a date in the rules', ''],
  ])('a midnight %s is a time', (_, description) => {
    const startTime = '2026-05-24T00:00:00.000Z'
    expect(iso(kickoffOf(market('a', '1', { eventMetadata: { startTime }, description }))?.at)).toBe(startTime)
  })

  it('the close of trading gives neither', () => {
    expect(
      kickoffOf(market('a', '1', { metadata: { closeTime: '2026-05-24T18:00:00Z', endDate: '2026-05-24' } })),
    ).toBeNull()
    expect(kickoffOf(market('a', '1', { metadata: { gameStartTime: 'soon' } }))).toBeNull()
  })
})
