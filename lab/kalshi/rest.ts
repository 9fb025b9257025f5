// Kalshi's REST surface under /trade-api/v2: paging, filters, its own refusals.
import type { Engine } from '../engine/engine.ts'
import type { Faults } from '../faults.ts'
import { decodeCursor } from '../pagination.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import type { KalshiAuth } from './auth.ts'
import type { KalshiEvent, KalshiListing, KalshiMarket, KalshiSeries } from './marketGenerator.ts'
import { badRequest, paged } from './pagination.ts'
import { candleRows, eventRow, marketRow, orderbookRow, seriesRow, statusWord, tradeRow } from './rows.ts'
import { rfc3339 } from './units.ts'

export const REST_PATH = '/trade-api/v2'
const CANDLES_MAX = 10_000
const ORDERBOOKS_MAX = 100

const notFound: LabReply = {
  status: 404,
  body: { error: { code: 'not_found', message: 'not found', service: 'exchange' } },
}

const listStatuses: Record<string, readonly string[]> = {
  unopened: ['initialized'],
  open: ['active'],
  paused: ['inactive'],
  closed: ['closed', 'determined', 'disputed', 'amended'],
  settled: ['finalized'],
}

export function kalshiRoutes(options: {
  listing: KalshiListing
  engine: Engine
  faults: () => Faults
  auth: KalshiAuth
  nowMs: () => number
}): LabRoute[] {
  const { listing, engine, faults, auth, nowMs } = options
  const known = (market: KalshiMarket | undefined): market is KalshiMarket =>
    market !== undefined && faults().denies(market.key) === null
  const live = (market: KalshiMarket) => engine.glance(market.key)!
  const row = (market: KalshiMarket) => marketRow(market, live(market))
  const statusFits = (market: KalshiMarket, statuses: readonly string[] | null) =>
    statuses === null || statuses.includes(statusWord(engine.statusOf(market.key)))

  function truthOf(market: KalshiMarket) {
    const moving = engine.market(market.key)!
    return faults().staleTruth(moving.id, 'rest') ?? moving.truth()
  }

  /** Public reads need no key, but a wrong signature is refused. */
  const get = (path: string, handle: (request: LabRequest) => LabReply): LabRoute => ({
    method: 'GET',
    path: `${REST_PATH}${path}`,
    handle(request) {
      const signed = request.headers['kalshi-access-key'] !== undefined
      return (signed ? auth.refuse(request.headers, 'GET', request.path) : null) ?? handle(request)
    },
  })

  function listMarkets({ query }: LabRequest): LabReply {
    const statuses = statusFilter(query)
    if (statuses === undefined) return badRequest('invalid status')
    const events = csv(query, 'event_ticker')
    const tickers = csv(query, 'tickers')
    const series = query.get('series_ticker')
    const pool = tickers === null ? listing.markets : tickers.flatMap((ticker) => listing.byTicker.get(ticker) ?? [])
    const fits = (market: KalshiMarket) =>
      known(market) &&
      (events === null || events.includes(market.event.ticker)) &&
      (series === null || market.event.series.ticker === series) &&
      statusFits(market, statuses)
    return paged('markets', { pool, fits }, query, { most: 1000, usual: 100 }, row)
  }

  function listEvents({ query }: LabRequest): LabReply {
    const statuses = statusFilter(query)
    if (statuses === undefined) return badRequest('invalid status')
    const tickers = csv(query, 'tickers')
    const series = query.get('series_ticker')
    const nested = query.get('with_nested_markets') === 'true'
    /** Changes of text and state, not trading. */
    const updatedMs = Number(query.get('min_updated_ts') ?? 0) * 1000
    const fits = (event: KalshiEvent) =>
      (tickers === null || tickers.includes(event.ticker)) &&
      (series === null || event.series.ticker === series) &&
      event.markets.some((market) => statusFits(market, statuses)) &&
      (updatedMs === 0 || event.markets.some((market) => live(market).statusAtMs >= updatedMs))
    const limits = { most: 200, usual: 200 }
    return paged(
      'events',
      { pool: listing.events, fits },
      query,
      limits,
      (event) => eventRow(event, nested ? event.markets.map(row) : null),
      {
        milestones: [],
      },
    )
  }

  function oneEvent(event: KalshiEvent | undefined, nested: boolean): LabReply {
    if (event === undefined) return notFound
    const rows = event.markets.filter(known).map(row)
    return ok(nested ? { event: eventRow(event, rows) } : { event: eventRow(event, null), markets: rows })
  }

  function listTrades({ query }: LabRequest): LabReply {
    const ticker = query.get('ticker')
    const pool =
      ticker === null
        ? listing.markets.filter(({ key }) => engine.touched(key) !== null)
        : [listing.byTicker.get(ticker)].filter(known)
    const from = Number(query.get('min_ts') ?? 0) * 1000
    const to = Number(query.get('max_ts') ?? Number.MAX_SAFE_INTEGER / 1000) * 1000
    const most = (decodeCursor(query.get('cursor')) ?? 0) + Number(query.get('limit') ?? 100) + 1
    const trades = pool
      .flatMap((market) =>
        live(market)
          .log.read({ fromMs: from, toMs: to, most })
          .map((trade) => ({ market, trade })),
      )
      .sort((a, b) => b.trade.atMs - a.trade.atMs || b.trade.ordinal - a.trade.ordinal)
    return paged('trades', { pool: trades, fits: () => true }, query, { most: 1000, usual: 100 }, ({ market, trade }) =>
      tradeRow(market, trade),
    )
  }

  /** All-time, in hundredths of contracts. */
  function seriesVolumes(): Map<KalshiSeries, number> {
    const volumes = new Map<KalshiSeries, number>()
    for (const market of listing.markets) {
      const { series } = market.event
      volumes.set(series, (volumes.get(series) ?? 0) + live(market).volumeHundredths)
    }
    return volumes
  }

  function candles(market: KalshiMarket, query: URLSearchParams): Record<string, unknown>[] | LabReply {
    const start = Number(query.get('start_ts') ?? Number.NaN)
    const end = Math.min(Number(query.get('end_ts') ?? Number.NaN), Math.floor(nowMs() / 1000))
    const minutes = Number(query.get('period_interval'))
    if (![1, 60, 1440].includes(minutes)) return badRequest('invalid period_interval')
    if (!Number.isFinite(start) || !Number.isFinite(end)) return badRequest('start_ts and end_ts are required')
    const span = minutes * 60
    if ((end - start) / span > CANDLES_MAX) return badRequest('too many candlesticks requested')
    return candleRows(live(market), start, end, minutes)
  }

  return [
    get('/exchange/status', () =>
      ok({
        exchange_active: true,
        exchange_estimated_resume_time: null,
        intra_exchange_transfers_active: true,
        trading_active: true,
      }),
    ),
    get('/historical/cutoff', () => ok(cutoffs(nowMs()))),
    get('/series', ({ query }) => {
      const category = query.get('category')
      const selectedSeries = listing.series.filter((s) => category === null || s.category === category)
      const volumes = query.get('include_volume') === 'true' ? seriesVolumes() : null
      return ok({
        series: selectedSeries.map((s) => ({
          ...seriesRow(s),
          ...(volumes !== null && { volume_fp: ((volumes.get(s) ?? 0) / 100).toFixed(2) }),
        })),
      })
    }),
    get('/series/:ticker', ({ params }) => {
      const series = listing.series.find(({ ticker }) => ticker === params.ticker)
      return series === undefined ? notFound : ok({ series: seriesRow(series) })
    }),
    get('/events', listEvents),
    get('/events/multivariate', () => ok({ events: [], cursor: '' })),
    get('/events/:ticker', ({ params, query }) =>
      oneEvent(listing.byEvent.get(params.ticker!), query.get('with_nested_markets') === 'true'),
    ),
    get('/markets', listMarkets),
    get('/markets/trades', listTrades),
    get('/markets/orderbooks', ({ query }) => {
      const tickers = csv(query, 'tickers') ?? []
      if (tickers.length > ORDERBOOKS_MAX) return badRequest('too many tickers')
      const markets = tickers.map((ticker) => listing.byTicker.get(ticker)).filter(known)
      return ok({ orderbooks: markets.map((m) => ({ ticker: m.ticker, orderbook_fp: orderbookRow(truthOf(m), 0) })) })
    }),
    get('/markets/candlesticks', ({ query }) => {
      const tickers = csv(query, 'market_tickers') ?? []
      if (tickers.length > 100) return badRequest('too many market_tickers')
      const markets: Record<string, unknown>[] = []
      for (const market of tickers.map((ticker) => listing.byTicker.get(ticker)).filter(known)) {
        const made = candles(market, query)
        if (!Array.isArray(made)) return made
        markets.push({ candlesticks: made, market_ticker: market.ticker })
      }
      return ok({ markets })
    }),
    get('/markets/:ticker', ({ params }) => {
      const market = listing.byTicker.get(params.ticker!)
      return known(market) ? ok({ market: row(market) }) : notFound
    }),
    get('/markets/:ticker/orderbook', ({ params, query }) => {
      const market = listing.byTicker.get(params.ticker!)
      const depth = Number(query.get('depth') ?? 0)
      if (!Number.isInteger(depth) || depth < 0 || depth > 100) return badRequest('invalid depth')
      return known(market) ? ok({ orderbook_fp: orderbookRow(truthOf(market), depth) }) : notFound
    }),
    get('/series/:series/markets/:ticker/candlesticks', ({ params, query }) => {
      const market = listing.byTicker.get(params.ticker!)
      if (!known(market) || market.event.series.ticker !== params.series) return notFound
      const made = candles(market, query)
      return Array.isArray(made) ? ok({ candlesticks: made, ticker: market.ticker }) : made
    }),
  ]
}

function cutoffs(nowMs: number): Record<string, string> {
  const cutoff = rfc3339(nowMs - 90 * 86_400_000)
  return {
    market_positions_last_updated_ts: cutoff,
    market_settled_ts: cutoff,
    orders_updated_ts: cutoff,
    trades_created_ts: cutoff,
  }
}

/** Null: no filter. Undefined: a word the venue does not know. */
function statusFilter(query: URLSearchParams): readonly string[] | null | undefined {
  const words = csv(query, 'status')
  if (words === null) return null
  const lists = words.map((word) => listStatuses[word])
  return lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? [])
}

function csv(query: URLSearchParams, name: string): string[] | null {
  const values = query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '')
  return values.length === 0 ? null : values
}
