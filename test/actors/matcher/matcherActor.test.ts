import { describe, expect, test } from 'vitest'
import { systemClock } from '#lib/clock'
import { findClusters } from '#storage/postgres/matching/index'
import { startMatchEngine } from '#workers/matchEngine'
import { insertRun } from '#storage/postgres/runLog'
import { withPostgres } from '#test/support/postgres'
import { MatcherRuns } from '#actors/matcher/matcherRuns'
import { walkLabCatalogs } from './labCatalogs.ts'

describe('lab', () => {
  const postgres = withPostgres()
  test('shows', async () => {
    await walkLabCatalogs(postgres.pool)
    const engine = startMatchEngine()
    const runs = new MatcherRuns({ pool: postgres.pool, engine, venues: ['polymarket', 'kalshi'], clock: systemClock })
    const row = await runs.run(await insertRun(postgres.pool, 'matcher.run', systemClock.now()), systemClock.now())
    console.log(row)
    const found = await findClusters(postgres.pool)
    for (const c of found.clusters) console.log(c.clusterId, c.question, c.members.map((m) => m.marketId).join(' '), JSON.stringify(c.pairs.map((p) => [p.score, p.band, p.polarity, p.relation, p.resolutionEquivalence, p.differences])))
    const { rows } = await postgres.pool.query('select a_market_id, b_market_id, score, band, relation, differences from match_pairs where cluster_id is null limit 30')
    for (const r of rows) console.log(JSON.stringify(r))
    await engine.stop()
    expect(1).toBe(1)
  })
})
