// The CLOB service over HTTP: books, ticks, fees, market parameters, price history.
import type { Engine } from '../engine/engine.ts'
import type { Faults } from '../faults.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import { clobMarket, compactMarket, stepOf } from './clobMarket.ts'
import { type OrderBookSummary, orderBookSummary, priceText } from './encode.ts'
import { feeRate, type PolyListing, type PolyMarket } from './marketGenerator.ts'

const BOOKS_MAX = 500
const MARKETS_PAGE = 1000
const END_CURSOR = 'LTE='
/** The newest points of a longer history. */
const HISTORY_POINTS_MAX = 10_000

const noBook: LabReply = { status: 404, body: { error: 'No orderbook exists for the requested token id' } }
const noMarket: LabReply = { status: 404, body: { error: 'market not found' } }
const bad = (error: string): LabReply => ({ status: 400, body: { error } })

export function clobRoutes(
  listing: PolyListing,
  engine: Engine,
  faults: () => Faults,
  nowMs: () => number,
): LabRoute[] {
  const token = (id: string | null) => {
    const found = id === null ? undefined : listing.byToken.get(id)
    return found === undefined || faults().denies(found.market.key) !== null ? null : found
  }
  const condition = (id: string) => {
    const market = listing.byCondition.get(id)
    return market === undefined || faults().denies(market.key) !== null ? null : market
  }

  function summary(tokenId: string | null): OrderBookSummary | null {
    const found = token(tokenId)
    if (found === null) return null
    const live = engine.market(found.market.key)!
    if (live.status !== 'open') return null
    const truth = faults().staleTruth(live.id, 'rest') ?? live.truth()
    return orderBookSummary(found.market, found.side, truth, live.book.grid.stepMicros, live.lastTrade)
  }

  const withBook =
    (answer: (book: OrderBookSummary) => unknown) =>
    ({ query }: LabRequest) => {
      const book = summary(query.get('token_id'))
      return book === null ? noBook : ok(answer(book))
    }
  const withToken =
    (answer: (market: PolyMarket) => unknown) =>
    ({ query }: LabRequest) => {
      const found = token(query.get('token_id'))
      return found === null ? noMarket : ok(answer(found.market))
    }
  const best = (levels: { price: string }[]) => levels.at(-1)?.price ?? null
  const mid = (book: OrderBookSummary) => (Number(best(book.bids) ?? 0) + Number(best(book.asks) ?? 1)) / 2
  const get = (path: string, handle: (request: LabRequest) => LabReply): LabRoute => ({ method: 'GET', path, handle })

  return [
    get('/clob/ok', () => ok('OK')),
    get('/clob/time', () => ok(Math.floor(nowMs() / 1000))),
    get('/clob/version', () => ok({ version: 2 })),
    get(
      '/clob/book',
      withBook((book) => book),
    ),
    {
      method: 'POST',
      path: '/clob/books',
      handle({ body }) {
        if (!Array.isArray(body)) return bad('Invalid payload')
        if (body.length > BOOKS_MAX) return bad('Payload exceeds the limit')
        return ok(body.flatMap((row: { token_id?: unknown }) => summary(String(row?.token_id ?? '')) ?? []))
      },
    },
    get(
      '/clob/midpoint',
      withBook((book) => ({ mid: String(Math.round(mid(book) * 1e6) / 1e6) })),
    ),
    get('/clob/price', ({ query }) => {
      const book = summary(query.get('token_id'))
      if (book === null) return noBook
      const side = query.get('side')
      if (side !== 'BUY' && side !== 'SELL') return bad('Invalid side')
      return ok({ price: best(side === 'BUY' ? book.bids : book.asks) ?? '0' })
    }),
    get(
      '/clob/spread',
      withBook((book) => ({ spread: spread(book) })),
    ),
    get('/clob/last-trade-price', ({ query }) => {
      const found = token(query.get('token_id'))
      if (found === null) return noBook
      const last = engine.glance(found.market.key)!.lastTrade
      if (last === null) return ok({ price: '0.5', side: '' })
      const flip = found.side === 1
      const price = priceText(flip ? 1_000_000 - last.priceMicros : last.priceMicros)
      return ok({ price, side: last.takerBuysYes === !flip ? 'BUY' : 'SELL' })
    }),
    get(
      '/clob/tick-size',
      withToken((market) => ({ minimum_tick_size: stepOf(engine, market) })),
    ),
    get(
      '/clob/neg-risk',
      withToken((market) => ({ neg_risk: market.event.negRisk })),
    ),
    get(
      '/clob/fee-rate',
      withToken((market) => ({ base_fee: feeRate(market.event) > 0 ? 1000 : 0 })),
    ),
    get('/clob/markets-by-token/:token', ({ params }) => {
      const found = token(params.token!)
      if (found === null) return noMarket
      const [primary, secondary] = found.market.tokens
      return ok({ condition_id: found.market.conditionId, primary_token_id: primary, secondary_token_id: secondary })
    }),
    get('/clob/clob-markets/:conditionId', ({ params }) => {
      const market = condition(params.conditionId!)
      return market === null ? noMarket : ok(compactMarket(engine, market))
    }),
    get('/clob/markets/:conditionId', ({ params }) => {
      const market = condition(params.conditionId!)
      return market === null ? noMarket : ok(clobMarket(engine, market))
    }),
    get('/clob/markets', ({ query }) => {
      const start = Number(Buffer.from(query.get('next_cursor') ?? 'MA==', 'base64').toString())
      if (!Number.isInteger(start) || start < 0) return bad('invalid next_cursor')
      const data = listing.markets.slice(start, start + MARKETS_PAGE).map((market) => clobMarket(engine, market))
      const end = start + MARKETS_PAGE
      const next = end < listing.markets.length ? Buffer.from(String(end)).toString('base64') : END_CURSOR
      return ok({ data, next_cursor: next, limit: MARKETS_PAGE, count: data.length })
    }),
    get('/clob/prices-history', ({ query }) => {
      const found = token(query.get('market'))
      if (found === null) return ok({ history: [] })
      return history(engine, found, query, nowMs())
    }),
  ]
}

