// The matcher's stored result in PostgreSQL.
import { Fault } from '#core/fault'
import type { Market } from '#schemas/market'
import { findMarketsByIds } from '#storage/postgres/catalog/findMarketsByIds'
import {
  findCluster,
  findClusterOf,
  findMatchState,
  findPairs,
  matchOfRow,
  type PricedPairRow,
} from '#storage/postgres/matching/index'
import { asUnavailable, type Pool } from '#storage/postgres/pool'
import type { Matches, MatchQuery, MatchState, ScoredPair } from './matches.ts'

/** The catalog's search by title as a tsquery; empty when the text has no words. */
type TitleQuery = (pool: Pool, query: string) => Promise<string>

export function createPostgresMatches(pool: Pool, titleQuery: TitleQuery): Matches {
  const read = <T>(work: Promise<T>): Promise<T> => asUnavailable('MATCHES_UNAVAILABLE', work)

  async function state(): Promise<MatchState> {
    const found = await read(findMatchState(pool))
    if (found === null)
      throw new Fault('MATCHES_UNAVAILABLE', 'the matcher has not finished its first run yet', { retryAfterSeconds: 5 })
    return { runId: found.runId, finishedAt: found.finishedAt.getTime() }
  }

  async function find({ query, category, minConfidence, ...rest }: MatchQuery): Promise<ScoredPair[]> {
    const title = query === undefined ? undefined : await titleQuery(pool, query)
    const texts = [...(rest.of ?? []).map(({ marketId }) => marketId), category ?? '']
    // A query without words matches nothing, and so does text PostgreSQL cannot store.
    if (title === '' || rest.of?.length === 0 || texts.some((text) => text.includes('\0'))) return []
    const rows = await findPairs(pool, {
      ...rest,
      minScore: minConfidence * 100,
      ...(title === undefined ? {} : { titleQuery: title }),
      ...(category === undefined ? {} : { category: category.trim().toLowerCase() }),
    })
    const markets = new Map<string, Market>()
    const refs = rows.flatMap(({ a_venue, a_market_id, b_venue, b_market_id }) => [
      { venue: a_venue, marketId: a_market_id },
      { venue: b_venue, marketId: b_market_id },
    ])
    const requested = [...new Map(refs.map((ref) => [`${ref.venue}:${ref.marketId}`, ref])).values()]
    for (const { venue, id, doc } of await findMarketsByIds<Market>(pool, requested)) markets.set(`${venue}:${id}`, doc)
    return rows.flatMap((row) => foundOf(row, markets) ?? [])
  }

  return {
    state,
    find: (query) => read(find(query)),
    findCluster: (clusterId) => read(findCluster(pool, clusterId)),
    findClusterOf: (venue, marketId) => read(findClusterOf(pool, venue, marketId)),
  }
}

/** Null when a market left the catalog between the two reads. */
function foundOf(row: PricedPairRow, markets: ReadonlyMap<string, Market>): ScoredPair | null {
  const a = markets.get(`${row.a_venue}:${row.a_market_id}`)
  const b = markets.get(`${row.b_venue}:${row.b_market_id}`)
  if (a === undefined || b === undefined) return null
  return {
    match: { ...matchOfRow(row), relation: row.relation },
    clusterId: row.cluster_id,
    a,
    b,
    aPrice: row.a_price,
    bPrice: row.b_price,
    difference: row.difference === null ? null : Math.round(row.difference * 1e6) / 1e6,
  }
}
