import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Event, Market, Series } from '#schemas/market'
import { Trade } from '#schemas/marketData'
import {
  normalizeBook,
  normalizeEvent,
  normalizeMarket,
  normalizeSeries,
  normalizeTrade,
  statusOf,
} from '#venues/kalshi/data/normalize'
import { normalizeLegacyBook, readMarket } from '#venues/kalshi/data/normalizeLegacy'
import { bookRef } from '#venues/kalshi/ids'
import {
  KalshiBookBody,
  KalshiEvent,
  KalshiLegacyMarket,
  KalshiMarket,
  KalshiSeries,
  KalshiTrade,
} from '#venues/kalshi/wire'
import * as fixtures from '../fixtures.ts'

const noContext = { event: null, series: null }
/** Made-up values in the venue’s format. */
const row = {
  ticker: 'KXTEST-26-A',
  event_ticker: 'KXTEST-26',
  market_type: 'binary',
  title: 'Will A happen?',
  status: 'active',
  yes_bid_dollars: '0.3100',
  yes_ask_dollars: '0.3300',
  last_price_dollars: '0.3200',
  volume_fp: '12.50',
  volume_24h_fp: '0.00',
  open_interest_fp: '3.00',
  price_level_structure: 'tapered_deci_cent',
  price_ranges: [
    { start: '0.0000', end: '0.1000', step: '0.0010' },
    { start: '0.1000', end: '0.9000', step: '0.0100' },
    { start: '0.9000', end: '1.0000', step: '0.0010' },
  ],
  close_time: '2026-12-01T15:00:00Z',
  rules_primary: 'If A happens, then Yes.',
} satisfies KalshiMarket

describe('a market', () => {
  test('without an event ticker belongs to the event that contains it; alone it has none', () => {
    const event = KalshiEvent.parse({ event_ticker: 'KXTEST-26', series_ticker: 'KXTEST', title: 'E' })
    const { event_ticker: _, ...bare } = row
    for (const raw of [bare, { ...row, event_ticker: null }, { ...row, event_ticker: 5 }]) {
      const read = (context: typeof noContext | { event: KalshiEvent; series: null }) => readMarket(raw, context)
      expect(read({ event, series: null })).toMatchObject({
        eventId: 'KXTEST-26',
        url: 'https://kalshi.com/markets/kxtest/kxtest-26',
        sourceMetadata: { eventTicker: 'KXTEST-26' },
      })
      expect(read(noContext)).toMatchObject({ eventId: null, url: 'https://kalshi.com/markets/kxtest' })
    }
  })

  test('has a YES and a NO outcome that mirror each other exactly', () => {
    const market = normalizeMarket(row, noContext)
    expect(market.outcomes).toMatchObject([
      { outcomeId: 'KXTEST-26-A', label: 'Yes', price: 0.32, bestBid: 0.31, bestAsk: 0.33 },
      { outcomeId: 'KXTEST-26-A-NO', label: 'No', price: 0.68, bestBid: 0.67, bestAsk: 0.69 },
    ])
    expect(market).toMatchObject({
      marketId: 'KXTEST-26-A',
      eventId: 'KXTEST-26',
      status: 'active',
      tickSize: 0.001,
      volume: 12.5,
      volume24h: 0,
      volume24hSource: 'venue',
      liquidity: null,
      openInterest: 3,
      resolutionDate: '2026-12-01T15:00:00.000Z',
      url: 'https://kalshi.com/markets/kxtest/kxtest-26',
      sourceMetadata: { seriesTicker: 'KXTEST', marketType: 'binary', executionModel: 'clob', collateral: 'USD' },
    })
  })

  test('treats a last price of 0 as unknown if nothing was traded, and as a price otherwise', () => {
    const untraded = normalizeMarket({ ...row, last_price_dollars: '0.0000', volume_fp: '0.00' }, noContext)
    expect(untraded.outcomes.map(({ price }) => price)).toEqual([null, null])
    const traded = normalizeMarket({ ...row, last_price_dollars: '0.0000' }, noContext)
    expect(traded.outcomes.map(({ price }) => price)).toEqual([0, 1])
  })

  test.each([
    ['0.0000', '1.0000'],
    ['0.0000', '0.0000'],
    ['1.0000', '1.0000'],
  ])('bid %s and ask %s mean no quotes', (yes_bid_dollars, yes_ask_dollars) => {
    const market = normalizeMarket({ ...row, yes_bid_dollars, yes_ask_dollars }, noContext)
    for (const { bestBid, bestAsk } of market.outcomes) expect([bestBid, bestAsk]).toEqual([null, null])
  })

  test('resolves at its expected time, else at its latest time, else at its close; zero times are ignored', () => {
    const at = (times: object) => normalizeMarket({ ...row, close_time: null, ...times }, noContext).resolutionDate
    const zero = '0001-01-01T00:00:00Z'
    expect(
      at({ expected_expiration_time: '2026-01-01T00:00:00Z', latest_expiration_time: '2027-01-01T00:00:00Z' }),
    ).toMatch(/^2026/)
    expect(at({ expected_expiration_time: zero, latest_expiration_time: '2027-01-01T00:00:00Z' })).toMatch(/^2027/)
    expect(
      at({ expected_expiration_time: zero, latest_expiration_time: '', close_time: '1970-01-01T00:00:00Z' }),
    ).toBeUndefined()
  })

  test('takes fees from its series unless its event overrides them; they are unknown without either', () => {
    const series = KalshiSeries.parse({ ticker: 'KXTEST', title: 'T', fee_type: 'quadratic', fee_multiplier: 1 })
    const event = KalshiEvent.parse({
      event_ticker: 'KXTEST-26',
      series_ticker: 'KXTEST',
      title: 'E',
      fee_multiplier_override: 0.5,
    })
    const fees = (context: Parameters<typeof normalizeMarket>[1]) => normalizeMarket(row, context).sourceMetadata.fees
    expect(fees({ series, event: null })).toMatchObject({ feeType: 'quadratic', multiplier: 1, makerRate: 0 })
    expect(fees({ series, event })).toMatchObject({ feeType: 'quadratic', multiplier: 0.5 })
    expect(fees(noContext)).toBeUndefined()
  })

  test.each([
    ['initialized', 'inactive'],
    ['active', 'active'],
    ['inactive', 'inactive'],
    ['closed', 'closed'],
    ['determined', 'closed'],
    ['disputed', 'closed'],
    ['amended', 'closed'],
    ['finalized', 'resolved'],
    ['toString', 'unknown'],
    ['a new word', 'unknown'],
  ])('status %s is %s', (word, status) => {
    expect(statusOf(word)).toBe(status)
  })
})

