// Parses and normalises every recording of the data half; every field name is either mapped or listed here as deliberately unmapped.
// An unknown name fails the test, so that someone decides about it.
import { describe, expect, it } from 'vitest'
import { silentLog } from '#core/log'
import { Event, Market, Series } from '#schemas/market'
import { Candle, Trade } from '#schemas/marketData'
import { marketsOf, normalizeEvent, normalizeMarket, normalizeSeries } from '#venues/polymarket/data/normalize'
import { candlesOf, normalizeBook, normalizeTrades } from '#venues/polymarket/data/tape'
import {
  ClobBook,
  DataPricePoint,
  DataTrade,
  GammaEvent,
  type GammaEventHead,
  GammaFeeSchedule,
  GammaMarket,
  GammaSeries,
  GammaTag,
} from '#venues/polymarket/wire'
import {
  WsBestBidAsk,
  WsBook,
  WsChange,
  WsFlatPriceChange,
  WsLastTrade,
  WsMarketResolved,
  WsNewMarket,
  WsPriceChange,
  WsTickSize,
} from '#venues/polymarket/wireStream'
import knownUnmapped from './knownUnmapped.ts'
import { ownFixture, recording, renamedTrade, watch } from './support.ts'

type Raw = Record<string, unknown>
const here = recording('rest_july2026/polymarket_book.json') !== null
const read = (path: string): unknown => JSON.parse(recording(path) ?? 'null')

/** Names in `objects` that the schema does not read and that are not listed under `name`. */
function unseen(name: keyof typeof knownUnmapped, schema: { shape: object }, objects: readonly Raw[]): string[] {
  const mapped = new Set([...Object.keys(schema.shape), ...knownUnmapped[name]])
  return [...new Set(objects.flatMap((object) => Object.keys(object)))].filter((key) => !mapped.has(key))
}

const marketFiles = [
  'nautilus/crate/gamma_market.json',
  'nautilus/crate/gamma_market_closed_binary_accepting_false.json',
  'nautilus/crate/gamma_market_closed_binary_accepting_true.json',
  'nautilus/crate/gamma_market_closed_nonbinary_legacy.json',
  'nautilus/crate/gamma_market_closed_zero_zero_legacy.json',
  'nautilus/crate/gamma_market_sports_market_map_handicap.json',
  'nautilus/crate/gamma_market_sports_market_money_line.json',
]

function recordedMarkets(): Raw[] {
  return [
    ...marketFiles.map((path) => read(path) as Raw),
    ...(read('rest/gamma_closed_markets_600.json.gz') as Raw[]),
    ...(read('rest/polymarket_latest.json.gz') as { markets: Raw[] }).markets,
    ...(read('rest/polymarket_markets.json') as Raw[]),
    ...(read('rest_july2026/polymarket_markets.json') as Raw[]),
  ]
}

const recordedEvents = (): Raw[] => [
  ...(read('rest_july2026/polymarket_events.json') as Raw[]),
  ...(read('nautilus/crate/gamma_event.json') as Raw[]),
  ...(read('nautilus/crate/search_response.json') as { events: Raw[] }).events,
]

