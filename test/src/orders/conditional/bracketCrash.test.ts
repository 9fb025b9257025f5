// Processes that arm brackets are killed with -9 at every statement, `BEGIN` and `COMMIT` included: each exit is built and armed exactly once.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { armExits } from '#orders/conditional/index'
import { evening, noon } from '#test/support/conditional/book'
import type { DoomedBrackets } from '#test/support/conditional/killedBrackets.main'
import { openConditionalWorld } from '#test/support/conditional/world'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const main = fileURLToPath(new URL('../../../support/conditional/killedBrackets.main.ts', import.meta.url))
const long = process.env.CROSSBOOK_TEST_LONG === '1'
/** Further than the last place. */
const placesMax = 80
/** Every place, or every second one. */
const stops = Array.from({ length: long ? placesMax : placesMax / 2 }, (_, i) => (long ? 1 + i : 1 + 2 * i))
/** Tasks of one process. */
const tasks = 20

async function killAmid(work: DoomedBrackets): Promise<(string | null)[]> {
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

it('arms each exit exactly once, of the filled size', async () => {
  const world = await openConditionalWorld(pg.pool)
  try {
    const entries: string[] = []
    for (const _ of stops) {
      // An account of its own: a build waits for another one of the same account, which may be blocked.
      world.actAs(await world.newAccount())
      const entryExecutionId = await world.built()
      entries.push(entryExecutionId)
      const body = {
        entryExecutionId,
        expiresAt: evening.toISOString(),
        takeProfit: { trigger: { price: 0.7 }, build: { sell: true } },
        stopLoss: { trigger: { price: 0.3 }, build: { sell: true } },
      }
      const headers = { 'idempotency-key': randomUUID() }
      const reply = await world.world.post('/v1/exec/conditional/bracket', body, { headers })
      expect(reply.status, reply.text).toBe(200)
    }
    await pg.pool.query("UPDATE executions SET status = 'canceled', matched_size = 3 WHERE id = ANY ($1)", [entries])
    const places: (string | null)[] = []
    for (let from = 0; from < stops.length; from += tasks) {
      const stopAt = stops.slice(from, from + tasks)
      places.push(...(await killAmid({ databaseUrl: pg.url, nowMs: noon.getTime(), stopAt })))
    }
    // The last tasks ended before their place, so every place was met.
    expect(places.filter((place) => place !== null).length).toBeGreaterThan(stops.length / 3)
    expect(places.at(-1)).toBeNull()
    await pg.pool.query("UPDATE brackets SET leased_until = now() WHERE status = 'arming'")
    const options = { blocks: () => false, signal: new AbortController().signal }
    for (;;) {
      const rows = await world.brackets.store.takeDue({ limit: 100, leaseMs: 60_000, at: noon })
      if (rows.length === 0) break
      for (const row of rows) expect(await armExits(world.brackets, row, options)).toBe('armed')
    }
    const { rows: brackets } = await pg.pool.query<{ id: string; status: string; exits: number; sizes: string[] }>(
      `SELECT b.id, b.status, count(c.id)::integer AS exits, array_agg(e.terms->>'size') AS sizes FROM brackets b
       LEFT JOIN conditional_orders c ON c.oco_group_id = b.oco_group_id AND c.status = 'armed'
         AND c.id IN (b.take_profit_id, b.stop_loss_id)
       LEFT JOIN executions e ON e.id = c.execution_id GROUP BY b.id`,
    )
    expect(brackets).toHaveLength(stops.length)
    for (const { status, exits, sizes } of brackets) expect([status, exits, sizes]).toEqual(['armed', 2, ['3', '3']])
    const { rows } = await pg.pool.query<{ executions: number; orders: number }>(
      `SELECT (SELECT count(*)::integer FROM executions WHERE id <> ALL ($1)) AS executions,
         (SELECT count(*)::integer FROM conditional_orders) AS orders`,
      [entries],
    )
    expect(rows[0]).toEqual({ executions: 2 * stops.length, orders: 2 * stops.length })
  } finally {
    await world.close()
  }
}, 300_000)
