// The router's routes with a real database, test lanes, and books, clusters and structures that a test sets.
import type { Relation } from '#arbitrage/structures/input'
import { createCursorCodec } from '#core/cursor'
import type { ExecutionsDeps } from '#orders/executions/index'
import type { RouterDeps } from '#router/index'
import type { JsonObject } from '#schemas/executions'
import type { Market, Outcome } from '#schemas/market'
import { noPriceChanges } from '#schemas/market'
import type { StoredCluster, StoredMatch } from '#schemas/matches'
import type { StructureRow } from '#schemas/structures'
import type { ExecutionVenue, VenueSlug } from '#schemas/venues'
import type { Pool } from '#storage/postgres/pool'
import { createRouterStore } from '#storage/postgres/router/store'
import type { Reply } from '#test/src/server/http/world'
import type { ExecutionAdapter } from '#venues/lane'
import { tradingLane } from './execution/tradingLane.ts'
import type { ExecutionWorld } from './execution/world.ts'

/** Of the test lane, whose fills state everything. */
export const routedLane = (slug: ExecutionVenue): ExecutionAdapter => {
  const lane = tradingLane(slug)
  return {
    ...lane,
    order: {
      ...lane.order,
      fieldsOf: ({ outcomeId, isBuy, price, size }) => ({ outcome: outcomeId, isBuy, price, size }) as JsonObject,
    },
    readFill: ({ size, cash, fee }) => ({ size: String(size), cash: String(cash), fee: String(fee), feeIn: 'cash' }),
  }
}

const outcome = (marketId: string, label: string): Outcome => ({
  outcomeId: `${marketId}-${label}`,
  marketId,
  label,
  price: null,
  ...noPriceChanges,
  coverage: null,
})

export const market = (venue: string, marketId: string, more: Partial<Market> = {}): Market => ({
  marketId,
  eventId: null,
  title: marketId,
  description: '',
  outcomes: [outcome(marketId, 'Yes'), outcome(marketId, 'No')],
  volume24h: null,
  volume: null,
  liquidity: null,
  openInterest: null,
  url: '',
  tickSize: 0.01,
  status: 'active',
  sourceExchange: venue,
  sourceMetadata: {},
  ...more,
})

export const pair = (
  a: readonly [VenueSlug, string],
  b: readonly [VenueSlug, string],
  more: Partial<StoredMatch> = {},
): StoredMatch => ({
  a: { venue: a[0], marketId: a[1] },
  b: { venue: b[0], marketId: b[1] },
  score: 100,
  band: 'verified',
  polarity: 'same',
  differences: [],
  resolution: { compatible: true, reason: '', auditReasons: [] },
  resolutionEquivalence: 'verified',
  override: null,
  ...more,
})

type Levels = readonly (readonly [cents: number, contracts: number])[]

export class RouterScene {
  readonly markets = new Map<string, Market>()
  cluster: StoredCluster | null = null
  relations: Relation[] = []
  structures: StructureRow[] = []
  private readonly books = new Map<string, { bids: Levels; asks: Levels; ageMs: number }>()

  list(venue: string, marketId: string, more: Partial<Market> = {}): void {
    this.markets.set(`${venue}:${marketId}`, market(venue, marketId, more))
  }

  book(outcomeId: string, sides: { bids?: Levels; asks?: Levels; ageMs?: number }): void {
    this.books.set(outcomeId, { bids: [], asks: [], ageMs: 0, ...sides })
  }

  lose(outcomeId: string): void {
    this.books.delete(outcomeId)
  }