describe.skipIf(!here)('recorded catalog objects (recordings are next to the project)', () => {
  it('all 815 markets are parsed and fit the catalog schema', () => {
    const markets = recordedMarkets()
    expect(markets).toHaveLength(815)
    for (const raw of markets) Market.parse(normalizeMarket(GammaMarket.parse(raw)))
  })

  it('events with their markets and series are parsed and fit the catalog schema', () => {
    let series = 0
    for (const raw of recordedEvents()) {
      const event = GammaEvent.parse(raw)
      const markets = marketsOf({ log: silentLog }, event)
      expect(markets).toHaveLength(event.markets?.length ?? 0)
      expect(markets.length).toBeGreaterThan(0)
      Event.parse(
        normalizeEvent(
          event,
          markets.map((market) => normalizeMarket(market, event)),
        ),
      )
      for (const each of event.series ?? []) series += Series.parse(normalizeSeries(each)) ? 1 : 0
    }
    for (const raw of recordedMarkets())
      for (const event of (GammaMarket.parse(raw).events ?? []) as GammaEventHead[])
        for (const each of event.series ?? []) series += Series.parse(normalizeSeries(each)) ? 1 : 0
    expect(series).toBeGreaterThan(100)
  })

  it('every field name is known', () => {
    const events = recordedEvents()
    const markets = [...recordedMarkets(), ...events.flatMap((event) => event.markets as Raw[])]
    const heads = markets.flatMap((market) => (market.events ?? []) as Raw[])
    const all = [...events, ...heads]
    expect(unseen('market', GammaMarket, markets)).toEqual([])
    expect(unseen('event', GammaEvent, all)).toEqual([])
    expect(
      unseen(
        'series',
        GammaSeries,
        all.flatMap((event) => (event.series ?? []) as Raw[]),
      ),
    ).toEqual([])
    const tags = [
      ...all.flatMap((event) => (event.tags ?? []) as Raw[]),
      ...(read('rest/gamma_tags.json') as Raw[]),
      ...(read('nautilus/crate/gamma_tags.json') as Raw[]),
    ]
    expect(unseen('tag', GammaTag, tags)).toEqual([])
    expect(
      unseen(
        'feeSchedule',
        GammaFeeSchedule,
        markets.flatMap((market) => (market.feeSchedule ? [market.feeSchedule as Raw] : [])),
      ),
    ).toEqual([])
  })

  it('resolved, legacy and unusual markets have the known values and invent none', () => {
    const of = (path: string) => normalizeMarket(GammaMarket.parse(read(path)))
    const zero = of('nautilus/crate/gamma_market_closed_zero_zero_legacy.json')
    expect(zero.outcomes.map(({ price, bestBid, bestAsk }) => [price, bestBid, bestAsk])).toEqual(
      zero.outcomes.map(() => [null, null, null]),
    )
    expect(zero.status).toBe('closed')
    expect(zero.outcomes.length + (zero.sourceMetadata.outcomesWithoutToken as unknown[]).length).toBe(2)
    // A zero from the venue is a value; a missing field is unknown.
    expect([zero.volume24h, zero.volume24hSource]).toEqual([0, 'venue'])
    const silent = of('nautilus/crate/gamma_market_closed_binary_accepting_false.json')
    expect([silent.volume24h, silent.volume24hSource]).toEqual([null, 'venue'])
    const legacy = of('nautilus/crate/gamma_market_closed_nonbinary_legacy.json')
    expect(legacy.sourceMetadata).toMatchObject({ marketType: 'scalar', executionModel: null })
    const open = of('nautilus/crate/gamma_market.json')
    expect(open).toMatchObject({
      marketId: '1557558',
      status: 'active',
      tickSize: 0.01,
      volume24h: 9.999997,
      volume24hSource: 'venue',
    })
    expect(open.outcomes.map(({ label, price, bestBid, bestAsk }) => [label, price, bestBid, bestAsk])).toEqual([
      ['Up', 0.505, 0.5, 0.51],
      ['Down', 0.495, 0.49, 0.5],
    ])
    expect(of('nautilus/crate/gamma_market_closed_binary_accepting_true.json').status).toBe('resolved')
  })
})

describe.skipIf(!here)('recorded books, trades and histories (recordings are next to the project)', () => {
  it('REST books are read completely and are uncrossed', () => {
    const sample = read('rest/samples_clob.json') as { endpoints: Record<string, { sample?: Raw }> }
    const { _note, ...trimmed } = sample.endpoints['GET /book?token_id=:yes_token']?.sample ?? {}
    for (const raw of [
      read('rest_july2026/polymarket_book.json'),
      read('nautilus/http/book.json'),
      read('nautilus/crate/clob_book_response.json'),
      trimmed,
    ]) {
      expect(unseen('book', ClobBook, [raw as Raw])).toEqual([])
      const book = normalizeBook(ClobBook.parse(raw), 1)
      expect(book.bids.length + book.asks.length).toBe((raw as ClobBook).bids.length + (raw as ClobBook).asks.length)
      const bid = Math.max(...book.bids.map(([price]) => price))
      expect(bid).toBeLessThan(Math.min(...book.asks.map(([price]) => price)))
    }
    expect(normalizeBook(ClobBook.parse(read('rest_july2026/polymarket_book.json')), 1)).toMatchObject({
      eventTs: 1_784_958_701_198,
      isNegRisk: true,
      tickMicros: 1_000,
      lastTradeMicros: 1_000,
    })
  })

  it('every recorded trade is kept once, identified by its transaction hash, which is unique per token', () => {
    for (const [path, repeated] of [
      // Read page by page while trades occurred, so pages overlap.
      ['rest/api_trades.json.gz', 902],
      ['rest/data_api_trades.json', 0],
      ['nautilus/http/trades.json', 0],
      ['nautilus/crate/data_api_trades_response.json', 0],
    ] as const) {
      const raw = (read(path) as Raw[]).map(renamedTrade)
      expect(unseen('trade', DataTrade, raw)).toEqual([])
      const rows = DataTrade.array().parse(raw)
      const trades = [...new Set(rows.map(({ token_id }) => token_id))].flatMap((asset) => normalizeTrades(rows, asset))
      expect(trades).toHaveLength(rows.length - repeated)
      for (const trade of trades) Trade.parse(trade)
      expect(new Set(trades.map(({ id }) => id))).toEqual(new Set(rows.map((row) => row.transaction_hash)))
      expect(new Set(trades.map(({ id, outcomeId }) => `${outcomeId} ${id}`)).size).toBe(trades.length)
    }
  })

  it('a month of prices becomes hourly candles without invented ones', () => {
    // Recorded from the CLOB’s price history: the same samples with shorter names.
    const { history: samples } = read('rest/active_prices_1m_f10.json') as { history: { t: number; p: number }[] }
    const history = DataPricePoint.array().parse(samples.map(({ t, p }) => ({ timestamp: t, price: p })))
    const candles = candlesOf(history, 3_600_000)
    for (const candle of candles) {
      Candle.parse(candle)
      expect(candle.low).toBeLessThanOrEqual(Math.min(candle.open, candle.close))
      expect(candle.high).toBeGreaterThanOrEqual(Math.max(candle.open, candle.close))
    }
    expect(candles).toHaveLength(new Set(history.map(({ timestamp }) => Math.floor(timestamp / 3600))).size)
  })
})