test('an event sums the volumes of its markets and marks the sum as partial when some are unknown', () => {
  const event = KalshiEvent.parse({ event_ticker: 'KXTEST-26', series_ticker: 'KXTEST', title: 'E' })
  const known = normalizeMarket({ ...row, volume_24h_fp: '5.25' }, noContext)
  const unknown = { ...known, volume24h: null, volume: null }
  expect(normalizeEvent(event, [known, known], null)).toMatchObject({
    volume24h: 10.5,
    volume24hSource: { sources: ['venue'], partial: false },
    volume: 25,
  })
  expect(normalizeEvent(event, [known, unknown], null)).toMatchObject({
    volume24h: 5.25,
    volume24hSource: { partial: true },
  })
  const none = normalizeEvent(event, [unknown], null)
  expect([none.volume24h, none.volume, none.volume24hSource]).toEqual([null, null, { sources: [], partial: true }])
})

describe('a book', () => {
  test('the published vector: bids of both sides become bids and asks of YES', () => {
    const book = normalizeBook(
      't',
      {
        yes_dollars: [
          ['0.3000', '12.00'],
          ['0.3100', '5.50'],
        ],
        no_dollars: [
          ['0.6600', '7.00'],
          ['0.6700', '4.00'],
        ],
      },
      1,
    )
    expect(book).toMatchObject({
      bids: [
        [300_000, 12],
        [310_000, 5.5],
      ],
      asks: [
        [340_000, 7],
        [330_000, 4],
      ],
      eventTs: null,
      recvTs: 1,
    })
  })

  test('null, missing and empty sides give an empty book', () => {
    for (const raw of [{}, { yes_dollars: null, no_dollars: null }, { yes_dollars: [], no_dollars: [] }])
      expect(normalizeBook('t', raw, 1)).toMatchObject({ bids: [], asks: [] })
  })

  test('one unreadable level makes the whole book unreadable', () => {
    for (const level of [
      ['1.0000', '1.00'],
      ['0.5000', '-1.00'],
      ['x', '1.00'],
      ['0.5000', '1e3'],
    ] as [string, string][])
      expect(normalizeBook('t', { yes_dollars: [level] }, 1)).toBeNull()
  })

  test('parses the older cents format', () => {
    expect(normalizeLegacyBook('t', { yes: [[31, 5]], no: [[67, 4]] }, 1)).toMatchObject({
      bids: [[310_000, 5]],
      asks: [[330_000, 4]],
    })
    expect(normalizeLegacyBook('t', { yes: [[100, 5]] }, 1)).toBeNull()
  })
})