function spread(book: OrderBookSummary): string {
  const bid = book.bids.at(-1)
  const ask = book.asks.at(-1)
  return bid === undefined || ask === undefined
    ? '0'
    : String(Math.round((Number(ask.price) - Number(bid.price)) * 1e6) / 1e6)
}

const intervalSeconds: Record<string, number> = {
  '1h': 3600,
  '6h': 21_600,
  '1d': 86_400,
  '1w': 604_800,
  '1m': 2_592_000,
  max: 7_776_000,
}

function history(
  engine: Engine,
  found: { market: PolyMarket; side: 0 | 1 },
  query: URLSearchParams,
  nowMs: number,
): LabReply {
  const live = engine.glance(found.market.key)!
  const nowSeconds = Math.floor(nowMs / 1000)
  const interval = query.get('interval')
  const startTs = query.get('startTs')
  if (interval === null && startTs === null) return bad('interval or startTs is required')
  const seconds = interval === null ? null : intervalSeconds[interval]
  if (seconds === undefined) return bad('invalid interval')
  const end = Math.min(nowSeconds, Number(query.get('endTs') ?? nowSeconds))
  const start = seconds === null ? Number(startTs) : nowSeconds - seconds
  const stepSeconds = Math.max(1, Number(query.get('fidelity') ?? 1)) * 60
  if (!(end >= start)) return bad('startTs must be before endTs')
  const points: { t: number; p: number }[] = []
  // At whole steps, as recorded; each has the price of the newest trade by then.
  const last = Math.floor(end / stepSeconds) * stepSeconds
  const oldest = last - (HISTORY_POINTS_MAX - 1) * stepSeconds
  const first = Math.max(oldest, Math.ceil(start / stepSeconds) * stepSeconds)
  const bars = live.log.bars(first * 1000, end * 1000, stepSeconds * 1000)
  let yes = live.priceAt(first * 1000 - 1)
  let next = 0
  for (let t = first; t <= last; t += stepSeconds) {
    while (next < bars.length && bars[next]!.startMs < t * 1000) yes = bars[next++]!.closeMicros
    points.push({ t, p: (found.side === 0 ? yes : 1_000_000 - yes) / 1_000_000 })
  }
  return ok({ history: points })
}
