import { describe, expect, test } from 'vitest'
import { Event, Market } from '#schemas/market'
import { eventOfMarket, normalizeEvent, normalizeMarket } from '#venues/myriad/data/normalize'
import { feeModel } from '#venues/myriad/fees'
import { outcomeOf, placeOf } from '#venues/myriad/ids'
import { MyriadAction, MyriadEvent, MyriadMarket, MyriadOutcome, MyriadTrade } from '#venues/myriad/wire'
import { action, book, event, pool, trade } from './rows.ts'

const marketOf = (row: object) => Market.parse(normalizeMarket(MyriadMarket.parse(row)))

describe('a market', () => {
  test('of a pool is marked as synthetic and carries the pool’s liquidity', () => {
    const market = marketOf(pool)
    expect(market).toMatchObject({
      marketId: '2741:amm:549',
      eventId: '2741:amm:549',
      status: 'active',
      volume24h: 1.029,
      volume24hSource: 'venue',
      volume: 11_792_850.814653,
      liquidity: 1_000,
      tickSize: null,
      sourceMetadata: { synthetic: true, executionModel: 'amm', collateral: 'USDC.e', networkId: '2741' },
    })
    expect(market.outcomes.map(({ outcomeId, label, price, bestBid }) => [outcomeId, label, price, bestBid])).toEqual([
      ['2741:amm:549:0', 'Polymarket', 0.725198, null],
      ['2741:amm:549:1', 'Kalshi', 0.274802, null],
    ])
    expect(feeModel(market).fee).toEqual({ kind: 'none' })
  })

  test('of an order book has optional quotes, numbers or numeric strings, and an unknown fee', () => {
    const market = marketOf(book)
    expect(market).toMatchObject({ marketId: '56:ob:42', eventId: event.id, volume24h: 0, volume: 120.5 })
    expect(market.sourceMetadata).not.toHaveProperty('synthetic')
    expect(market.outcomes.map(({ bestBid, bestAsk }) => [bestBid, bestAsk])).toEqual([
      [0.41, 0.43],
      [0.57, null],
    ])
    expect(feeModel(market).fee.kind).toBe('unknown')
    // Passed on unchanged, because the fee format of order books is undocumented.
    const fees = { taker_fee_bps: 150 }
    expect(marketOf({ ...book, fees }).sourceMetadata.fees).toEqual(fees)
  })

  test('in another collateral has no dollar volumes', () => {
    const market = marketOf({ ...pool, token: { ...pool.token, symbol: 'PENGU' } })
    expect([market.volume24h, market.volume, market.liquidity]).toEqual([null, null, null])
    expect(market.volume24hSource).toBe('venue')
    expect(market.sourceMetadata).toMatchObject({ collateral: 'PENGU', venueVolume24h: 1.029 })
  })

  test('that is resolved is priced at its winner; a void one has unknown prices', () => {
    const paid = (more: object) => marketOf({ ...pool, state: 'resolved', ...more }).outcomes.map(({ price }) => price)
    expect(paid({ resolvedOutcomeId: '1' })).toEqual([0, 1])
    expect(paid({ resolvedOutcomeId: '-1', voided: true })).toEqual([null, null])
    expect(paid({ resolvedOutcomeId: null })).toEqual([null, null])
    expect(marketOf({ ...book, state: 'closed' })).toMatchObject({
      status: 'closed',
      outcomes: [{ bestBid: null }, {}],
    })
    expect(marketOf({ ...pool, state: 'paused' }).status).toBe('unknown')
  })

  test('may have more than two outcomes', () => {
    const market = marketOf({
      ...pool,
      outcomes: [...pool.outcomes, { ...pool.outcomes[0], id: '2', title: 'Neither' }],
    })
    expect(market.outcomes).toHaveLength(3)
    expect(market.sourceMetadata.marketType).toBe('categorical')
  })
})

test('a market without an event is its own event; markets of an event have its title as prefix', () => {
  expect(Event.parse(eventOfMarket(MyriadMarket.parse(pool)))).toMatchObject({ id: '2741:amm:549', title: pool.title })
  const raw = MyriadEvent.parse(event)
  const normalized = normalizeEvent(
    raw,
    raw.markets.map((row) => MyriadMarket.parse(row)),
  )
  expect(Event.parse(normalized)).toMatchObject({
    id: event.id,
    title: event.title,
    volume: 123_456.78,
    markets: [
      { title: `${event.title}: Candidate A`, eventId: event.id },
      { title: `${event.title}: Candidate B`, marketId: '56:ob:43' },
    ],
  })
})

test('ids contain network, model and number', () => {
  expect(placeOf('56:ob:730')).toEqual({ networkId: '56', model: 'ob', id: '730' })
  expect(outcomeOf('2741:amm:549:1')).toMatchObject({ marketId: '2741:amm:549', outcome: '1', model: 'amm' })
  for (const none of ['730', '56:730', '56:ob:', '56:clob:1', '56:ob:1:x', 'myriad:56:ob:1'])
    expect([placeOf(none), outcomeOf(none)], none).toEqual([null, null])
})

/** Fields that the venue sends and we do not read, with the reason. */
const ignored: Readonly<Record<string, string>> = {
  'market.shortName': 'another version of the title',
  'market.ctaName': 'a button label',
  'market.bannerImageUrl': 'another picture',
  'market.ogImageUrl': 'another picture',
  'market.shares': 'the sum over its outcomes',
  'market.featuredAt': 'where the venue displays it',
  'market.executionMode': 'tradingModel as a number',
  'market.topHolders': 'people',
  'market.oracle': 'the venue itself',
  'market.externalSources': 'links',
  'outcome.priceChange24h': 'derived from our own history',
  'outcome.imageUrl': 'another picture',
  'event.type': 'always event',
  'event.bannerImageUrl': 'another picture',
  'event.resolvedOutcomeIndex': 'available on each market',
  'event.negRiskId': 'of orders',
  'event.volumeNotional': 'available on each market',
  'event.volumeNotional24h': 'available on each market',
  'event.users': 'people',
  'event.featured': 'where the venue displays it',
  'event.featuredAt': 'where the venue displays it',
  'event.externalSources': 'links',
  'action.user': 'people',
  'action.marketTitle': 'available on the market',
  'action.marketSlug': 'available on the market',
  'action.marketId': 'available on the market',
  'action.networkId': 'available on the market',
  'action.outcomeTitle': 'available on the market',
  'action.imageUrl': 'available on the market',
  'action.token': 'available on the market',
  'action.blockNumber': 'available from the transaction',
  'trade.priceAfterFees': 'the price is the matched one',
  'trade.fees': 'paid by the taker',
}

test('every observed field is read or has a reason why not', () => {
  const seen = { market: pool, outcome: pool.outcomes[0]!, event, action, trade }
  const shapes = {
    market: MyriadMarket,
    outcome: MyriadOutcome,
    event: MyriadEvent,
    action: MyriadAction,
    trade: MyriadTrade,
  }
  const left = Object.entries(seen).flatMap(([name, row]) =>
    Object.keys(row)
      .filter((field) => !Object.hasOwn(shapes[name as keyof typeof shapes].shape, field))
      .map((field) => `${name}.${field}`),
  )
  expect(left.sort()).toEqual(Object.keys(ignored).sort())
})
