// A hosted order that is claimed together with its trigger (fast path) writes the same rows as the normal path; an obstacle leaves no rows.
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { prepareWithinMs, submitImmediately } from '#orders/conditional/fastPath'
import type { FireResult } from '#orders/conditional/submitTriggered'
import { insertHalt } from '#storage/postgres/halts/halts'
import { evidence, fastPathScenes, lease, type Order } from '#test/support/conditional/atOnceScene'
import { noon, sha256 } from '#test/support/conditional/book'
import { signedLane } from '#test/support/conditional/signedLane'
import type { SubmitFixture } from '#test/support/conditional/submitFixture'
import type { ExecutionAdapter } from '#venues/lane'

const { pg, scene, rowsOf } = fastPathScenes()

/** Number of transactions that wrote its events. */
async function transactions({ id, executionId }: Order): Promise<number> {
  const { rows } = await pg.pool.query<{ n: number }>(
    `SELECT count(DISTINCT xmin::text)::int AS n FROM outbox
     WHERE (payload->>'conditionalId' = $1 OR payload->>'executionId' = $2) AND payload->>'status' IN ('triggered', 'submitted')`,
    [id, executionId],
  )
  return rows[0]!.n
}

/** Replaces what differs between any two orders by fixed words. */
const named = (rows: unknown, ...names: (string | null | undefined)[]): unknown =>
  JSON.parse(names.reduce<string>((text, id, i) => (id ? text.replaceAll(id, `#${i}`) : text), JSON.stringify(rows)))

describe('an order on the fast path', () => {
  it.each([false, true])(
    'writes the same rows as on the normal path, before and after the relay, each time in one transaction (in a group: %s)',
    async (isGrouped) => {
      const before: unknown[] = []
      let current: Order | undefined
      const given = await scene({
        onRelay: async () => void before.push(named(await rowsOf(current!), ...namesOf(current!))),
      })
      const groups = new Map<string, string | null>()
      const namesOf = ({ id, executionId, order }: Order) => [id, executionId, order, groups.get(id)]
      const after: unknown[] = []
      const commits: number[] = []
      for (const way of ['normalPath', 'fastPath'] as const) {
        const ocoGroupId = isGrouped ? randomUUID() : null
        current = await given.armed({ ocoGroupId })
        groups.set(current.id, ocoGroupId)
        const sibling = isGrouped ? await given.armed({ ocoGroupId }) : null
        expect(await given[way](current)).toBe('fired')
        after.push(named(await rowsOf(current), ...namesOf(current)))
        commits.push(await transactions(current))
        if (sibling !== null) expect(await given.book.statusOf(sibling.id)).toBe('superseded')
        expect(await given.book.isSealed(current.id)).toBe(false)
      }
      expect(given.kinds).toEqual(['claimed'])
      expect(before).toHaveLength(2)
      expect(before[1]).toEqual(before[0])
      expect(after[1]).toEqual(after[0])
      expect(commits).toEqual([2, 1])
      expect(before[0]).toMatchObject({ order: [{ status: 'firing', fire_attempts: 1, leased: true }] })
      expect(given.venue.placed).toHaveLength(2)
    },
  )

  it('continues on the normal path when the venue rejects the order, limits requests or does not answer', async () => {
    const given = await scene()
    const results = []
    for (const mode of ['reject', 'limit', 'drop'] as const) {
      const order = await given.armed()
      given.venue.orderModes.set(order.order, mode)
      const result = await given.fastPath(order)
      const { status, fire_attempts: attempts } = await given.find(order.id)
      results.push([mode, result, status, attempts])
    }
    expect(results).toEqual([
      ['reject', 'fire_failed', 'fire_failed', 1],
      ['limit', 'postponed', 'firing', 1],
      ['drop', 'postponed', 'firing', 1],
    ])
    expect(given.kinds).toEqual(['claimed', 'claimed', 'claimed'])
  })
})

type Given = Awaited<ReturnType<typeof scene>>
interface Obstacle {
  why: string
  kind: string
  /** Creates the obstacle; the function it returns removes it. */
  put(given: Given, order: Order, ocoGroupId: string): Promise<unknown>
  /** Result of the normal path while the obstacle exists; default `postponed`. */
  normalPathResult?: FireResult | null
}

