import { describe, expect, it } from 'vitest'
import { bookHash } from '#lab/polymarket/encode'
import { Market } from '#schemas/market'
import { normalizeEvent, normalizeMarket, readList, statusOf } from '#venues/polymarket/data/normalize'
import { conditionOfPosition, isPositionId, widthsOf } from '#venues/polymarket/ids'
import { GammaEvent, GammaMarket } from '#venues/polymarket/wire'
import { tokenA, tokenB } from '../support.ts'

const raw = (more: object = {}): GammaMarket =>
  GammaMarket.parse({
    id: '5',
    question: 'Will it rain?',
    outcomes: '["Yes", "No"]',
    outcomePrices: '["0.2", "0.8"]',
    clobTokenIds: JSON.stringify([tokenA, tokenB]),
    active: true,
    closed: false,
    acceptingOrders: true,
    ...more,
  })
const market = (more: object = {}) => Market.parse(normalizeMarket(raw(more)))

describe('a market of protocol 2', () => {
  // As documented on 2026-10-05, when no such market was listed yet.
  const positionIds = [
    '651150819117105875331414918119047680898421632356043490229292782433651916800',
    '651150819117105875331414918119047680898421632356043490229292782433651916801',
  ]
  const conditionId = '0x017089ce3ba22aaa0a4cba8250b8c8e1eb0000000000000000000000000000'
  const v2 = { version: 'v2', clobTokenIds: null, positionIds, conditionId, negRisk: false }

  it('has its position ids as outcomes, and a 32-byte condition id', () => {
    const read = market(v2)
    expect(read.status).toBe('active')
    expect(read.outcomes.map(({ outcomeId, label, price }) => [outcomeId, label, price])).toEqual([
      [positionIds[0], 'Yes', 0.2],
      [positionIds[1], 'No', 0.8],
    ])
    expect(read.sourceMetadata).toMatchObject({
      protocol: 'v2',
      conditionId: `${conditionId}00`,
      tokenIds: positionIds,
    })
    expect(read.contractAddress).toBe(`${conditionId}00`)
    expect(positionIds.map(conditionOfPosition)).toEqual([`${conditionId}00`, `${conditionId}00`])
    expect(widthsOf(conditionId)).toEqual([`${conditionId}00`, conditionId])
  })

  it('uses the ids of its version, even if both kinds are given', () => {
    const both = { ...v2, clobTokenIds: JSON.stringify([tokenA, tokenB]) }
    expect(market(both).outcomes.map(({ outcomeId }) => outcomeId)).toEqual(positionIds)
    expect(market({ ...both, version: 'v1' }).outcomes.map(({ outcomeId }) => outcomeId)).toEqual([tokenA, tokenB])
  })

  it.each([
    ['is absent', undefined],
    ['is a number', 2],
    ['is an object', { value: 'v2' }],
  ])('takes the protocol from the ids when the version %s', (_, version) => {
    const read = market({ ...v2, version })
    expect(read).toMatchObject({ status: 'active', sourceMetadata: { protocol: 'v2' } })
    expect(read.outcomes.map(({ outcomeId }) => outcomeId)).toEqual(positionIds)
    const v1 = market({ ...v2, positionIds: null, clobTokenIds: JSON.stringify([tokenA, tokenB]), version })
    expect(v1).toMatchObject({ status: 'active', sourceMetadata: { protocol: 'v1' } })
    expect(v1.outcomes.map(({ outcomeId }) => outcomeId)).toEqual([tokenA, tokenB])
  })

  it.each([
    ['without ids', { positionIds: null }, 'unknown'],
    ['of an unknown version', { version: 'v3' }, 'unknown'],
    ['resolved by its resolutionStatus', { closed: true, resolutionStatus: 'resolved' }, 'resolved'],
    ['closed and not resolved', { closed: true, resolutionStatus: 'active', outcomePrices: '["0","1"]' }, 'closed'],
  ])('%s is never active without outcomes', (_name, more, status) => {
    const read = market({ ...v2, ...more })
    expect(read.status).toBe(status)
  })

  it('has ids in another format than tokens', () => {
    expect([...positionIds, tokenA, tokenB, '5', 'x'].map(isPositionId)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })

  it('a recorded empty book has the venue’s hash', () => {
    const asset = '663574927012476832975694178961957910328055987427402067619466963999000625152'
    const book = {
      ...{ market: conditionOfPosition(asset), asset_id: asset, timestamp: '1791238858575', hash: '' },
      ...{ bids: [], asks: [], min_order_size: '5', tick_size: '0.01', neg_risk: false, last_trade_price: '' },
      version: 'v2' as const,
    }
    expect(bookHash(book)).toBe('fc3846cab0c35a0977b6e5f605a4e5ff0d0b2277')
  })
})

describe('market status', () => {
  it.each([
    [{ archived: true, closed: true }, 'archived'],
    [{ closed: true, umaResolutionStatus: 'resolved', outcomePrices: '["0.5","0.5"]' }, 'resolved'],
    [{ closed: true, umaResolutionStatus: 'settled' }, 'resolved'],
    [{ closed: true, outcomePrices: '["0","1"]' }, 'resolved'],
    [{ closed: true, umaResolutionStatus: 'proposed' }, 'closed'],
    [{ closed: true, umaResolutionStatus: 'proposed', outcomePrices: '["0","1"]' }, 'closed'],
    [{ closed: true, umaResolutionStatus: 'disputed', outcomePrices: '["0","1"]' }, 'closed'],
    [{ closed: true, umaResolutionStatus: 5, outcomePrices: '["0","1"]' }, 'closed'],
    [{ closed: 'yes' }, 'unknown'],
    [{ archived: 'yes' }, 'unknown'],
    [{ closed: true, outcomePrices: '["0","0"]' }, 'closed'],
    [{ closed: true, outcomePrices: null }, 'closed'],
    [{}, 'active'],
    [{ acceptingOrders: false }, 'inactive'],
    [{ acceptingOrders: undefined }, 'unknown'],
    [{ active: false }, 'unknown'],
  ])('%j is %s', (fields, status) => {
    expect(statusOf(raw(fields))).toBe(status)
  })
})

describe('outcomes', () => {
  it('are identified by token, the first side first; the second side mirrors the first', () => {
    const { outcomes } = market({ bestBid: 0.19, bestAsk: 0.214 })
    expect(
      outcomes.map(({ outcomeId, label, price, bestBid, bestAsk }) => [outcomeId, label, price, bestBid, bestAsk]),
    ).toEqual([
      [tokenA, 'Yes', 0.2, 0.19, 0.214],
      [tokenB, 'No', 0.8, 0.786, 0.81],
    ])
  })

  it('treat 0, 1 or a missing quote from Gamma as an empty side, null for both outcomes', () => {
    for (const fields of [{ bestBid: 0, bestAsk: 1 }, {}, { bestBid: null, bestAsk: 0 }])
      expect(market(fields).outcomes.flatMap(({ bestBid, bestAsk }) => [bestBid, bestAsk])).toEqual([
        null,
        null,
        null,
        null,
      ])
  })

  it('of a market that no longer trades have no quotes, though Gamma still shows the last book', () => {
    for (const [encodedPrices, prices] of [
      ['["0","1"]', [0, 1]],
      ['["0.5","0.5"]', [0.5, 0.5]],
      // The last trade price is not the payout.
      ['["0.9995","0.0005"]', [null, null]],
    ] as const) {
      const { outcomes } = market({ closed: true, umaResolutionStatus: 'resolved', outcomePrices: encodedPrices })
      expect(outcomes.map(({ price }) => price)).toEqual(prices)
    }
    const [yes] = market({ closed: true, umaResolutionStatus: 'resolved', bestAsk: 0.002 }).outcomes
    expect([yes?.bestBid, yes?.bestAsk]).toEqual([null, null])
  })

  it('are empty without token ids, and the metadata lists their labels', () => {
    const { outcomes, sourceMetadata } = market({ clobTokenIds: undefined })
    expect(outcomes).toEqual([])
    expect(sourceMetadata.outcomesWithoutToken).toEqual([
      { label: 'Yes', price: 0.2 },
      { label: 'No', price: 0.8 },
    ])
  })

  it('of three are categorical and not mirrored', () => {
    const { outcomes, sourceMetadata } = market({
      outcomes: ['A', 'B', 'C'],
      clobTokenIds: ['11', '12', '13'],
      outcomePrices: ['0.5', '', 'x'],
      bestBid: 0.4,
    })
    expect(sourceMetadata.marketType).toBe('categorical')
    expect(outcomes.map(({ price, bestBid, bestAsk }) => [price, bestBid, bestAsk])).toEqual([
      [0.5, 0.4, null],
      [null, null, null],
      [null, null, null],
    ])
  })

  it('are empty when a list is malformed, never partially read', () => {
    for (const encoded of [null, undefined, '', '[', '{"a":1}', '5', '"x"']) expect(readList(encoded)).toEqual([])
    expect(readList('["a", 5, "b"]')).toEqual(['a', 'b'])
  })
})

describe('unknown and zero values', () => {
  it('are distinguished', () => {
    const silent = market()
    expect([silent.volume24h, silent.volume, silent.liquidity, silent.tickSize, silent.resolutionDate]).toEqual([
      null,
      null,
      null,
      null,
      undefined,
    ])
    const zero = market({ volume24hr: 0, volume: '0', liquidity: '0', endDate: '2026-01-01 07:30:39+00' })
    expect([zero.volume24h, zero.volume24hSource, zero.volume, zero.liquidity]).toEqual([0, 'venue', 0, 0])
    expect(zero.resolutionDate).toBe('2026-01-01T07:30:39.000Z')
    expect(market({ endDate: '1970-01-01T00:00:00Z' }).resolutionDate).toBeUndefined()
  })

  it('are summed in an event, which marks partial sums', () => {
    const event = GammaEvent.parse({ id: 7, slug: 'rain', title: 'Rain', tags: [{ id: '1', label: 'Weather' }, {}] })
    const known = normalizeMarket(raw({ volume24hr: 5 }), event)
    const unknown = normalizeMarket(raw({ id: 6 }), event)
    expect(normalizeEvent(event, [known, unknown])).toMatchObject({
      id: '7',
      volume24h: 5,
      volume24hSource: { sources: ['venue'], partial: true },
      tags: ['Weather'],
      url: 'https://polymarket.com/event/rain',
    })
    expect(normalizeEvent(event, [unknown])).toMatchObject({ volume24h: null })
    expect(known).toMatchObject({ eventId: '7', url: 'https://polymarket.com/event/rain', tags: ['Weather'] })
  })
})
