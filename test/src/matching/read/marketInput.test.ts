import { describe, expect, test } from 'vitest'
import { inputOf } from '#matching/candidateIndex'
import type { MatchWords } from '#storage/postgres/matching/index'

const words: MatchWords = {
  title: 'Bitcoin price on Dec 22?',
  description: 'Yes if above the strike.',
  category: 'Crypto',
  resolutionDate: '2026-12-29T00:00:00.000Z',
  outcomes: ['Yes', 'No'],
  metadata: null,
  eventId: null,
  eventTitle: 'Bitcoin price',
  eventMetadata: null,
  eventOpen: null,
}

describe('matcher input from a catalog row', () => {
  test('takes label, strike, close time and source from where each venue puts them', () => {
    expect(
      inputOf('kalshi', 'KXBTCD-T100000', {
        ...words,
        metadata: {
          yesSubTitle: '$100,000 or above',
          strikeType: 'greater_or_equal',
          floorStrike: 100_000,
          rulesSecondary: 'The average of sixty seconds.',
          closeTime: '2026-12-22T17:00:00.000Z',
        },
        eventMetadata: { settlementSources: [{ name: 'CF Benchmarks', url: 'https://example.com/brti' }] },
      }),
    ).toMatchObject({
      subtitle: '$100,000 or above',
      eventTitle: 'Bitcoin price',
      strikeType: 'greater_or_equal',
      floorStrike: 100_000,
      capStrike: null,
      rules: 'Yes if above the strike.\nThe average of sixty seconds.',
      closeTime: '2026-12-22T17:00:00.000Z',
      resolutionSource: 'CF Benchmarks https://example.com/brti',
    })
    expect(
      inputOf('polymarket', '5', {
        ...words,
        metadata: {
          groupItemTitle: '100,000',
          resolutionSource: 'https://www.binance.com',
          strikeType: 'structured',
          gameStartTime: '2026-12-22T17:00:00Z',
        },
      }),
    ).toMatchObject({
      subtitle: '100,000',
      strikeType: null,
      gameStart: '2026-12-22T17:00:00Z',
      closeTime: '2026-12-29T00:00:00.000Z',
      resolutionSource: 'https://www.binance.com',
    })
  })

  test('applies the exclusive flag of an event to its markets, unless a market overrides it', () => {
    const read = (eventMetadata: Record<string, unknown>, metadata: Record<string, unknown> = {}) =>
      inputOf('polymarket', '5', { ...words, eventId: 'E', metadata, eventMetadata })
    expect(read({ negRisk: true })).toMatchObject({ eventId: 'E', exclusive: true })
    expect(read({ mutuallyExclusive: true })).toMatchObject({ exclusive: true })
    expect(read({ mutuallyExclusive: false })).toMatchObject({ exclusive: false })
    expect(read({ negRisk: true }, { negRisk: false })).toMatchObject({ exclusive: false })
  })

  test('describes the event’s list of answers for a market that may be a catch-all outcome', () => {
    const read = (eventOpen: number | null, eventMetadata: Record<string, unknown>) =>
      inputOf('polymarket', '5', { ...words, eventId: 'E', eventMetadata, eventOpen })?.listing
    expect(read(3, { negRisk: true, negRiskAugmented: false })).toEqual({ open: 3, grows: false })
    expect(read(3, { negRisk: true, negRiskAugmented: true })).toEqual({ open: 3, grows: true })
    expect(read(3, { mutuallyExclusive: true })).toEqual({ open: 3, grows: null })
    // The fallback is not listed, but it may pay.
    expect(read(3, { mutuallyExclusive: true, fallbackOutcome: 7 })).toEqual({ open: 4, grows: null })
    expect(read(null, { negRisk: true, negRiskAugmented: false })).toBeNull()
  })

  test('skips parlays and scalar markets', () => {
    expect(inputOf('kalshi', '1', { ...words, metadata: { mveSelectedLegs: [{ leg: 1 }] } })).toBeNull()
    expect(inputOf('kalshi', '1', { ...words, metadata: { marketType: 'scalar' } })).toBeNull()
    expect(inputOf('kalshi', '1', { ...words, metadata: { mveSelectedLegs: [], marketType: 'binary' } })).not.toBeNull()
  })

  test('leaves missing fields empty', () => {
    const silent = {
      ...words,
      title: null,
      description: null,
      category: null,
      resolutionDate: null,
      outcomes: null,
      eventId: null,
      eventTitle: null,
    }
    expect(inputOf('kalshi', '1', silent)).toEqual({
      venue: 'kalshi',
      marketId: '1',
      eventId: null,
      exclusive: false,
      title: '',
      subtitle: null,
      eventTitle: null,
      rules: '',
      closeTime: null,
      outcomes: null,
      strikeType: null,
      floorStrike: null,
      capStrike: null,
      resolutionSource: null,
      category: null,
      gameStart: null,
      listing: null,
    })
  })
})