/** Runs a statement in an open transaction on another connection. */
async function lockInTransaction(sql: string, values: unknown[]): Promise<void> {
  const other = await pg.pool.connect()
  await other.query('BEGIN')
  await other.query(sql, values)
  onTestFinished(async () => {
    await other.query('ROLLBACK')
    other.release()
  })
}

const set =
  (sql: string) =>
  (_given: Given, { id, executionId }: Order) =>
    pg.pool.query(sql, sql.includes('executions') ? [executionId] : [id])

const obstacles: Obstacle[] = [
  {
    why: 'trading is halted',
    kind: 'halted',
    put: ({ world: { accountId } }) =>
      insertHalt(pg.pool, { accountId, venue: null, setBy: 'account', setByName: 'k', reason: 'r', at: noon }),
    // It does not trigger.
    normalPathResult: null,
  },
  {
    why: 'its key is bound',
    kind: 'taken',
    put: ({ world: { accountId } }, { id, executionId }) =>
      pg.pool.query(
        `INSERT INTO execution_keys (account_id, kind, key, body_sha256, execution_id, created_at)
         VALUES ($1, 'submit', $2, $3, $4, $5)`,
        [accountId, `cond:${id}:1`, sha256('x'), executionId, noon],
      ),
  },
  {
    why: 'another transaction holds the group',
    kind: 'not_now',
    put: (_given, _order, group) => lockInTransaction('SELECT FROM oco_groups WHERE id = $1 FOR UPDATE', [group]),
    normalPathResult: null,
  },
  {
    why: 'another order of its group is firing',
    kind: 'not_now',
    put: async ({ armed, hold, book }, _order, ocoGroupId) => {
      const { id } = await armed({ ocoGroupId })
      await book.trigger(id)
      await hold(id)
    },
    normalPathResult: null,
  },
  {
    why: 'it was superseded',
    kind: 'not_now',
    put: set(`UPDATE conditional_orders SET ${ended('superseded')}`),
    normalPathResult: null,
  },
  {
    why: 'it was canceled',
    kind: 'not_now',
    put: set(`UPDATE conditional_orders SET ${ended('canceled')}`),
    normalPathResult: null,
  },
  {
    why: 'it has expired',
    kind: 'not_now',
    put: set(`UPDATE conditional_orders SET expires_at = '${noon.toISOString()}' WHERE id = $1`),
    normalPathResult: null,
  },
  {
    why: 'it is in client mode',
    kind: 'not_now',
    put: set(
      `UPDATE conditional_orders SET fire_mode = 'client', sealed = NULL, seal_key_id = NULL, artifact_sha256 = NULL WHERE id = $1`,
    ),
    normalPathResult: null,
  },
  {
    why: 'its execution was already sent',
    kind: 'not_now',
    put: set(`UPDATE executions SET status = 'submitted' WHERE id = $1`),
  },
  {
    why: 'its execution has ended',
    kind: 'not_now',
    put: set(`UPDATE executions SET status = 'canceled' WHERE id = $1`),
    normalPathResult: 'fired',
  },
  {
    why: 'the right to submit its execution is reserved',
    kind: 'held',
    put: ({ world: { accountId } }, { executionId }) =>
      pg.pool.query(
        `INSERT INTO execution_reservations (id, execution_id, account_id, state, created_at, expires_at)
         VALUES (gen_random_uuid(), $1, $2, 'live', $3, $3::timestamptz + interval '1 minute')`,
        [executionId, accountId, noon],
      ),
  },
  {
    why: 'the spend cap has no headroom',
    kind: 'spend_cap',
    put: async ({ world: { accountId } }, { executionId }) => {
      await pg.pool.query('INSERT INTO spend_caps (scope_id, daily_usd) VALUES ($1, 0.5)', [accountId])
      await pg.pool.query('UPDATE executions SET notional_usd = 1, held_usd = 0, spend_day = NULL WHERE id = $1', [
        executionId,
      ])
    },
  },
  {
    why: 'the venue does not serve the country',
    kind: 'not_now',
    put: set(`UPDATE conditional_orders SET arm_country = 'US' WHERE id = $1`),
    normalPathResult: 'fire_failed',
  },
  {
    why: 'the deployment does not serve the country',
    kind: 'not_now',
    put: set(`UPDATE conditional_orders SET arm_country = 'CU' WHERE id = $1`),
    normalPathResult: 'fire_failed',
  },
  {
    why: 'the artifact cannot be decrypted',
    kind: 'not_now',
    put: set(`UPDATE conditional_orders SET sealed = '\\x00' WHERE id = $1`),
  },
]

