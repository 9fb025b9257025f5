// Owns the Gamma service: events, markets, tags and series as the catalog shows them.
import type { Engine } from '../engine/engine.ts'
import type { EngineMarket } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../host.ts'
import { feeRate, type PolyEvent, type PolyListing, type PolyMarket } from './listing.ts'

const PAGE_MAX = 100
const OFFSET_PAGE_DEFAULT = 20
const OFFSET_PAGE_MAX = 500

const notFound: LabReply = { status: 404, body: { type: 'not found error', error: 'id not found' } }

export function gammaRoutes(listing: PolyListing, engine: Engine, faults: () => Faults): LabRoute[] {
  const rows = createRows(engine)
  const known = (market: PolyMarket) => faults().denies(market.key) === null
  const isClosed = (market: PolyMarket) => (engine.touched(market.key)?.status ?? market.catalog.status) !== 'open'
  const eventClosed = (event: PolyEvent) => event.markets.every(isClosed)

  function filterMarkets(query: URLSearchParams): PolyMarket[] {
    const wantsClosed = query.get('closed') === 'true'
    const ids = wanted(query, 'ids', 'id')
    const conditions = wanted(query, 'condition_ids')
    const tokens = wanted(query, 'clob_token_ids')
    const slugs = wanted(query, 'slug')
    const tag = query.get('tag_id')
    const pool = tokens === null ? listing.markets : tokens.flatMap((token) => listing.byToken.get(token)?.market ?? [])
    return pool.filter(
      (market) =>
        known(market) &&
        isClosed(market) === wantsClosed &&
        (ids === null || ids.includes(market.id)) &&
        (conditions === null || conditions.includes(market.conditionId)) &&
        (slugs === null || slugs.includes(market.slug)) &&
        (tag === null || market.event.tags.some((candidate) => candidate.id === tag)),
    )
  }

  function filterEvents(query: URLSearchParams): PolyEvent[] {
    const closed = query.get('closed')
    const ids = wanted(query, 'ids', 'id')
    const slugs = wanted(query, 'slug')
    const tag = query.get('tag_id')
    return listing.events.filter(
      (event) =>
        (closed === null ? !eventClosed(event) : eventClosed(event) === (closed === 'true')) &&
        (ids === null || ids.includes(event.id)) &&
        (slugs === null || slugs.includes(event.slug)) &&
        (tag === null || event.tags.some((candidate) => candidate.id === tag)),
    )
  }

  const marketRow = (market: PolyMarket) => rows.market(market, true)
  const oneMarket = (market: PolyMarket | undefined): LabReply =>
    market === undefined || !known(market) ? notFound : ok(marketRow(market))
  const oneEvent = (event: PolyEvent | undefined): LabReply => (event === undefined ? notFound : ok(rows.event(event)))
  const get = (path: string, handle: (request: LabRequest) => LabReply): LabRoute => ({ method: 'GET', path, handle })

  return [
    get('/gamma/markets/keyset', ({ query }) => keyset('markets', filterMarkets(query), query, marketRow)),
    get('/gamma/events/keyset', ({ query }) => keyset('events', filterEvents(query), query, rows.event)),
    get('/gamma/markets', ({ query }) => ok(offsetPage(filterMarkets(query), query).map(marketRow))),
    get('/gamma/events', ({ query }) => ok(offsetPage(filterEvents(query), query).map(rows.event))),
    get('/gamma/markets/:id', ({ params }) => oneMarket(listing.byId.get(params.id!))),
    get('/gamma/markets/slug/:slug', ({ params }) =>
      oneMarket(listing.markets.find(({ slug }) => slug === params.slug)),
    ),
    get('/gamma/events/:id', ({ params }) => oneEvent(listing.events.find(({ id }) => id === params.id))),
    get('/gamma/events/slug/:slug', ({ params }) => oneEvent(listing.events.find(({ slug }) => slug === params.slug))),
    get('/gamma/events/:id/tags', ({ params }) => {
      const event = listing.events.find(({ id }) => id === params.id)
      return event === undefined ? notFound : ok(event.tags.map(tagRow))
    }),
    get('/gamma/tags', ({ query }) => ok(offsetPage(listing.tags, query).map(tagRow))),
    get('/gamma/series', ({ query }) => ok(offsetPage(listing.series, query).map(seriesRow))),
    get('/gamma/series/:id', ({ params }) => {
      const series = listing.series.find(({ id }) => id === params.id)
      return series === undefined ? notFound : ok(seriesRow(series))
    }),
    get('/gamma/sports', () => ok([])),
  ]
}

