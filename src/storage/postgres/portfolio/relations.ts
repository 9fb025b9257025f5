// The matcher's relations around some markets, of one run: those of the markets themselves, and those of other markets that may connect them.
import type { RelationPairRow } from '../matching/readRelations.ts'
import { inTransaction, type Pool, type Queryable } from '../pool.ts'

export interface MarketRef {
  venue: string
  marketId: string
}

export interface RelationsAround<Stored> {
  pairs: RelationPairRow[]
  /** As written. */
  events: Stored[]
  /** There are more than were read. */
  isCut: boolean
}

/** Rows of one statement. */
const relationRowsMax = 3_000
/** Markets that are not among the given ones. */
const connectingMarketsMax = 4_000

const statementTimeoutMs = 1_500

/**
 * Null before the first run. In three steps: the pairs and the events of the given markets; the events of the markets these pairs lead to; the
 * pairs between any markets seen by then. Forbidden pairs are left out.
 */
export async function findRelationsAround<Stored>(
  pool: Pool,
  markets: readonly MarketRef[],
  rowsMax = relationRowsMax,
): Promise<RelationsAround<Stored> | null> {
  return inTransaction(
    pool,
    async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const { rows: runs } = await client.query('SELECT 1 FROM match_state')
      if (runs.length === 0) return null
      const own = await findPairs(client, pairsTouching, markets, rowsMax)
      const ownEvents = await findEvents<Stored>(client, markets, rowsMax)
      const given = new Set(markets.map(keyOf))
      const paired = own.found.flatMap(({ ends }) => ends).filter((market) => !given.has(keyOf(market)))
      const nearEvents = await findEvents<Stored>(client, unique(paired).slice(0, connectingMarketsMax), rowsMax)
      const listed = [...ownEvents.found, ...nearEvents.found].flatMap(({ markets: members }) => members)
      const near = unique([...paired, ...listed]).filter((market) => !given.has(keyOf(market)))
      const between = await findPairs(client, pairsBetween, near.slice(0, connectingMarketsMax), rowsMax)
      return {
        pairs: [...own.found, ...between.found].map(({ row }) => row),
        events: [
          ...new Map([...ownEvents.found, ...nearEvents.found].map(({ id, relation }) => [id, relation])).values(),
        ],
        isCut: [own, ownEvents, nearEvents, between].some(({ isCut }) => isCut) || near.length > connectingMarketsMax,
      }
    },
    { statementTimeoutMs },
  )
}

const keyOf = ({ venue, marketId }: MarketRef): string => `${venue}:${marketId}`

const unique = (markets: readonly MarketRef[]): MarketRef[] => [
  ...new Map(markets.map((market) => [keyOf(market), market])).values(),
]

const given = 'unnest($1::text[], $2::text[])'
const columns = 'a_venue, a_market_id, b_venue, b_market_id, relation, relation_band, polarity, override'

const pairsTouching = `
  SELECT ${columns} FROM ${given} AS q(venue, id) JOIN match_pairs ON a_venue = q.venue AND a_market_id = q.id
  UNION
  SELECT ${columns} FROM ${given} AS q(venue, id) JOIN match_pairs ON b_venue = q.venue AND b_market_id = q.id`

const pairsBetween = `
  SELECT ${columns} FROM match_pairs
  WHERE (a_venue, a_market_id) IN (SELECT * FROM ${given}) AND (b_venue, b_market_id) IN (SELECT * FROM ${given})`

interface StoredEnds extends RelationPairRow {
  a_venue: string
  a_market_id: string
  b_venue: string
  b_market_id: string
}

interface Found<T> {
  found: T[]
  isCut: boolean
}

/** Verified ones first. */
async function findPairs(
  db: Queryable,
  selected: string,
  markets: readonly MarketRef[],
  rowsMax: number,
): Promise<Found<{ row: RelationPairRow; ends: MarketRef[] }>> {
  if (markets.length === 0) return { found: [], isCut: false }
  const { rows } = await db.query<StoredEnds>(
    `SELECT a_venue, a_market_id, b_venue, b_market_id, a_venue || ':' || a_market_id AS a, b_venue || ':' || b_market_id AS b,
       relation, relation_band, polarity
     FROM (${selected}) p
     WHERE relation_band IN ('verified', 'minor') AND override IS DISTINCT FROM 'forbidden'
     ORDER BY relation_band DESC, a_venue, a_market_id, b_venue, b_market_id LIMIT $3`,
    [...arraysOf(markets), rowsMax + 1],
  )
  const found = rows.slice(0, rowsMax).map(({ a_venue, a_market_id, b_venue, b_market_id, ...row }) => ({
    row,
    ends: [
      { venue: a_venue, marketId: a_market_id },
      { venue: b_venue, marketId: b_market_id },
    ],
  }))
  return { found, isCut: rows.length > rowsMax }
}

/** Of the events of these markets, verified ones first. */
async function findEvents<Stored>(
  db: Queryable,
  markets: readonly MarketRef[],
  rowsMax: number,
): Promise<Found<{ id: string; relation: Stored; markets: MarketRef[] }>> {
  if (markets.length === 0) return { found: [], isCut: false }
  const { rows } = await db.query<{ id: string; venue: string; relation: Stored }>(
    `SELECT r.id, r.venue, r.relation
     FROM (
       SELECT DISTINCT m.venue, m.event_id FROM ${given} AS q(venue, id)
       JOIN catalog_markets m ON m.venue = q.venue AND m.id = q.id WHERE m.event_id IS NOT NULL) e
     JOIN match_event_relations r ON r.venue = e.venue AND r.event_id = e.event_id
     WHERE r.relation->>'band' IN ('verified', 'minor')
     ORDER BY r.relation->>'band' DESC, r.id LIMIT $3`,
    [...arraysOf(markets), rowsMax + 1],
  )
  const found = rows.slice(0, rowsMax).map(({ id, venue, relation }) => ({
    id,
    relation,
    markets: namesIn(relation).map((key) => ({ venue, marketId: key.slice(venue.length + 1) })),
  }))
  return { found, isCut: rows.length > rowsMax }
}

/** The `<venue>:<marketId>`s of a stored relation: of its two sides, or of its members. */
function namesIn(relation: unknown): string[] {
  const { a, b, members } = relation as { a?: string; b?: string; members?: { market: string }[] }
  return [...(members ?? []).map(({ market }) => market), a, b].filter((key) => key !== undefined)
}

const arraysOf = (markets: readonly MarketRef[]): [venues: string[], ids: string[]] => [
  markets.map(({ venue }) => venue),
  markets.map(({ marketId }) => marketId),
]
