import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Log, silentLog } from '#core/log'
import { Event, Market } from '#schemas/market'
import { sharedFixture } from '#test/support/fixtures'
import { normalizeMarket, readEvents, statusOf } from '#venues/polymarket_us/data/normalize'
import { readCatalogFacts } from '#venues/polymarket_us/exec/facts'
import { bookRef, idsOf } from '#venues/polymarket_us/ids'
import { UsMarket } from '#venues/polymarket_us/wire'
import { eventRow, marketRow, quietRow, usd } from '../venueServer.ts'

const read = (row: unknown) => normalizeMarket(UsMarket.parse(row), null)!

describe('a market', () => {
  it('is identified by its slug, with long first and mirrored quotes on short', () => {
    const market = Market.parse(read(marketRow('herons')))
    expect(market).toMatchObject({
      marketId: 'herons',
      eventId: null,
      title: 'League Champion: Lakeside Herons',
      status: 'active',
      tickSize: 0.001,
      volume24h: null,
      volume: null,
      liquidity: null,
      openInterest: null,
      resolutionDate: '2026-11-06T16:20:09.000Z',
      category: 'sports',
      sourceMetadata: { minimumTradeQty: 1, feeCoefficient: 0.0695, venueId: '7001', collateral: 'USD' },
    })
    expect(market.volume24hSource).toBeUndefined()
    expect(market.outcomes).toMatchObject([
      { outcomeId: 'herons:long', label: 'Yes', price: 0.382, bestBid: 0.265, bestAsk: 0.382 },
      { outcomeId: 'herons:short', label: 'No', price: 0.735, bestBid: 0.618, bestAsk: 0.735 },
    ])
  })

  it('takes the sides from `long`, whatever the order of sides and deprecated outcomes; missing values are null', () => {
    const market = Market.parse(read(quietRow('herons')))
    expect(market.outcomes).toMatchObject([
      { outcomeId: 'herons:long', label: 'Yes', price: 0.03, bestBid: null, bestAsk: null },
      { outcomeId: 'herons:short', label: 'No', price: null, bestBid: null, bestAsk: null },
    ])
  })

  it('carries the facts for the lane: tick, minimum and coefficient', () => {
    const market = read(marketRow('herons', { minimumTradeQty: 0.01, orderPriceMinTickSize: 0.01 }))
    for (const [i, side] of (['YES', 'NO'] as const).entries()) {
      expect(readCatalogFacts({ market, outcome: market.outcomes[i]!, side })).toEqual({
        slug: 'herons',
        outcomeId: i === 0 ? 'herons:long' : 'herons:short',
        side,
        tick: '0.01',
        minimumQuantity: '0.01',
        feeCoefficient: '0.0695',
      })
    }
  })

  it('without minimum or tick is listed, but takes no order', () => {
    const market = read(marketRow('herons', { minimumTradeQty: null, orderPriceMinTickSize: 0, feeCoefficient: null }))
    expect(market.tickSize).toBeNull()
    expect(market.sourceMetadata).not.toHaveProperty('minimumTradeQty')
    expect(market.sourceMetadata).not.toHaveProperty('feeCoefficient')
    expect(() => readCatalogFacts({ market, outcome: market.outcomes[0]!, side: 'YES' })).toThrow(
      expect.objectContaining({ code: 'CATALOG_UNAVAILABLE' }),
    )
  })

  it('with a fee of zero has a zero coefficient, not an unknown one', () => {
    expect(read(marketRow('herons', { feeCoefficient: 0 })).sourceMetadata.feeCoefficient).toBe(0)
  })

  it.each([
    ['MARKET_STATUS_OPEN', {}, 'active'],
    ['MARKET_STATUS_OPEN', { active: false }, 'inactive'],
    ['MARKET_STATUS_OPEN', { closed: true }, 'closed'],
    ['MARKET_STATUS_OPEN', { archived: true }, 'archived'],
    ['MARKET_STATUS_HALTED', {}, 'inactive'],
    ['MARKET_STATUS_CLOSED', {}, 'closed'],
    ['MARKET_STATUS_RESOLVING', { closed: true }, 'closed'],
    ['MARKET_STATUS_RESOLVED', { closed: true }, 'resolved'],
    ['MARKET_STATUS_UNSPECIFIED', {}, 'unknown'],
    ['MARKET_STATUS_NOBODY_KNOWS', {}, 'unknown'],
    [null, {}, 'unknown'],
    [null, { closed: true }, 'closed'],
  ])('%s with %j is %s', (status, more, expected) => {
    expect(statusOf(UsMarket.parse(marketRow('herons', { status, ...more })))).toBe(expected)
  })

  it('that is over has no quotes, even if the row still has some', () => {
    const { outcomes } = read(marketRow('herons', { status: 'MARKET_STATUS_RESOLVED', closed: true }))
    for (const { bestBid, bestAsk } of outcomes) expect([bestBid, bestAsk]).toEqual([null, null])
  })

  it.each([
    ['0.0000', null],
    ['1.0000', null],
    ['nonsense', null],
    ['0.00000001', null],
  ])('with a quote of %s has no bid', (value, expected) => {
    expect(read(marketRow('herons', { bestBidQuote: usd(value) })).outcomes[0]!.bestBid).toBe(expected)
  })

  it('does not repeat its name in the title when the question contains it', () => {
    const titleFields = { question: 'Will the Lakeside Herons win on Friday?', title: 'Lakeside Herons' }
    expect(read(marketRow('herons', titleFields)).title).toBe('Will the Lakeside Herons win on Friday?')
    expect(read(marketRow('herons', { question: null, title: '' })).title).toBe('herons')
  })

  it.each([
    ['no slug', { slug: undefined }],
    ['a slug that is a path', { slug: '../orders' }],
    ['one side', { marketSides: [marketRow('x').marketSides[0]] }],
    ['a side that lacks `long`', { marketSides: marketRow('x').marketSides.map((side) => ({ ...side, long: null })) }],
  ])('with %s is rejected', (_, more) => {
    expect(UsMarket.safeParse({ ...marketRow('herons'), ...more }).success).toBe(false)
  })

  it('with a quote in another currency and a tick as a word has neither', () => {
    const odd = { bestBidQuote: { value: '0.4', currency: 'EUR' }, orderPriceMinTickSize: 'small' }
    const market = read(marketRow('herons', odd))
    expect([market.outcomes[0]!.bestBid, market.tickSize]).toEqual([null, null])
  })

  it.each(['status', 'active', 'closed', 'archived'])('with an unreadable %s has an unknown status', (name) => {
    expect(read(marketRow('herons', { [name]: 7 })).status).toBe('unknown')
  })

  it('with descriptive fields of another type loses only those', () => {
    const changed = { tags: ['League'], line: '5.5', volume: 'much', titleShort: 7, image: {} }
    const market = Market.parse(read(marketRow('herons', changed)))
    expect(market).toMatchObject({ marketId: 'herons', volume: null, status: 'active' })
    expect(market.tags).toBeUndefined()
    expect(market.sourceMetadata).not.toHaveProperty('line')
  })

  it('accepts trading decimals as numbers and as text', () => {
    const market = read(
      marketRow('herons', { minimumTradeQty: '0.01', feeCoefficient: '0.0695', orderPriceMinTickSize: '0.01' }),
    )
    expect(market).toMatchObject({ tickSize: 0.01, sourceMetadata: { minimumTradeQty: 0.01, feeCoefficient: 0.0695 } })
  })

  it('with two long sides is rejected', () => {
    const marketSides = marketRow('x').marketSides.map((side) => ({ ...side, long: true }))
    expect(normalizeMarket(UsMarket.parse(marketRow('herons', { marketSides })), null)).toBeNull()
  })
})

