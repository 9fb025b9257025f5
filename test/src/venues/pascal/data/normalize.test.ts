import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Market } from '#schemas/market'
import { normalizeMarket } from '#venues/pascal/data/normalize'
import { eventOf, idsOf } from '#venues/pascal/ids'
import { pascal } from '#venues/pascal/index'
import { PascalMarket } from '#venues/pascal/wire'
import { market, symbol } from './rows.ts'

const marketOf = (more: object = {}): Market => Market.parse(normalizeMarket(PascalMarket.parse(market(symbol, more))))

describe('a market', () => {
  test('is YES and NO of one symbol at its mark price, with the 24h taker buys and sells added up', () => {
    expect(marketOf()).toMatchObject({
      marketId: symbol,
      eventId: 'ME_SEN_2026',
      title: 'Who wins the Senate race in Maine?: Republican',
      status: 'active',
      volume24h: 14.75,
      volume24hSource: 'venue',
      volume: 900.125,
      openInterest: 1_200,
      liquidity: null,
      tickSize: 0.001,
      resolutionDate: '2026-11-04T00:00:00.000Z',
      category: 'Politics',
      tags: ['Politics', 'Elections'],
      url: 'https://app.pascal.trade/?marketSymbol=ME_SEN_2026.REP',
      outcomes: [
        { outcomeId: symbol, price: 0.42, bestBid: null, bestAsk: null },
        { outcomeId: `${symbol}-NO`, price: 0.58, bestBid: null, bestAsk: null },
      ],
      sourceMetadata: {
        volumeUnit: 'USD',
        takerFeeRate: 0.01,
        section: 'Senate',
        reference: { kind: 'polymarket', market_outcome_token_id: '123' },
      },
    })
  })

  test.each([
    [{ taker_buy_volume: '0', taker_sell_volume: '0' }, 0],
    [{ taker_buy_volume: '5' }, null],
    [{ taker_buy_volume: '5', taker_sell_volume: 'x' }, null],
    [null, null],
  ])('24h stats %j give a volume of %j', (last_24h, expected) => {
    const { volume24h, volume24hSource } = marketOf({ stats: { last_24h } })
    expect([volume24h, volume24hSource]).toEqual([expected, 'venue'])
  })

  test('reads the older name of the lifetime volume too', () => {
    expect(marketOf({ stats: { all_time: { volume_usdc: '7' } } }).volume).toBe(7)
  })

  test.each([
    ['1.000000', [1, 0]],
    ['0.000000', [0, 1]],
    ['0.250000', [0.25, 0.75]],
    ['YES', [null, null]],
    [{ outcome: 1 }, [null, null]],
    ['2', [null, null]],
  ])('resolved as %j is priced at %j, whatever its mark price', (resolution, paid) => {
    const row = marketOf({ resolution, mark_price: '0.99' })
    expect([row.status, row.outcomes.map(({ price }) => price)]).toEqual(['resolved', paid])
    expect(row.sourceMetadata).toMatchObject({ resolution })
  })

  test('maps unknown values to null or omits them; an optional field of another type loses only its value', () => {
    const bare = Market.parse(normalizeMarket(PascalMarket.parse({ symbol })))
    expect(bare).toMatchObject({
      title: symbol,
      volume: null,
      volume24h: null,
      openInterest: null,
      tickSize: null,
      status: 'unknown',
    })
    expect(bare).not.toHaveProperty('resolutionDate')
    expect(bare).not.toHaveProperty('tags')
    expect(bare.outcomes.map(({ price }) => price)).toEqual([null, null])
    const odd = {
      mark_price: {},
      stats: 'none',
      display_attributes: { tags: 'x', reference: 7, expected_resolution_time_ms: 0 },
    }
    expect(marketOf(odd)).toMatchObject({ title: symbol, status: 'active' })
    expect(PascalMarket.safeParse({ mark_price: '0.4' }).success).toBe(false)
  })
})

test('a non-zero fee rate is an unknown fee; a zero rate is no fee', () => {
  const of = (taker_fee_rate: unknown) => pascal.data.feeModel(marketOf({ taker_fee_rate })).fee
  expect(of('0.010000')).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('0.01') })
  expect(of('0')).toEqual({ kind: 'none' })
  expect(of(null)).toMatchObject({ kind: 'unknown' })
  expect(pascal.data.feeModel(marketOf()).settlementFee).toMatchObject({ kind: 'unknown' })
})

describe('names', () => {
  const part = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,13}$/)
  test('every symbol has its own book, and its NO outcome reads the same book inverted', () => {
    fc.assert(
      fc.property(part, part, (event, outcome) => {
        const name = `${event}.${outcome}`
        expect(eventOf(name)).toBe(event)
        for (const marketId of [name, undefined]) {
          expect(pascal.data.bookRef(name, marketId)).toEqual({ bookId: name, complement: false })
          expect(pascal.data.bookRef(idsOf(name)[1], marketId)).toEqual({ bookId: name, complement: true })
        }
      }),
    )
  })

  test.each([
    '',
    'REP',
    'A.B.C',
    'GEMI-A.B',
    'KXHIGHNY-26AUG07-B84.5',
    'a b.c',
    '#99.1',
    `${'A'.repeat(31)}.B`,
    'slug:long',
  ])('rejects %j as an id of this venue', (id) => expect(pascal.data.bookRef(id)).toBeNull())
})
