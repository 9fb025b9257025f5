// Relations of one run in pages of one snapshot: of pairs across venues, and within events.
import type { MatchBand, MatchRelation } from '#schemas/matches'
import { inTransaction, isStillResting, type Pool } from '../pool.ts'
import { latestRunId } from './latestRunId.ts'

const rowsPerPage = 1_000

export interface RelationPairRow {
  /** `<venue>:<marketId>` */
  a: string
  b: string
  relation: MatchRelation
  relation_band: MatchBand | null
  polarity: 'same' | 'inverse'
}

export interface RelationPage<Stored> {
  pairs: RelationPairRow[]
  /** As written. */
  events: Stored[]
}

type PairKey = [aVenue: string, aMarket: string, bVenue: string, bMarket: string]

/** Returns the run they belong to, null before the first. */
export async function readRelationPages<Stored>(
  pool: Pool,
  take: (page: RelationPage<Stored>) => void,
): Promise<string | null> {
  return inTransaction(
    pool,
    async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const runId = await latestRunId(client)
      for (let after: PairKey | null = ['', '', '', '']; after !== null; ) {
        const { rows }: { rows: (RelationPairRow & { key: PairKey })[] } = await client.query(
          `SELECT a_venue || ':' || a_market_id AS a, b_venue || ':' || b_market_id AS b, relation, relation_band, polarity,
             ARRAY[a_venue, a_market_id, b_venue, b_market_id] AS key
           FROM match_pairs
           WHERE (a_venue, a_market_id, b_venue, b_market_id) > ($1, $2, $3, $4)
             AND relation_band IS NOT NULL AND override IS DISTINCT FROM 'forbidden'
           ORDER BY a_venue, a_market_id, b_venue, b_market_id LIMIT $5`,
          [...after, rowsPerPage],
        )
        take({ pairs: rows.map(({ key: _, ...row }) => row), events: [] })
        after = rows.length < rowsPerPage ? null : rows.at(-1)!.key
      }
      for (let after: string | null = ''; after !== null; ) {
        const { rows }: { rows: { id: string; relation: Stored }[] } = await client.query(
          'SELECT id, relation FROM match_event_relations WHERE id > $1 ORDER BY id LIMIT $2',
          [after, rowsPerPage],
        )
        take({ pairs: [], events: rows.map(({ relation }) => relation) })
        after = rows.length < rowsPerPage ? null : rows.at(-1)!.id
      }
      return runId
    },
    { settings: isStillResting },
  )
}