describe('an event', () => {
  const leftOut: unknown[] = []
  const log: Log = Object.create(silentLog, {
    warn: { value: ({ name }: { name: unknown }) => leftOut.push(name) },
  })
  const readEvent = (row: unknown) => readEvents({ log }, [row])[0]

  it('has its markets and its series, and links them; an unreadable market is skipped', () => {
    const found = readEvent(eventRow('62', [marketRow('a'), { slug: 'broken' }, quietRow('b')]))!
    const event = Event.parse(found.event)
    expect(leftOut).toEqual(['broken'])
    expect(event).toMatchObject({
      id: '62',
      slug: 'event-62',
      seriesId: 'league-2026',
      tags: ['League'],
      volume24h: null,
    })
    expect(event.markets.map(({ marketId, eventId, tags }) => [marketId, eventId, tags])).toEqual([
      ['a', '62', ['League']],
      ['b', '62', ['League']],
    ])
    expect(event.url).toBe('https://polymarket.us/event/event-62')
    expect(event.markets[0]!.url).toBe(event.url)
  })

  it('accepts numeric ids, as in the older client’s types', () => {
    expect(readEvent(eventRow('62', [], { id: 62 }))!.event.id).toBe('62')
    expect(readEvent({ title: 'no id' })).toBeUndefined()
    expect(readEvent('nonsense')).toBeUndefined()
  })
})

describe('outcome ids', () => {
  it('refer to the one book of the slug, short as its complement', () => {
    expect(bookRef(idsOf('aec-nba-nyk-bos-2026-10-10')[0])).toEqual({
      bookId: 'aec-nba-nyk-bos-2026-10-10',
      complement: false,
    })
    expect(bookRef(idsOf('a.b_c')[1])).toEqual({ bookId: 'a.b_c', complement: true })
  })

  it.each([
    '',
    'demo-a',
    'demo-a:',
    ':long',
    'demo-a:LONG',
    'a:b:long',
    'demo a:long',
    'KXBTC-26-NO',
    '1'.repeat(77),
    '../x:long',
  ])('rejects %j', (id) => expect(bookRef(id)).toBeNull())

  const mapping = sharedFixture('polymarket_us/mappings/polymarket_us_event_to_market_mapping.json')
  it.skipIf(mapping === null)('every slug of the recorded venue gives a pair of outcome ids', () => {
    const slugs = readFileSync(mapping!, 'utf8').match(/(?<=")[a-z]{3,5}-[a-z0-9]+(-[a-z0-9]+)+(?=")/g)!
    expect(slugs.length).toBeGreaterThan(100)
    for (const slug of slugs) expect(bookRef(idsOf(slug)[1])).toEqual({ bookId: slug, complement: true })
  })
})