describe('a trade', () => {
  const raw: KalshiTrade = {
    trade_id: 't-1',
    ticker: 'KXTEST-26-A',
    created_time: '2026-07-25T05:51:39.54467Z',
    yes_price_dollars: '0.3800',
    count_fp: '12.61',
    taker_outcome_side: 'yes',
    taker_side: 'no',
  }
  test('is converted to the requested outcome', () => {
    expect(normalizeTrade(raw, 'KXTEST-26-A', false)).toEqual({
      id: 't-1',
      timestamp: 1_784_958_699_544,
      price: 0.38,
      amount: 12.61,
      side: 'buy',
      outcomeId: 'KXTEST-26-A',
    })
    expect(normalizeTrade(raw, 'KXTEST-26-A-NO', true)).toMatchObject({
      price: 0.62,
      side: 'sell',
      outcomeId: 'KXTEST-26-A-NO',
    })
    const noTaker = { ...raw, taker_outcome_side: null, taker_book_side: 'ask' }
    expect(normalizeTrade(noTaker, 'KXTEST-26-A-NO', true)).toMatchObject({ side: 'buy' })
    expect(normalizeTrade({ ...raw, taker_outcome_side: 'neither', taker_side: null }, 'x', false)).toMatchObject({
      side: 'unknown',
    })
  })
})

describe('outcome ids', () => {
  test('YES is the ticker, NO its complement; ids of other venues are rejected', () => {
    expect(bookRef('KXTEST-26-A')).toEqual({ bookId: 'KXTEST-26-A', complement: false })
    expect(bookRef('KXTEST-26-A-NO')).toEqual({ bookId: 'KXTEST-26-A', complement: true })
    for (const id of [
      '',
      '71321045679252212594626385532706912750332728571942532289631379312455583992563',
      '0xabc',
      'KX',
      'BTC',
      'will-a-happen',
      'A B-1',
      'X'.repeat(300),
    ])
      expect(bookRef(id)).toBeNull()
  })

  test('a ticker that itself ends in -NO is resolved with the help of its market', () => {
    expect(bookRef('KXSB-27-NO', 'KXSB-27-NO')).toEqual({ bookId: 'KXSB-27-NO', complement: false })
    expect(bookRef('KXSB-27-NO-NO', 'KXSB-27-NO')).toEqual({ bookId: 'KXSB-27-NO', complement: true })
    expect(bookRef('KXSB-27-NO-NO')).toEqual({ bookId: 'KXSB-27-NO', complement: true })
  })
})

// ---- recordings ----

/** Venue fields that we skip: duplicates, deprecated ones or those without use to a reader. An unlisted new name fails the test. */
describe('a row in an unexpected form', () => {
  test.each([[{ result: 'scalar', settlement_value_dollars: null }], [{ result: '' }], [{ result: 'void' }]])(
    'settled with %j has no price, because the payout is unknown',
    (fields) => {
      const market = readMarket({ ...row, status: 'finalized', last_price_dollars: '0.9900', ...fields }, noContext)!
      expect(market.status).toBe('resolved')
      expect(market.outcomes.map(({ price }) => price)).toEqual([null, null])
    },
  )

  test('that resolved early is dated when it resolved', () => {
    const early = {
      ...row,
      status: 'finalized',
      result: 'yes',
      settlement_value_dollars: '1.0000',
      close_time: '2026-08-20T15:00:00Z',
      settlement_ts: '2026-08-20T16:00:00Z',
      expected_expiration_time: '2026-12-31T15:00:00Z',
    }
    expect(readMarket(early, noContext)!.resolutionDate).toBe('2026-08-20T16:00:00.000Z')
    expect(readMarket({ ...early, settlement_ts: null }, noContext)!.resolutionDate).toBe('2026-08-20T15:00:00.000Z')
    expect(readMarket({ ...early, status: 'active' }, noContext)!.resolutionDate).toBe('2026-12-31T15:00:00.000Z')
  })

  test.each([
    [{ floor_strike: '4061.66' }, 'floorStrike'],
    [{ custom_strike: [] }, 'customStrike'],
    [{ price_ranges: [{ start: '0', end: '1' }] }, 'priceRanges'],
  ])('%j affects only that field', (fields, name) => {
    const [market, asUsual] = [readMarket({ ...row, ...fields }, noContext)!, readMarket(row, noContext)!]
    expect(market.sourceMetadata).not.toHaveProperty(name)
    const { [name]: _, ...rest } = asUsual.sourceMetadata
    expect({ ...market, tickSize: null }).toEqual({ ...asUsual, tickSize: null, sourceMetadata: rest })
  })

  test('a status of another type is unknown', () => {
    const odd = { yes_bid_dollars: null, volume_24h_fp: 123, volume_fp: '-1.00', open_interest_fp: {} }
    const market = readMarket({ ...row, ...odd }, noContext)!
    expect([market.outcomes[0]!.bestBid, market.volume24h, market.volume, market.openInterest]).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(market.outcomes[0]!.bestAsk).toBe(0.33)
    expect(readMarket({ ...row, status: 5 }, noContext)!.status).toBe('unknown')
  })
})

