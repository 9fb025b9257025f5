// Hosted orders that trigger in a process that fires orders, and every row written for them.

import { ManualClock } from '#core/clock'
import { createEarlyAttempts } from '#orders/conditional/earlyAttempts'
import type { FireResult } from '#orders/conditional/submitTriggered'
import { executionSuite } from '#test/support/execution/suite'
import type { ExecutionStore } from '#test/support/execution/world'
import type { ExecutionAdapter } from '#venues/lane'
import { noon } from './book.ts'
import { signedLane } from './signedLane.ts'
import { openSubmitFixture } from './submitFixture.ts'

const owner = '5e1f0000-0000-4000-8000-000000000000'
export const lease = { owner, leaseMs: 60_000, limit: 1, at: noon }
export const evidence = { book: 1 }

export interface Order {
  id: string
  executionId: string
  /** The venue's order id. */
  order: string
}

/** With one database for the file, like `executionSuite`. */
export function triggerScenes() {
  const { pg, worldOf } = executionSuite()

  async function scene({
    over = {},
    onRelay,
    wrap,
  }: {
    over?: Partial<ExecutionAdapter['submit']>
    onRelay?: () => Promise<void>
    wrap?: (store: ExecutionStore) => ExecutionStore
  } = {}) {
    const clock = new ManualClock(noon.getTime())
    const lane = signedLane()
    const { relay } = lane.submit!
    const submit: ExecutionAdapter['submit'] = {
      ...lane.submit!,
      async relay(...given) {
        await onRelay?.()
        return relay(...given)
      },
      ...over,
    }
    const world = await worldOf({ clock, lanes: [{ ...lane, submit }], wrap })
    const fixture = await openSubmitFixture(pg.pool, world)
    /** For each order that was leased with its trigger. */
    const claimedEarly: boolean[] = []
    /** Null: it was not leased with its trigger. `isEarly`: it may also be claimed with its trigger. */
    const triggerAndFire = async (
      { id }: { id: string },
      { isEarly = true }: { isEarly?: boolean } = {},
    ): Promise<FireResult | null> => {
      const attempts = createEarlyAttempts(fixture.deps)
      const prepare = isEarly ? attempts.prepare : undefined
      const given = { at: noon, claim: lease, prepare, isRecalled: () => false, late: () => undefined }
      const { turns } = (await fixture.book.store.triggerUnlessRecalled([{ id, evidence }], given))!
      const [turn] = turns
      if (turn === undefined) return null
      claimedEarly.push(turn.claimed !== null)
      return attempts.fire(turn)
    }
    return { ...fixture, clock, world, venue: world.venue, claimedEarly, triggerAndFire }
  }

  /** All rows of an order and its execution, in the order they were written. */
  async function rowsOf({ id, executionId }: Order): Promise<Record<string, unknown[]>> {
    const of = async (sql: string): Promise<unknown[]> =>
      (await pg.pool.query<{ row: unknown }>(sql, sql.includes('$2') ? [id, executionId] : [id])).rows.map(
        ({ row }) => row,
      )
    return {
      order: await of(
        `SELECT to_jsonb(c) - '{seq,changed_in,leased_until}'::text[] || jsonb_build_object('leased', leased_until > now()) AS row
         FROM conditional_orders c WHERE id = $1`,
      ),
      events: await of(
        `SELECT to_jsonb(e) - 'id' AS row FROM conditional_events e WHERE conditional_id = $1 ORDER BY e.id`,
      ),
      groups: await of(
        `SELECT to_jsonb(g) AS row FROM oco_groups g JOIN conditional_orders c ON c.oco_group_id = g.id WHERE c.id = $1`,
      ),
      executions: await of(
        `SELECT to_jsonb(e) - '{seq,unsigned_sha256}'::text[] AS row FROM executions e WHERE $1::uuid IS NOT NULL AND e.id = $2`,
      ),
      keys: await of(
        `SELECT to_jsonb(k) - 'body_sha256' AS row FROM execution_keys k WHERE $1::uuid IS NOT NULL AND execution_id = $2 AND kind = 'submit' ORDER BY key`,
      ),
      audit: await of(
        `SELECT to_jsonb(a) - 'id' AS row FROM execution_audit a WHERE $1::uuid IS NOT NULL AND execution_id = $2 ORDER BY a.id`,
      ),
      outbox: await of(
        `SELECT to_jsonb(o) - 'id' AS row FROM outbox o WHERE payload->>'conditionalId' = $1::text OR payload->>'executionId' = $2::text
         ORDER BY o.id`,
      ),
    }
  }

  return { pg, scene, rowsOf }
}