  deps(pool: Pool, executions: ExecutionsDeps): RouterDeps {
    const offers = (levels: Levels) => levels.map(([cents, size]) => ({ micros: cents * 10_000, units: size * 100 }))
    return {
      clusters: {
        findCluster: async (id) => (this.cluster?.clusterId === id ? this.cluster : null),
        findClusterOf: async (venue, marketId) =>
          this.cluster?.members.some((member) => member.venue === venue && member.marketId === marketId) === true
            ? this.cluster
            : null,
      },
      findRelations: async () => ({ relations: this.relations }),
      findMarkets: async (wanted) =>
        new Map(
          wanted.flatMap(({ venue, marketId }) => {
            const found = this.markets.get(`${venue}:${marketId}`)
            return found === undefined ? [] : [[`${venue}:${marketId}`, found] as const]
          }),
        ),
      venueOf: () => ({
        synthetic: false,
        data: {
          bookRef: (outcomeId) => ({ bookId: outcomeId, complement: false }),
          feeModel: () => ({ fee: { kind: 'none' }, settlementFee: { kind: 'none' } }),
          orderSizes: () => ({ step: 1, minimum: 1 }),
        },
      }),
      books: {
        read: async (wanted) =>
          wanted.map(({ bookId }) => {
            const book = this.books.get(bookId)
            if (book === undefined) return null
            const confirmedAt = executions.clock.now() - book.ageMs
            return { bids: offers(book.bids), asks: offers(book.asks), confirmedAt }
          }),
      },
      structures: {
        state: () => ({ rows: this.structures, computedAt: 0, counts: {} as never }),
      },
      executions,
      store: createRouterStore(pool),
      cursors: createCursorCodec(Buffer.alloc(32, 15)),
    }
  }
}

export const postRouter = ({ world }: ExecutionWorld, path: string, body: object, key: string): Promise<Reply> =>
  world.post(`/v1/router/${path}`, body, { headers: { 'idempotency-key': key } })

/** As the venue would report it. */
export async function reportFill(
  pool: Pool,
  executionId: string,
  { status, size, price, fee = '0' }: { status: string; size: string; price: string; fee?: string },
): Promise<void> {
  await pool.query('UPDATE executions SET status = $2, matched_size = $3 WHERE id = $1', [executionId, status, size])
  if (Number(size) === 0) return
  await pool.query(
    `INSERT INTO execution_fills (execution_id, account_id, venue, venue_key, fill, filled_at)
     SELECT id, account_id, venue, 'f', $2, now() FROM executions WHERE id = $1`,
    [executionId, JSON.stringify({ size, cash: String((Number(size) * Number(price)).toFixed(6)), fee })],
  )
}

export const novigMarket = ['novig', 'a'] as const
export const kalshiMarket = ['kalshi', 'b'] as const
export const geminiMarket = ['gemini', 'c'] as const

/** Two verified markets of opposite questions, and a third that is not verified. */
export function equalScene(): RouterScene {
  const scene = new RouterScene()
  for (const [venue, marketId] of [novigMarket, kalshiMarket, geminiMarket]) scene.list(venue, marketId)
  scene.cluster = {
    clusterId: 'cluster',
    question: 'Will it?',
    members: [
      { venue: 'novig', marketId: 'a', polarity: 'same' },
      { venue: 'kalshi', marketId: 'b', polarity: 'inverse' },
      { venue: 'gemini', marketId: 'c', polarity: 'same' },
    ],
    pairs: [
      pair(novigMarket, kalshiMarket, { polarity: 'inverse' }),
      pair(novigMarket, geminiMarket, { band: 'minor', resolutionEquivalence: 'unverified' }),
    ],
  }
  scene.book('a-Yes', { asks: [[40, 30]], bids: [[38, 50]] })
  // The NO of the opposite question is the same answer.
  scene.book('b-No', { asks: [[42, 100]], bids: [[37, 50]] })
  scene.book('a-No', { asks: [[57, 100]] })
  scene.book('b-Yes', { asks: [[55, 20]] })
  return scene
}

/** Lanes at two of the three venues. */
export const routedOptions = (scene: RouterScene, pg: { readonly pool: Pool }) => ({
  lanes: [routedLane('novig'), routedLane('kalshi')],
  router: (executions: ExecutionsDeps) => scene.deps(pg.pool, executions),
})

interface RoutedLegs {
  json: { data: { legs: { venue: string; outcomeId: string; size: string }[] } }
}

export const legsOf = ({ json }: RoutedLegs) =>
  json.data.legs.map(({ venue, outcomeId, size }) => [venue, outcomeId, size])