describe('recorded answers in the repository', () => {
  const own = (name: string) => JSON.parse(ownFixture(name))

  it('a settled market, a book and trades fit the schemas, and every field name is known', () => {
    const market = own('gamma_market.json') as Raw
    expect(unseen('market', GammaMarket, [market])).toEqual([])
    expect(Market.parse(normalizeMarket(GammaMarket.parse(market)))).toMatchObject({
      ...{ marketId: '604489', status: 'resolved', tickSize: 0.001, volume: 549_414.493_468 },
      outcomes: [
        { label: 'Yes', price: 0, bestAsk: null },
        { label: 'No', price: 1, bestBid: null },
      ],
    })
    const book = own('clob_book.json') as Raw
    expect(unseen('book', ClobBook, [book])).toEqual([])
    expect(normalizeBook(ClobBook.parse(book), 1)).toMatchObject({
      ...{ eventTs: 1_781_289_337_944, isNegRisk: true, tickMicros: 1_000, lastTradeMicros: 152_000 },
      bids: expect.arrayContaining([[5_000, 1_000]]),
      asks: expect.arrayContaining([[995_000, 222_222]]),
    })
    const rows = (own('data_trades.json') as Raw[]).map(renamedTrade)
    expect(unseen('trade', DataTrade, rows)).toEqual([])
    for (const asset of new Set(rows.map((row) => String(row.token_id))))
      for (const trade of normalizeTrades(DataTrade.array().parse(rows), asset)) Trade.parse(trade)
  })
})

const streamFiles = [
  'crate/ws_market_best_bid_ask_msg',
  'crate/ws_market_book_msg',
  'crate/ws_market_last_trade_msg',
  'crate/ws_market_new_market_msg',
  'crate/ws_market_price_change_msg',
  'crate/ws_market_resolved_msg',
  'crate/ws_market_tick_size_msg',
  'ws/book',
  'ws/last_trade_price',
  'ws/price_change',
  'ws/price_change_v2',
  'ws/tick_size_change',
]
const streamShapes: Record<string, { shape: object }> = {
  book: WsBook,
  last_trade_price: WsLastTrade,
  tick_size_change: WsTickSize,
  best_bid_ask: WsBestBidAsk,
  new_market: WsNewMarket,
  market_resolved: WsMarketResolved,
}

/** The names in a frame that are neither mapped nor listed. */
function unseenInFrame(raw: Raw): string[] {
  const changes = raw.price_changes as Raw[] | undefined
  const shape =
    raw.event_type === 'price_change'
      ? changes === undefined
        ? WsFlatPriceChange
        : WsPriceChange
      : streamShapes[String(raw.event_type)]
  if (shape === undefined) return [`event_type ${raw.event_type}`]
  return [...unseen('stream', shape, [raw]), ...unseen('stream', WsChange, changes ?? [])]
}

describe.skipIf(!here)('recorded stream frames (recordings are next to the project)', () => {
  it('all market-channel frames are parsed, none is malformed, and every name is known', () => {
    for (const name of streamFiles) {
      const text = recording(`nautilus/${name}.json`) ?? ''
      const raw = JSON.parse(text) as Raw
      const ids = [
        ...new Set([
          raw.asset_id as string | undefined,
          ...((raw.price_changes ?? []) as Raw[]).map(({ asset_id }) => asset_id as string),
        ]),
      ].filter((id) => id !== undefined)
      const seen = watch(ids)
      seen.session.receive(Buffer.from(text), 1)
      expect(seen.malformed, name).toEqual([])
      expect(unseenInFrame(raw), name).toEqual([])
    }
  })
})

describe('frames as received in February 2026', () => {
  it('ten books are scanned and uncrossed, ten trades are published, and every name is known', () => {
    const books = ownFixture('polymarket_book.jsonl').trim().split('\n')
    const trades = ownFixture('polymarket_trade.jsonl').trim().split('\n')
    const raw = [...books, ...trades].map((line) => JSON.parse(line) as Raw)
    const ids = [...new Set(raw.map(({ asset_id }) => asset_id as string))]
    const seen = watch(ids)
    for (const line of [...books, ...trades]) seen.session.receive(Buffer.from(line), 1)
    expect(raw.flatMap(unseenInFrame)).toEqual([])
    expect(seen.session.counts).toMatchObject({ scanned: 20, parsed: 0 })
    expect([seen.malformed, seen.broken, seen.crossedPublished]).toEqual([[], [], 0])
    for (const book of raw.slice(0, 10)) expect(seen.books.get(book.asset_id as string)?.state).toBe('live')
    expect(seen.trades.map(({ data }) => data.transactionHash)).toEqual(
      raw.slice(10).map(({ transaction_hash }) => transaction_hash),
    )
    expect(seen.trades[0]?.data).toMatchObject({ price: 0.46, shares: 0.2, type: 'Sell', usd: 0.092 })
  })
})
