// The portfolio routes with everything real: PostgreSQL, the catalog, the venues' lanes, and books held in memory as the gateway holds them.
import { createHash, randomUUID } from 'node:crypto'
import { BookCache } from '#core/books/bookCache'
import { complementCore } from '#core/books/encode'
import { type Clock, systemClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import type { Catalog } from '#marketData/catalog/catalog'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { createPortfolioReader, createPositionBooks } from '#portfolio/index'
import type { JournalPorts } from '#portfolio/ports'
import type { ReconciliationDeps } from '#portfolio/reconciliation/index'
import { openExposure } from '#roles/exposure'
import { ordersOf } from '#roles/reconciliation'
import type { Exchange, PositionIntent } from '#schemas/executions'
import type { Market } from '#schemas/market'
import type { Pool } from '#storage/postgres/pool'
import { createPortfolioStore, type PortfolioStore } from '#storage/postgres/portfolio/store'
import { createWorld, eventOf, liveBook, marketOf, type Reply, type World } from '#test/src/server/http/world'
import { withPostgres } from '#test/support/postgres'
import type { OrderTerms } from '#venues/lane'
import { lanes, registry } from '#venues/registry'

export const nowMs = Date.parse('2026-11-30T12:00:00Z')

/** Real durations, and one date. */
const clock: Clock = { ...systemClock, now: () => nowMs }

export interface NewOrder {
  venue: string
  marketId: string
  outcomeId: string
  isBuy?: boolean
  outcomeSide?: 'YES' | 'NO'
  venueRef?: string | null
  intent?: 'order' | 'modify'
  matchedSize?: string | null
  currency?: string | null
  accountId?: string
}

interface ExchangeDetails {
  currency?: string
  status?: string
  /** Hash of the transaction. */
  venueRef?: string | null
}

type MarketReads = Pick<Catalog, 'findMarket' | 'findMarketsByIds'>

export interface PortfolioWorldOptions {
  wrapCatalog?(catalog: MarketReads): MarketReads
  wrapStore?(store: PortfolioStore): PortfolioStore
  /** Accounts at their venues, by slug. */
  holdings?: ReconciliationDeps['venues']
}

export async function createPortfolioWorld(
  pool: Pool,
  { wrapCatalog, wrapStore, holdings }: PortfolioWorldOptions = {},
) {
  const store = wrapStore?.(createPortfolioStore(pool)) ?? createPortfolioStore(pool)
  const real = createPostgresCatalog(pool)
  const catalog = wrapCatalog?.(real) ?? real
  const cache = new BookCache()
  const held: string[] = []
  const bySlug = new Map(Object.values(lanes).map((lane) => [lane.slug as string, lane]))
  const ports: JournalPorts = {
    store,
    lanes: bySlug,
    catalog,
    clock,
  }
  const reader = createPortfolioReader({
    ...ports,
    books: createPositionBooks({
      bookOf: (venue, outcomeId, marketId) =>
        Object.hasOwn(registry, venue)
          ? registry[venue as keyof typeof registry].data.bookRef(outcomeId, marketId)
          : null,
      books: { get: (venue, bookId) => cache.get(venue, bookId), complement: complementCore },
      hold: (venue, bookId) => held.push(`${venue}:${bookId}`),
      clock,
      waitMs: 0,
    }),
  })
  const cursors = createCursorCodec(Buffer.alloc(32, 12))
  const venues = Object.values(registry).map((manifest) => ({ manifest }))
  const http: World = createWorld({
    portfolio: { reader, lanes: bySlug, imports: store, catalog, cursors, clock },
    exposure: openExposure({ pool, venues, portfolio: reader, cursors }),
    reconciliation: {
      portfolio: reader,
      catalog: real,
      venues: holdings ?? new Map(),
      unsupported: new Map([['novig', 'it documents no such list']]),
      findOrders: ordersOf(pool),
      clock,
    },
  })

  async function newAccount(): Promise<string> {
    const { rows } = await pool.query<{ id: string }>('INSERT INTO accounts (name) VALUES ($1) RETURNING id', [
      randomUUID(),
    ])
    return rows[0]!.id
  }
  function actAs(accountId: string): void {
    http.verifications.next = {
      kind: 'valid',
      principal: { accountId, keyId: accountId, plan: 'enterprise', scopes: ['read', 'trade'] },
    }
  }
  const accountId = await newAccount()
  actAs(accountId)

  async function insertExecution(row: {
    accountId: string
    venue: string
    intent: string
    status: string
    terms: OrderTerms | null
    summary: object | null
    venueRef: string | null
    matchedSize: string | null
    at: string
  }): Promise<string> {
    const id = randomUUID()
    const unsigned = '{}'
    await pool.query(
      `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, terms, summary,
         venue_ref, matched_size, created_at, updated_at)
       VALUES ($1, $2, $2, $3, $4, $5, 1, $6, $7, '{}', $8, $9, $10, $11, $12, $12)`,
      [
        id,
        row.accountId,
        row.venue,
        row.intent,
        row.status,
        unsigned,
        createHash('sha256').update(unsigned).digest(),
        row.terms,
        row.summary,
        row.venueRef,
        row.matchedSize,
        row.at,
      ],
    )
    return id
  }

  return {
    cache,
    held,
    ports,
    reader,
    accountId,
    newAccount,
    actAs,
    get: (path: string): Promise<Reply> => http.get(`/v1/portfolio/${path}`),
    post: (path: string, body: unknown, key?: string): Promise<Reply> =>
      http.post(`/v1/portfolio/${path}`, body, key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    /** Writes a market to the catalog. */
    async list(
      venue: string,
      marketId: string,
      outcomeIds: [string, string],
      extra: Partial<Market> = {},
    ): Promise<void> {
      const event = eventOf(venue, [marketOf(venue, marketId, outcomeIds, extra)])
      await real.upsertEvents(venue, [event], [], ++reported)
    },
    /** A resolved one: `prices` are the payouts. */
    async resolve(
      venue: string,
      marketId: string,
      outcomeIds: [string, string],
      prices: [number | null, number | null],
      extra: Partial<Market> = {},
    ): Promise<void> {
      const market = marketOf(venue, marketId, outcomeIds, { status: 'resolved', ...extra })
      const outcomes = market.outcomes.map((outcome, i) => ({ ...outcome, price: prices[i]! }))
      await real.upsertEvents(venue, [eventOf(venue, [{ ...market, outcomes }])], [], ++reported)
    },
    book(venue: string, bookId: string, bids: [number, number][], asks: [number, number][]): void {
      cache.apply(liveBook(venue, bookId, { bids, asks }))
    },
    order({ venue, marketId, outcomeId, isBuy = true, outcomeSide = 'YES', ...more }: NewOrder): Promise<string> {
      return insertExecution({
        accountId: more.accountId ?? accountId,
        venue,
        intent: more.intent ?? 'order',
        status: 'filled',
        terms: { marketId, outcomeId, outcomeSide, isBuy, price: '0.5', size: '100' },
        summary: { currency: more.currency === undefined ? 'USD' : more.currency },
        venueRef: more.venueRef === undefined ? randomUUID() : more.venueRef,
        matchedSize: more.matchedSize ?? null,
        at: '2026-11-01T00:00:00Z',
      })
    },
    redemption(venue: string, marketId: string, at: string): Promise<string> {
      return insertExecution({
        accountId,
        venue,
        intent: 'redeem',
        status: 'filled',
        terms: null,
        summary: { currency: 'USDC', outcome: { marketId } },
        venueRef: null,
        matchedSize: null,
        at,
      })
    },
    /** A split, merge or conversion that completed. */
    exchange(
      venue: string,
      intent: PositionIntent,
      exchange: Exchange,
      at: string,
      { currency = 'USDC', status = 'filled', venueRef = null }: ExchangeDetails = {},
    ): Promise<string> {
      return insertExecution({
        accountId,
        venue,
        intent,
        status,
        terms: null,
        summary: { currency, exchange, outcome: { instrument: `0x${'ab'.repeat(32)}` } },
        venueRef,
        matchedSize: null,
        at,
      })
    },
    async fill(executionId: string, key: string, fill: object, at: string): Promise<string> {
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO execution_fills (execution_id, account_id, venue, venue_key, fill, filled_at)
         SELECT id, account_id, venue, $2, $3, $4 FROM executions WHERE id = $1 RETURNING id`,
        [executionId, key, fill, at],
      )
      return rows[0]!.id
    },
  }
}
let reported = nowMs
export type PortfolioWorld = Awaited<ReturnType<typeof createPortfolioWorld>>

/** Fills as kalshi and polymarket report them. */
export const kalshiFill = (count: string, yesPrice: string, fee: string | null = '0') => ({
  count_fp: count,
  yes_price_dollars: yesPrice,
  ...(fee !== null && { fee_cost: fee }),
})
export const polymarketFill = (size: string, price: string) => ({ size, price, trader_side: 'MAKER' })

export function portfolioSuite() {
  const pg = withPostgres()
  return { pg, worldOf: (options?: PortfolioWorldOptions) => createPortfolioWorld(pg.pool, options) }
}
