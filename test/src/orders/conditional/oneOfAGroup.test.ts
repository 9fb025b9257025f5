// Fault 26: both orders of a group trigger at the same moment, in two processes, on real PostgreSQL. However the two race, one of the
// group is sent and fires, and the other is superseded and loses its artifact. Every group gets a winner.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { openConditionalOrders } from '#test/support/conditional/book'
import { armMany, createProcess, type Planned, plan, retryUntilAvailable } from '#test/support/conditional/manyOrders'
import { withPostgres } from '#test/support/postgres'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const groups = long ? 100_000 : 60
const groupsAtOnce = Math.min(groups, 1_000)

const pg = withPostgres({ pool: { statementTimeoutMs: 60_000 } })

it(
  `${groups} groups: one winner each`,
  async () => {
    const book = await openConditionalOrders(pg.pool)
    const processes = [createProcess(pg.url, book, 12), createProcess(pg.url, book, 12)]
    try {
      for (let done = 0; done < groups; done += groupsAtOnce) {
        const pairs = Array.from({ length: groupsAtOnce }, (): [Planned, Planned] => {
          const ocoGroupId = randomUUID()
          return [plan({ ocoGroupId }), plan({ ocoGroupId })]
        })
        const batch = pairs.flat()
        await armMany(pg.pool, book, batch)
        // For these the venue rejects one order; the other one must win.
        const rejected = new Set(pairs.flatMap(([a], i) => ((done + i) % 10 === 0 ? [a.executionId] : [])))

        const responseOf = (executionId: string) => (rejected.has(executionId) ? 'rejects' : 'accepts')

        const triggered = await Promise.all(
          processes.map(async ({ triggerAndFire, triggerEachAndFire, fireDue }, which) => {
            let moved = 0
            // Both processes trigger all orders, from opposite ends.
            for (let at = 0; at < pairs.length; at += 50) {
              const part = (which === 0 ? pairs : pairs.toReversed()).slice(at, at + 50)
              const ids = part.flat().map(({ id }) => id)
              // Some by themselves.
              const first = ids.slice(0, 20)
              moved += await triggerEachAndFire(which === 0 ? first : first.toReversed(), responseOf)
              moved += await retryUntilAvailable(() => triggerAndFire(which === 0 ? ids : ids.toReversed(), responseOf))
              await fireDue(40, responseOf)
            }
            return moved
          }),
        )
        expect(triggered[0]! + triggered[1]!).toBeLessThanOrEqual(2 * pairs.length)
        // Until none is about to fire; interrupted attempts are retried.
        for (;;) {
          await Promise.all(processes.map(({ fireDue }) => fireDue(100, responseOf)))
          const left = await pg.pool.query(
            `SELECT FROM conditional_orders WHERE id = ANY ($1) AND status IN ('armed', 'triggered', 'firing') LIMIT 1`,
            [batch.map(({ id }) => id)],
          )
          if (left.rowCount === 0) break
        }

        const { rows } = await pg.pool.query<Record<string, number>>(
          `WITH g AS (
             SELECT oco_group_id, count(*) FILTER (WHERE c.status = 'fired') AS fired,
               count(*) FILTER (WHERE c.status = 'superseded') AS superseded, count(*) FILTER (WHERE c.status = 'fire_failed') AS failed,
               count(*) FILTER (WHERE c.sealed IS NOT NULL) AS sealed, count(*) FILTER (WHERE e.status = 'acked') AS placed,
               count(*) FILTER (WHERE c.status = 'fired' AND e.status = 'acked' AND c.id = o.winner_id) AS right_one,
               (SELECT count(*) FILTER (WHERE a.event = 'submit') - count(*) FILTER (WHERE a.event = 'refused')
                FROM execution_audit a WHERE a.execution_id = ANY (array_agg(e.id))) AS sent
             FROM conditional_orders c JOIN executions e ON e.id = c.execution_id
               JOIN oco_groups o ON o.account_id = c.account_id AND o.id = c.oco_group_id
             WHERE c.id = ANY ($1) GROUP BY oco_group_id
           )
           SELECT count(*)::int AS groups, count(*) FILTER (WHERE fired = 1)::int AS decided,
             count(*) FILTER (WHERE fired + superseded + failed = 2)::int AS ended, sum(sealed)::int AS sealed, sum(placed)::int AS placed,
             sum(right_one)::int AS right_ones, count(*) FILTER (WHERE sent <> fired + failed)::int AS sent_twice,
             sum(failed)::int AS failed FROM g`,
          [batch.map(({ id }) => id)],
        )
        const { failed, ...counts } = rows[0]!
        expect(counts).toEqual({
          groups: pairs.length,
          decided: pairs.length,
          ended: pairs.length,
          sealed: 0,
          placed: pairs.length,
          right_ones: pairs.length,
          sent_twice: 0,
        })
        expect(failed).toBeLessThanOrEqual(rejected.size)
      }
    } finally {
      await Promise.all(processes.map(({ close }) => close()))
    }
  },
  long ? 1_800_000 : 60_000,
)
