// Stands in for a run of the matcher: every question of the lab that both venues list in the same words becomes a verified pair.
import { silentLog } from '#lib/log'
import { createPool } from '#storage/postgres/pool'

/** Returns the cluster ids; asked before both catalogs are there, it returns none and may be called again. */
export async function storeMatches(databaseUrl: string): Promise<string[]> {
  const pool = createPool({ url: databaseUrl, log: silentLog })
  try {
    const { rows } = await pool.query<{ a: string; b: string; title: string }>(
      `SELECT k.id AS a, p.id AS b, k.doc->>'title' AS title
       FROM catalog_markets k JOIN catalog_markets p ON p.doc->>'title' = k.doc->>'title'
       WHERE k.venue = 'kalshi' AND p.venue = 'polymarket' AND k.doc->>'status' = 'active' AND p.doc->>'status' = 'active'
       ORDER BY k.id`,
    )
    for (const { a, b, title } of rows) {
      const id = `lab-${a}`
      await pool.query('INSERT INTO match_clusters (id, question, digest) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
        id,
        title,
        Buffer.alloc(1),
      ])
      await pool.query(
        `INSERT INTO match_members (venue, market_id, cluster_id, position, polarity)
         VALUES ('kalshi', $1, $3, 0, 'same'), ('polymarket', $2, $3, 1, 'same') ON CONFLICT DO NOTHING`,
        [a, b, id],
      )
      await pool.query(
        `INSERT INTO match_pairs (a_venue, a_market_id, b_venue, b_market_id, cluster_id, score, band, polarity, relation,
           differences, resolution, resolution_equivalence, digest)
         VALUES ('kalshi', $1, 'polymarket', $2, $3, 100, 'verified', 'same', 'identity', '[]',
           '{"compatible":true,"reason":"the same words","auditReasons":[]}', 'verified', $4) ON CONFLICT DO NOTHING`,
        [a, b, id, Buffer.alloc(1)],
      )
    }
    if (rows.length > 0) {
      await pool.query(
        `INSERT INTO match_state (run_id, override_id, finished_at) VALUES (1, 0, now())
         ON CONFLICT (only_row) DO UPDATE SET run_id = match_state.run_id + 1`,
      )
    }
    return rows.map(({ a }) => `lab-${a}`)
  } finally {
    await pool.end()
  }
}