function createRows(engine: Engine) {
  function market(poly: PolyMarket, withEvent: boolean): Record<string, unknown> {
    const { catalog, event } = poly
    const live = engine.glance(poly.key)!
    const closed = live.status !== 'open'
    const yes = live.midMicros() / 1_000_000
    const volume = live.volumeHundredths / 200
    const liquidity = bookValue(live)
    const rate = feeRate(event)
    const bid = live.book.bestBidMicros()
    const ask = live.book.bestAskMicros()
    return {
      id: poly.id,
      question: catalog.question,
      conditionId: poly.conditionId,
      slug: poly.slug,
      resolutionSource: '',
      endDate: iso(event.catalog.endMs),
      liquidity: String(liquidity),
      startDate: iso(event.catalog.createdMs),
      image: '',
      icon: '',
      description: event.catalog.rules,
      outcomes: JSON.stringify(poly.outcomes),
      outcomePrices: JSON.stringify([String(round(yes)), String(round(1 - yes))]),
      volume: String(volume),
      active: true,
      closed,
      marketMakerAddress: '',
      createdAt: iso(event.catalog.createdMs),
      updatedAt: iso(live.eventTs),
      ...(closed ? { closedTime: `${iso(live.statusAtMs).slice(0, 19).replace('T', ' ')}+00` } : {}),
      new: false,
      featured: false,
      archived: false,
      restricted: true,
      groupItemTitle: event.markets.length > 1 ? catalog.label : '',
      groupItemThreshold: String(poly.groupIndex),
      questionID: poly.questionId,
      enableOrderBook: !closed,
      orderPriceMinTickSize: live.book.grid.stepMicros / 1_000_000,
      orderMinSize: 5,
      ...(live.status === 'resolved' ? { umaResolutionStatus: 'resolved' } : {}),
      volumeNum: volume,
      liquidityNum: liquidity,
      endDateIso: iso(event.catalog.endMs).slice(0, 10),
      startDateIso: iso(event.catalog.createdMs).slice(0, 10),
      hasReviewedDates: true,
      volume24hr: round(volume / 12),
      volume1wk: round(volume / 3),
      volume1mo: round(volume / 1.5),
      volume1yr: volume,
      clobTokenIds: JSON.stringify(poly.tokens),
      volume24hrClob: round(volume / 12),
      volume1wkClob: round(volume / 3),
      volume1moClob: round(volume / 1.5),
      volume1yrClob: volume,
      volumeClob: volume,
      liquidityClob: liquidity,
      ...(rate > 0 ? { makerBaseFee: 1000, takerBaseFee: 1000 } : {}),
      acceptingOrders: !closed,
      negRisk: event.negRisk,
      ...(event.negRisk ? { negRiskMarketID: event.negRiskMarketId, negRiskRequestID: poly.questionId } : {}),
      negRiskOther: false,
      ready: false,
      funded: false,
      acceptingOrdersTimestamp: iso(event.catalog.createdMs),
      cyom: false,
      competitive: round(1 - Math.abs(0.5 - yes)),
      approved: true,
      rewardsMinSize: 50,
      rewardsMaxSpread: 4.5,
      spread: bid === null || ask === null ? 1 : round((ask - bid) / 1_000_000),
      oneHourPriceChange: changeSince(live, 3_600_000),
      oneDayPriceChange: changeSince(live, 86_400_000),
      oneWeekPriceChange: changeSince(live, 7 * 86_400_000),
      oneMonthPriceChange: changeSince(live, 30 * 86_400_000),
      lastTradePrice: (live.lastTrade?.priceMicros ?? 0) / 1_000_000,
      ...(bid === null ? {} : { bestBid: bid / 1_000_000 }),
      ...(ask === null ? {} : { bestAsk: ask / 1_000_000 }),
      automaticallyActive: true,
      clearBookOnStart: true,
      manualActivation: false,
      umaResolutionStatuses: '[]',
      pendingDeployment: false,
      deploying: false,
      rfqEnabled: false,
      holdingRewardsEnabled: false,
      feesEnabled: rate > 0,
      feeType: rate > 0 ? 'crypto_fees' : null,
      ...(rate > 0 ? { feeSchedule: { exponent: 1, rate, takerOnly: true, rebateRate: 0.2 } } : {}),
      requiresTranslation: false,
      ...(withEvent ? { events: [eventHead(event, [])] } : {}),
    }
  }

  function eventHead(event: PolyEvent, lives: readonly EngineMarket[]): Record<string, unknown> {
    const { catalog } = event
    const volume = lives.reduce((sum, live) => sum + live.volumeHundredths / 200, 0)
    const liquidity = lives.reduce((sum, live) => sum + bookValue(live), 0)
    return {
      id: event.id,
      ticker: event.slug,
      slug: event.slug,
      title: catalog.title,
      description: catalog.rules,
      resolutionSource: '',
      startDate: iso(catalog.createdMs),
      creationDate: iso(catalog.createdMs),
      endDate: iso(catalog.endMs),
      image: '',
      icon: '',
      active: true,
      closed: event.markets.every((poly) => (engine.touched(poly.key)?.status ?? poly.catalog.status) !== 'open'),
      archived: false,
      new: false,
      featured: false,
      restricted: true,
      liquidity: round(liquidity),
      volume: round(volume),
      openInterest: round(volume / 5),
      createdAt: iso(catalog.createdMs),
      updatedAt: iso(lives.reduce((latest, live) => Math.max(latest, live.eventTs), catalog.createdMs)),
      competitive: 0.9,
      volume24hr: round(volume / 12),
      volume1wk: round(volume / 3),
      volume1mo: round(volume / 1.5),
      volume1yr: round(volume),
      enableOrderBook: true,
      liquidityClob: round(liquidity),
      negRisk: event.negRisk,
      ...(event.negRisk ? { negRiskMarketID: event.negRiskMarketId } : {}),
      commentCount: 0,
      cyom: false,
      showAllOutcomes: true,
      showMarketImages: false,
      enableNegRisk: event.negRisk,
      automaticallyActive: true,
      negRiskAugmented: false,
      pendingDeployment: false,
      deploying: false,
      requiresTranslation: false,
    }
  }

  return {
    market,
    event(event: PolyEvent): Record<string, unknown> {
      const lives = event.markets.map(({ key }) => engine.glance(key)!)
      return {
        ...eventHead(event, lives),
        markets: event.markets.map((poly) => market(poly, false)),
        ...(event.series === null ? {} : { series: [seriesRow(event.series)], seriesSlug: event.series.slug }),
        tags: event.tags.map(tagRow),
      }
    },
  }
}

