// Processes that work algorithms are killed with -9 at every statement, `BEGIN` and `COMMIT` included, and around each relay: every slice is one
// execution, which is sent once at most, and no more than the size is ordered.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { DoomedAlgorithms } from '#test/support/algorithms/killedAlgorithms.main'
import { noon, openAlgorithmWorld } from '#test/support/algorithms/world'
import { withPostgres } from '#test/support/postgres'
import type { RelayOutcome } from '#venues/lane'

const pg = withPostgres()
const main = fileURLToPath(new URL('../../../support/algorithms/killedAlgorithms.main.ts', import.meta.url))
const long = process.env.CROSSBOOK_TEST_LONG === '1'
/** Further than the last place. */
const placesMax = 160
/** Every place, or every second one. */
const stops = Array.from({ length: long ? placesMax : placesMax / 2 }, (_, i) => (long ? 1 + i : 1 + 2 * i))
/** Tasks of one process. */
const tasks = 20
const size = 5

async function killAmid(work: DoomedAlgorithms): Promise<(string | null)[]> {
  const child = spawn(process.execPath, [main], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  try {
    child.stdin.write(`${JSON.stringify(work)}\n`)
    for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as (string | null)[]
    throw new Error('the process ended early')
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}

it('sends each slice once, and never more than the size', async () => {
  await pg.pool.query('CREATE TABLE test_relays (id text NOT NULL, size numeric NOT NULL)')
  const relayOrder = async (order: { id: string; size: string }): Promise<RelayOutcome> => {
    const { id, size: matchedSize } = order
    await pg.pool.query('INSERT INTO test_relays (id, size) VALUES ($1, $2)', [id, matchedSize])
    return { kind: 'accepted', venueRef: id, status: 'filled', fills: [], matchedSize }
  }
  const world = await openAlgorithmWorld(pg.pool, { isPaper: true, relayOrder })
  try {
    for (const _ of stops) {
      // Each in an account of its own: a build waits for another one of the same account, which may be blocked.
      await world.actAsPaper()
      await world.created({ mode: 'hosted' })
    }
    const places: (string | null)[] = []
    for (let from = 0; from < stops.length; from += tasks) {
      const stopAt = stops.slice(from, from + tasks)
      places.push(...(await killAmid({ databaseUrl: pg.url, nowMs: noon.getTime(), stopAt })))
    }
    // The last tasks ended before their place, so every place was met.
    expect(places.filter((place) => place !== null).length).toBeGreaterThan(stops.length / 3)
    expect(places.some((place) => place?.endsWith(' relay'))).toBe(true)
    expect(places.at(-1)).toBeNull()
    // As a read of the venue would show them.
    await pg.pool.query(
      `UPDATE executions e SET status = CASE WHEN r.id IS NULL THEN 'failed' ELSE 'filled' END, matched_size = r.size
       FROM executions x LEFT JOIN test_relays r ON r.id = x.client_ref WHERE x.id = e.id AND e.status = 'submitted'`,
    )
    await pg.pool.query('UPDATE execution_algorithms SET leased_until = NULL')
    for (let rounds = 0; rounds < 20; rounds++) {
      const { rows } = await pg.pool.query("SELECT FROM execution_algorithms WHERE status IN ('running', 'ending')")
      if (rows.length === 0) break
      world.clock.advance(5_000)
      await world.settleAll()
    }
    const { rows } = await pg.pool.query<{
      status: string
      filled: string
      sent: string
      executions: number
      slices: number
    }>(
      `SELECT a.status, trim_scale(a.filled_size)::text AS filled, trim_scale(sum(r.size))::text AS sent,
         count(DISTINCT e.id)::integer AS executions, count(DISTINCT s.number)::integer AS slices
       FROM execution_algorithms a JOIN execution_algorithm_slices s ON s.algorithm_id = a.id
       LEFT JOIN executions e ON e.account_id = a.account_id AND e.id = s.execution_id
       LEFT JOIN test_relays r ON r.id = e.client_ref GROUP BY a.id`,
    )
    expect(rows).toHaveLength(stops.length)
    for (const { status, filled, sent, executions, slices } of rows) {
      expect([status, filled, sent]).toEqual(['completed', String(size), String(size)])
      expect(executions).toBe(slices)
    }
    const { rows: twice } = await pg.pool.query('SELECT id FROM test_relays GROUP BY id HAVING count(*) > 1')
    expect(twice).toEqual([])
    const { rows: stray } = await pg.pool.query(
      `SELECT FROM executions e WHERE NOT EXISTS (SELECT FROM execution_algorithm_slices s WHERE s.execution_id = e.id)`,
    )
    expect(stray).toEqual([])
  } finally {
    await world.close()
  }
}, 300_000)
