// All stored relations between markets, as of one run.
import type { Relation } from '#arbitrage/structures/input'
import { type RelationPage, readRelationPages } from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import { pairRelation } from './pairRelation.ts'

export interface ReadRelations {
  /** Null before the first run. */
  runId: string | null
  /** Between `<venue>:<marketId>`s; forbidden pairs and those from which nothing follows are left out. */
  relations: Relation[]
}

/** Pages of one snapshot: the event loop is never blocked for long. */
export async function readRelations(pool: Pool): Promise<ReadRelations> {
  const relations: Relation[] = []
  const runId = await readRelationPages<Relation>(pool, ({ pairs, events }: RelationPage<Relation>) => {
    for (const pair of pairs) {
      const relation = pairRelation(pair)
      if (relation !== null) relations.push(relation)
    }
    relations.push(...events)
  })
  return { runId, relations }
}
