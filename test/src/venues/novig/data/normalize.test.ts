import { describe, expect, test } from 'vitest'
import { silentLog } from '#core/log'
import { Event, type Market } from '#schemas/market'
import { readEvent } from '#venues/novig/data/normalize'
import { novig } from '#venues/novig/index'
import { event, idOf, market, outcome } from './rows.ts'

const sides = (under: object = {}, over: object = {}) => [
  outcome(1, 'Under 7.5', { index: 1, ...under }),
  outcome(2, 'Over 7.5', { index: 0, ...over }),
]
const marketOf = (outcomes: object[], more: object = {}, eventMore: object = {}): Market =>
  Event.parse(readEvent({ log: silentLog }, event(1, [market(1, outcomes, more)], eventMore))).markets[0]!

describe('a market', () => {
  test('has its event in the title, the venue’s order of sides, and its lifetime volume in CASH', () => {
    expect(marketOf(sides({ available: 0.36, last: 0.4 }, { available: 0.65 }))).toMatchObject({
      marketId: idOf(1, '2'),
      eventId: idOf(1, '1'),
      title: 'Chicago White Sox @ Baltimore Orioles: CWS @ BAL t7.5',
      status: 'active',
      volume: 1_200,
      volume24h: null,
      tickSize: 0.001,
      category: 'MLB',
      tags: ['MLB'],
      outcomes: [
        { outcomeId: idOf(2, '3'), label: 'Over 7.5', price: null, bestBid: 0.64, bestAsk: 0.65 },
        { outcomeId: idOf(1, '3'), label: 'Under 7.5', price: 0.4, bestBid: 0.35, bestAsk: 0.36 },
      ],
      sourceMetadata: {
        volumeUnit: 'CASH',
        collateral: 'CASH',
        venueMarketType: 'TOTAL',
        line: 7.5,
        isConsensus: true,
        gameStartTime: '2026-09-03T22:35:00.000Z',
        updatedAt: '2026-09-03T20:00:00.120Z',
      },
    })
  })

  test('without offers has no quotes on either side, and the start of the game is not a resolution date', () => {
    const row = marketOf(sides({ available: null }, { available: 1 }), { volume: null })
    for (const { price, bestBid, bestAsk } of row.outcomes)
      expect([price, bestBid, bestAsk]).toEqual([null, null, null])
    expect(row.volume).toBeNull()
    expect(row).not.toHaveProperty('resolutionDate')
    expect(row).not.toHaveProperty('volume24hSource')
    expect(marketOf(sides(), { volume: 0 }).volume).toBe(0)
  })

  test('of three outcomes does not derive bids from the other outcomes’ offers', () => {
    const row = marketOf([...sides({ available: 0.3 }), outcome(3, 'Exactly', { available: 0.2 })])
    expect(row.outcomes.map(({ bestBid }) => bestBid)).toEqual([null, null, null])
    expect(row.sourceMetadata).toMatchObject({ marketType: 'categorical' })
  })

  test.each([
    ['OPEN', 'OPEN_PREGAME', 'active'],
    ['OPEN', 'OPEN_INGAME', 'active'],
    ['OPEN', 'DELAYED', 'active'],
    ['OPEN', 'INITIAL', 'inactive'],
    ['OPEN', 'CLOSED_PREGAME', 'inactive'],
    ['OPEN', 'FINAL', 'closed'],
    ['OPEN', 'CANCELED', 'closed'],
    ['OPEN', 'SUSPENDED', 'unknown'],
    ['OPEN', null, 'unknown'],
    [null, 'OPEN_PREGAME', 'active'],
    ['CLOSED', 'OPEN_INGAME', 'closed'],
    ['SETTLED', 'FINAL', 'resolved'],
    ['HALTED', 'OPEN_PREGAME', 'unknown'],
  ])('market status %s with event status %s: %s', (status, eventStatus, expected) => {
    expect(marketOf(sides(), { status }, { status: eventStatus }).status).toBe(expected)
  })

  test.each([
    ['LOSS', 'WIN', [1, 0]],
    ['0.250', '0.750', [0.75, 0.25]],
    ['PUSH', 'PUSH', [null, null]],
    ['TBD', 'TBD', [null, null]],
  ])('settled with %s and %s is priced at its payout, ignoring the last trade', (under, over, paid) => {
    const row = marketOf(sides({ status: under, last: 0.4, available: 0.5 }, { status: over, last: 0.6 }), {
      status: 'SETTLED',
    })
    expect(row.outcomes.map(({ price }) => price)).toEqual(paid)
    expect(row.outcomes.map(({ bestBid, bestAsk }) => [bestBid, bestAsk])).toEqual([
      [null, null],
      [null, null],
    ])
  })

  test('loses only an optional field of another type; a row without its identifying fields is left out', () => {
    const odd = { type: 7, strike: 'x', is_consensus: 'yes', updated_at: 3, player: 'Ohtani' }
    expect(marketOf(sides(), odd)).toMatchObject({ status: 'active', sourceMetadata: { volumeUnit: 'CASH' } })
    const rows = [market(1, []), market(2, sides(), { id: 'm2' }), market(3, sides(), { description: null }), null]
    expect(readEvent({ log: silentLog }, event(1, rows))!.markets).toEqual([])
    expect(readEvent({ log: silentLog }, event(1, [], { id: 7 }))).toBeNull()
  })

  test('from the GraphQL has an unknown fee', () => {
    expect(novig.data.feeModel(marketOf(sides())).fee.kind).toBe('unknown')
  })
})

test.each(['', 'abc', '123', 'KXBTC-26', 'GEMI-A-B', `0x${'a'.repeat(64)}`, idOf(1).toUpperCase().replace('0', 'A')])(
  'rejects %j as an id of this venue',
  (id) => {
    expect(novig.data.bookRef(id)).toBeNull()
  },
)