const leftOut = {
  market: [
    'expiration_time', // deprecated twin of latest_expiration_time
    'fractional_trading_enabled',
    'liquidity_dollars', // deprecated constant
    'no_ask_dollars', // the complement of the YES side
    'no_bid_dollars',
    'previous_yes_ask_dollars',
    'previous_yes_bid_dollars',
    'response_price_units',
    'yes_ask_size_fp', // the book has it
    'yes_bid_size_fp',
  ],
  marketCents: [
    'category', // of the event, always empty here
    'liquidity',
    'liquidity_dollars',
    'no_ask',
    'no_ask_dollars',
    'no_bid',
    'no_bid_dollars',
    'previous_yes_ask',
    'previous_yes_ask_dollars',
    'previous_yes_bid',
    'previous_yes_bid_dollars',
    'response_price_units',
    'risk_limit_cents',
  ],
  event: ['markets'],
  series: [] as string[],
  trade: ['is_block_trade', 'no_price', 'no_price_dollars', 'price', 'ticker', 'yes_price'],
}

/** The fields of a row that `use` did not read. */
function unread<T extends object>(raw: T, use: (watched: T) => unknown): string[] {
  const readFields = new Set<string | symbol>()
  use(
    new Proxy(raw, {
      get(target, name, receiver) {
        readFields.add(name)
        return Reflect.get(target, name, receiver)
      },
    }),
  )
  return Object.keys(raw).filter((name) => !readFields.has(name))
}

describe('recorded answers in the repository (June 2026)', () => {
  const own = (name: string) => JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'))

  test('markets: each fits our schema, and every field is read or listed', () => {
    const { markets } = own('markets') as { markets: KalshiMarket[] }
    for (const raw of markets) {
      Market.parse(readMarket(raw, noContext))
      expect(leftOut.market).toEqual(
        expect.arrayContaining(unread(raw, (watched) => normalizeMarket(watched, noContext))),
      )
    }
    expect(readMarket(markets[1], noContext)).toMatchObject({
      ...{ marketId: 'KXCOLONIZEMARS-50', status: 'active', tickSize: 0.001, volume24h: 141.68, volume: 21_043.39 },
      outcomes: [
        { price: 0.195, bestBid: 0.163, bestAsk: 0.195 },
        { bestBid: 0.805, bestAsk: 0.837 },
      ],
    })
  })

  test('a book: every level of both sides, uncrossed', () => {
    const body = KalshiBookBody.parse(own('orderbook'))
    const book = normalizeBook('KXELONMARS-99', body.orderbook_fp!, 1)!
    expect([book.bids.length, book.asks.length]).toEqual([8, 18])
    expect(Math.max(...book.bids.map(([price]) => price))).toBe(80_000)
    expect(Math.min(...book.asks.map(([price]) => price))).toBe(120_000)
  })

  test('trades: every field is read or listed', () => {
    const { trades } = own('trades') as { trades: KalshiTrade[] }
    for (const raw of trades) {
      const left = unread(raw, (watched) => normalizeTrade(watched, 'x', false))
      expect(leftOut.trade).toEqual(expect.arrayContaining(left.filter((name) => !name.startsWith('taker_'))))
      Trade.parse(normalizeTrade(KalshiTrade.parse(raw), 'x', false))
    }
    expect(normalizeTrade(KalshiTrade.parse(trades[2]), 'x', false)).toMatchObject({ side: 'sell', price: 0.08 })
  })
})

