import { describe, expect, test } from 'vitest'
import { Event, Market } from '#schemas/market'
import { normalizeEvent, normalizeMarket } from '#venues/predictstreet/data/normalize'
import { predictstreet } from '#venues/predictstreet/index'
import { PredictStreetEvent, PredictStreetMarket } from '#venues/predictstreet/wire'
import { eventRow, marketRow } from './rows.ts'

const read = (more: object = {}) => normalizeMarket(PredictStreetMarket.parse(marketRow(more)), null)
const marketOf = (more: object = {}): Market => Market.parse(read(more))
const eventOf = (more: object = {}) => normalizeEvent(PredictStreetEvent.parse(eventRow(more)), [])

describe('a market', () => {
  test('identifies its outcomes by number, each with its own book', () => {
    expect(marketOf()).toMatchObject({
      marketId: 'real-madrid-vs-manchester-city-real-madrid-to-win-the-tie',
      eventId: 'e005f649-2d64-4e37-8513-5463c26f28c6',
      title: 'Real Madrid (ESP) vs Manchester City (ENG): Real Madrid to win the tie',
      description: 'Settles to the team that advances on aggregate.',
      status: 'active',
      resolutionDate: '2026-04-30T13:30:00.000Z',
      volume24h: 1200.5,
      volume24hSource: 'venue',
      volume: 90_000,
      tickSize: null,
      outcomes: [
        {
          outcomeId: 'M1V1-RMA-MCI-959311:0',
          label: 'YES',
          price: 0.55,
          metadata: { tokenId: '12345678901234567890' },
        },
        { outcomeId: 'M1V1-RMA-MCI-959311:1', label: 'NO', price: 0.45, metadata: { tokenId: '98765432109876543210' } },
      ],
      sourceMetadata: { negRisk: false, feeTakerBps: 140, fees: { takerBps: 140 } },
    })
    for (const { outcomeId } of marketOf().outcomes) {
      expect(predictstreet.data.bookRef(outcomeId)).toEqual({ bookId: outcomeId, complement: false })
    }
  })

  test('of more than two outcomes lists them all, without its token, which is of no single outcome', () => {
    const four = { outcomeCount: 4, outcomeLabels: ['Arsenal', 'Chelsea', 'Draw', 'Other'], noTokenId: null }
    const market = marketOf({ ...four, outcomePrices: ['0.40', '0.30', '0.20', '0.10'] })
    expect(market.outcomes.map(({ label, price, metadata }) => [label, price, metadata])).toEqual([
      ['Arsenal', 0.4, {}],
      ['Chelsea', 0.3, {}],
      ['Draw', 0.2, {}],
      ['Other', 0.1, {}],
    ])
    // Two prices are not enough for four outcomes.
    expect(marketOf(four).outcomes.map(({ price }) => price)).toEqual([null, null, null, null])
  })

  test.each([
    ['OPEN', 'active'],
    ['PAUSED', 'inactive'],
    ['SUSPENDED', 'inactive'],
    ['PROPOSED', 'inactive'],
    ['PRE_MARKET', 'inactive'],
    ['CLOSED', 'closed'],
    ['PENDING_RESOLUTION', 'closed'],
    ['DELAYED', 'closed'],
    ['DISPUTED', 'closed'],
    ['RESOLVED', 'resolved'],
    ['VOIDED', 'closed'],
    ['CANCELLED', 'closed'],
    ['BRAND_NEW', 'unknown'],
    [undefined, 'unknown'],
  ])('with status %s is %s', (status, expected) => {
    expect(marketOf({ status }).status).toBe(expected)
  })

  test.each([
    [
      ['1', '0'],
      [1, 0],
    ],
    [
      [0, 1],
      [0, 1],
    ],
    [
      ['1', '1'],
      [0.5, 0.5],
    ],
    // Void: no side is paid.
    [
      ['0', '0'],
      [null, null],
    ],
    [['1'], [null, null]],
    [
      ['-1', '2'],
      [null, null],
    ],
    ['1,0', [null, null]],
    [null, [null, null]],
  ])('resolved with payouts %j is priced at %j, whatever its trades', (payoutNumerators, prices) => {
    const { outcomes } = marketOf({ status: 'RESOLVED', payoutNumerators })
    expect(outcomes.map(({ price }) => price)).toEqual(prices)
  })

  test('does not use the opening price as a price', () => {
    expect(marketOf({ outcomePrices: null }).outcomes.map(({ price }) => price)).toEqual([null, null])
  })

  test('maps unknown values to null or omits them; zero is a value', () => {
    const bare = { volume24h: undefined, totalVolume: null, closesAt: null, tags: null, feeTakerBps: null }
    const market = marketOf(bare)
    expect([market.volume24h, market.volume24hSource, market.volume]).toEqual([null, 'venue', null])
    for (const name of ['resolutionDate', 'tags']) expect(market).not.toHaveProperty(name)
    expect(market.sourceMetadata).not.toHaveProperty('fees')
    expect(marketOf({ volume24h: '0', feeTakerBps: 0 })).toMatchObject({
      volume24h: 0,
      volume24hSource: 'venue',
      sourceMetadata: { feeTakerBps: 0 },
    })
  })

  test.each(['lower-case-20260101', '2026-0101', 'PREDICT', 'A B-1', 'A:B-1'])(
    'with the symbol %j cannot be requested by book and is null',
    (symbol) => {
      expect(read({ symbol })).toBeNull()
    },
  )
})

test('an event keeps the venue’s own volume and its tournament stage', () => {
  expect(Event.parse(eventOf())).toMatchObject({
    id: 'e005f649-2d64-4e37-8513-5463c26f28c6',
    slug: 'm1v1-rma-mci-959311',
    volume24h: 1_300,
    volume: 91_000,
    tags: ['Soccer'],
    seriesId: null,
    sourceMetadata: { stage: 'r16', teamA: 'ESP', teamB: 'ENG', startTime: '2026-04-30T15:48:31.000Z' },
  })
  expect(eventOf({ volume24h: null }).volume24h).toBeNull()
})

describe('every documented field is kept', () => {
  const ignored = {
    market: {
      currentReviewRound: 'number of internal reviews at the venue',
      outcomeCount: 'the number of labels',
      payoutNumerators: 'passed on, and used as the price once resolved',
    },
    event: { markets: 'normalised separately' },
  }
  test.each([
    ['market', marketRow(), read],
    ['event', eventRow(), eventOf],
  ] as const)('of a %s', (what, row, normalize) => {
    const whole = JSON.stringify(normalize())
    const lost = Object.keys(row).filter((name) => {
      try {
        return JSON.stringify(normalize({ [name]: null })) === whole
      } catch {
        // A required field.
        return false
      }
    })
    expect(lost.filter((name) => !(name in ignored[what]))).toEqual([])
  })
})

test('a leg is not priced, because a buyer’s fee is taken in shares: unknown is not zero', () => {
  const { fee, settlementFee } = predictstreet.data.feeModel({ sourceMetadata: {} })
  expect([fee.kind, settlementFee.kind]).toEqual(['unknown', 'unknown'])
})