const tagRow = (tag: { id: string; label: string; slug: string }) => ({
  ...tag,
  forceShow: false,
  createdAt: '2023-12-07T19:16:45.993Z',
  updatedAt: '2026-02-06T20:01:39.282804Z',
  requiresTranslation: false,
})

const seriesRow = (series: { id: string; slug: string; title: string }) => ({
  id: series.id,
  ticker: series.slug,
  slug: series.slug,
  title: series.title,
  seriesType: 'single',
  recurrence: 'daily',
  image: '',
  icon: '',
  active: true,
  closed: false,
  archived: false,
  featured: false,
  restricted: true,
})

/** `{rows, next_cursor?}`; the last page has no cursor. */
function keyset<T>(name: string, all: readonly T[], query: URLSearchParams, row: (item: T) => unknown): LabReply {
  const limit = Math.min(PAGE_MAX, Number(query.get('limit') ?? OFFSET_PAGE_DEFAULT) || OFFSET_PAGE_DEFAULT)
  const cursor = query.get('after_cursor') ?? query.get('next_cursor') ?? query.get('cursor')
  const start = cursor === null || cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64url').toString())
  if (!Number.isInteger(start) || start < 0)
    return { status: 400, body: { type: 'validation error', error: 'invalid cursor' } }
  const end = start + limit
  const page = all.slice(start, end).map(row)
  return ok({
    [name]: page,
    ...(end < all.length ? { next_cursor: Buffer.from(String(end)).toString('base64url') } : {}),
  })
}

function offsetPage<T>(all: readonly T[], query: URLSearchParams): readonly T[] {
  const limit = Math.min(OFFSET_PAGE_MAX, Number(query.get('limit') ?? OFFSET_PAGE_DEFAULT))
  const offset = Number(query.get('offset') ?? 0)
  return all.slice(offset, offset + limit)
}

/** A repeated (or comma-joined) filter; null when absent. */
function wanted(query: URLSearchParams, ...names: string[]): string[] | null {
  const values = names.flatMap((name) => query.getAll(name)).flatMap((value) => value.split(','))
  return values.length === 0 ? null : values
}

function bookValue(live: EngineMarket): number {
  const { bids, asks } = live.truth()
  const sum = (levels: readonly (readonly [number, number])[]) =>
    levels.reduce((total, [p, s]) => total + (p / 1e6) * s, 0)
  return round(sum(bids) + sum(asks))
}

const changeSince = (live: EngineMarket, ms: number): number =>
  round((live.midMicros() - live.pastMicros(live.eventTs - ms)) / 1_000_000)

const round = (value: number): number => Math.round(value * 10_000) / 10_000
const iso = (ms: number): string => new Date(ms).toISOString()