describe.skipIf(!fixtures.recorded)(`recordings (${fixtures.recorded ? 'all eras' : fixtures.absent})`, () => {
  test('every recorded REST file is either read here or listed as unused', () => {
    const strays = fixtures
      .restFiles()
      .filter((file) => !fixtures.read.includes(file) && !fixtures.notOurs.some(([pattern]) => pattern.test(file)))
    expect(strays).toEqual([])
    expect(fixtures.read.filter((file) => !fixtures.restFiles().includes(file))).toEqual([])
  })

  test('current markets: each fits our schema, and every field is read or listed', () => {
    const rows = fixtures.marketsNow()
    expect(rows.length).toBeGreaterThan(400)
    const left = new Set<string>()
    for (const raw of rows) {
      const market = KalshiMarket.parse(raw)
      Market.parse(normalizeMarket(market, noContext))
      for (const name of unread(raw as KalshiMarket, (watched) => normalizeMarket(watched, noContext))) left.add(name)
      expect(bookRef(market.ticker), market.ticker).toEqual({ bookId: market.ticker, complement: false })
    }
    expect([...left].sort()).toEqual([...leftOut.market].sort())
  })

  test('markets of the cents era: the same, with their own schema', () => {
    const rows = fixtures.marketsCents()
    expect(rows.length).toBeGreaterThan(20)
    const left = new Set<string>()
    for (const raw of rows) {
      const market = Market.parse(readMarket(raw, noContext))
      const isOver = market.status === 'resolved'
      expect(market.outcomes[0]?.price === null || market.volume !== 0 || isOver, market.marketId).toBe(true)
      for (const name of Object.keys(raw)) if (!(name in KalshiLegacyMarket.shape)) left.add(name)
    }
    expect([...left].sort()).toEqual([...leftOut.marketCents].sort())
  })

  test('a market is the same within its event and read by ticker', () => {
    const [nested, single] = fixtures.marketTwice()
    expect(readMarket(nested, noContext)).toEqual(readMarket(single, noContext))
    expect(readMarket(nested, noContext)).toMatchObject({ status: 'active', tickSize: 0.01, volume24h: 3.14 })
  })

  test('settled markets are resolved, priced at their payout and carry their settlement', () => {
    const settled = fixtures.marketsNow().filter(({ status }) => status === 'finalized')
    expect(settled.length).toBeGreaterThan(40)
    for (const raw of settled) {
      const paid = Number((raw as { settlement_value_dollars: string }).settlement_value_dollars)
      expect(readMarket(raw, noContext)).toMatchObject({
        status: 'resolved',
        outcomes: [
          { price: paid, bestBid: null, bestAsk: null },
          { price: 1 - paid, bestBid: null, bestAsk: null },
        ],
        sourceMetadata: { result: expect.stringMatching(/yes|no/), settlementValueDollars: expect.any(String) },
      })
    }
  })

  test('events', () => {
    const left = new Set<string>()
    for (const raw of fixtures.events()) {
      Event.parse(normalizeEvent(KalshiEvent.parse(raw), [], null))
      for (const name of unread(raw as KalshiEvent, (watched) => normalizeEvent(watched, [], null))) left.add(name)
    }
    expect([...left].sort()).toEqual(leftOut.event)
  })

  test('series', () => {
    const left = new Set<string>()
    for (const raw of fixtures.series()) {
      const series = Series.parse(normalizeSeries(KalshiSeries.parse(raw)))
      expect(series.sourceMetadata.fees).toMatchObject({ takerRate: 0.07 })
      for (const name of unread(raw as KalshiSeries, normalizeSeries)) left.add(name)
    }
    expect([...left].sort()).toEqual(leftOut.series)
  })

  test('books of both eras are parsed and never crossed', () => {
    const bodies = fixtures.books()
    expect(bodies.length).toBeGreaterThan(30)
    let levels = 0
    for (const raw of bodies) {
      expect(
        Object.keys(raw).filter((name) => !['orderbook_fp', 'orderbook', 'ticker', 'no', 'yes'].includes(name)),
      ).toEqual([])
      const body = KalshiBookBody.parse(raw)
      const book = body.orderbook
        ? normalizeLegacyBook('t', body.orderbook, 1)
        : normalizeBook('t', body.orderbook_fp ?? {}, 1)
      expect(book).not.toBeNull()
      const bid = Math.max(-1, ...book!.bids.map(([micros]) => micros))
      const ask = Math.min(Infinity, ...book!.asks.map(([micros]) => micros))
      expect(bid).toBeLessThan(ask)
      levels += book!.bids.length + book!.asks.length
    }
    expect(levels).toBeGreaterThan(200)
  })

  test('trades', () => {
    const left = new Set<string>()
    for (const raw of fixtures.trades()) {
      Trade.parse(normalizeTrade(KalshiTrade.parse(raw), 'x', false))
      for (const name of unread(raw as KalshiTrade, (watched) => normalizeTrade(watched, 'x', false))) left.add(name)
    }
    // Directions are read newest format first, so the older fields of a new row stay unread.
    expect([...left].filter((name) => !name.startsWith('taker_') && name !== 'count').sort()).toEqual(leftOut.trade)
  })
})