function ended(status: string): string {
  return `status = '${status}', sealed = NULL, seal_key_id = NULL, artifact_sha256 = NULL WHERE id = $1`
}

describe('obstacles', () => {
  it.each(obstacles)('$why: writes nothing, and the normal path decides', async ({ kind, put, normalPathResult }) => {
    const given = await scene()
    const ocoGroupId = randomUUID()
    const order = await given.armed({ ocoGroupId })
    await put(given, order, ocoGroupId)
    const before = await rowsOf(order)
    expect(await given.fastPath(order)).toBeNull()
    expect(given.kinds).toEqual([kind])
    expect(await rowsOf(order)).toEqual(before)
    expect(await given.normalPath(order)).toBe(normalPathResult === undefined ? 'postponed' : normalPathResult)
    expect(given.venue.placed).toEqual([])
  })

  it('waits only briefly for a lock on the order, its execution or its key', async () => {
    const given = await scene()
    for (const table of ['conditional_orders', 'executions', 'execution_keys']) {
      const order = await given.armed()
      const before = await rowsOf(order)
      const other = await pg.pool.connect()
      await other.query('BEGIN')
      if (table === 'execution_keys') {
        await other.query(
          `INSERT INTO execution_keys (account_id, kind, key, body_sha256, execution_id, created_at)
           VALUES ($1, 'submit', $2, $3, $4, $5)`,
          [given.world.accountId, `cond:${order.id}:1`, sha256('x'), order.executionId, noon],
        )
      } else {
        const id = table === 'executions' ? order.executionId : order.id
        await other.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id])
      }
      expect(await given.fastPath(order), table).toBeNull()
      await other.query('ROLLBACK')
      other.release()
      expect(await rowsOf(order), table).toEqual(before)
      expect(await given.normalPath(order), table).toBe('fired')
    }
  })

  it('stops when the decision is recalled during preparation or after the last write', async () => {
    for (const stage of ['prepared', 'written']) {
      let isRecalled = stage === 'written'
      const { prepare } = signedLane().submit!
      const over: Partial<ExecutionAdapter['submit']> = {
        prepare: async (...given) => {
          isRecalled = true
          return prepare(...given)
        },
      }
      const given = await scene({ over })
      const order = await given.armed()
      isRecalled = stage === 'written'
      const before = await rowsOf(order)
      expect(await given.fastPath(order, { isRecalled: () => isRecalled })).toBeNull()
      expect(given.kinds).toEqual(['recalled'])
      expect(await rowsOf(order)).toEqual(before)
    }
  })

  it('waits only briefly for a request to the venue, and holds no row lock meanwhile', async () => {
    let isSlow = false
    const { promise: prepareStarted, resolve: begun } = Promise.withResolvers<void>()
    const { promise: answer, resolve: goOn } = Promise.withResolvers<void>()
    const { prepare } = signedLane().submit!
    const over: Partial<ExecutionAdapter['submit']> = {
      async prepare(...given) {
        begun()
        if (isSlow) await answer
        return prepare(...given)
      },
    }
    const given = await scene({ over })
    const order = await given.armed()
    isSlow = true
    const result = given.fastPath(order)
    await prepareStarted
    await pg.pool.query('SELECT FROM conditional_orders WHERE id = $1 FOR UPDATE NOWAIT', [order.id])
    given.clock.advance(prepareWithinMs)
    expect(await result).toBeNull()
    expect([given.kinds, await given.book.statusOf(order.id)]).toEqual([['not_now'], 'armed'])
    expect(given.clock.pendingCount).toBe(0)
    goOn()
    expect(await given.normalPath(order)).toBe('fired')
  })

  it('stops when the execution changes after it was read', async () => {
    const given = await scene()
    const order = await given.armed()
    const { ready } = given.deps.executions
    const executions: SubmitFixture['deps']['executions'] = {
      ...given.deps.executions,
      async ready(attempt) {
        const made = await ready(attempt)
        await pg.pool.query(`UPDATE executions SET status = 'canceled' WHERE id = $1`, [order.executionId])
        return made
      },
    }
    const turn = { lease, isRecalled: () => false, late: () => undefined }
    expect(await submitImmediately({ ...given.deps, executions }, { id: order.id, evidence }, turn)).toBeNull()
    expect([given.kinds, await given.book.statusOf(order.id)]).toEqual([['moved'], 'armed'])
  })
})
