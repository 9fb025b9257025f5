// A hosted order from its trigger to its relay, in a process that fires orders: what is committed before the relay, and what prevents it.
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEarlyAttempts, prepareWithinMs } from '#orders/conditional/earlyAttempts'
import { type FireResult, fire } from '#orders/conditional/submitTriggered'
import { insertHalt } from '#storage/postgres/halts/halts'
import { noon, sha256 } from '#test/support/conditional/book'
import { signedLane } from '#test/support/conditional/signedLane'
import { evidence, lease, type Order, triggerScenes } from '#test/support/conditional/triggerScene'
import type { ExecutionAdapter } from '#venues/lane'

const { pg, scene, rowsOf } = triggerScenes()

/** The rows with their ids replaced by names, so that two orders can be compared. */
function named(rows: Record<string, unknown[]>, names: readonly (string | null)[]): unknown {
  let text = JSON.stringify(rows)
  for (const [i, name] of names.entries()) if (name !== null) text = text.replaceAll(name, `name ${i}`)
  return JSON.parse(text)
}

/** Whether its claim may be committed with its trigger. */
const ways = [{ isEarly: true }, { isEarly: false }]

describe('an order that triggers in a process that fires', () => {
  it.each([false, true])(
    'is claimed with its trigger or in a transaction of its own, before its relay, and the rows are the same (in a group: %s)',
    async (isGrouped) => {
      const before: unknown[] = []
      const after: unknown[] = []
      let current: Order | undefined
      let ocoGroupId: string | null = null
      const seen = async () =>
        named(await rowsOf(current!), [current!.id, current!.executionId, current!.order, ocoGroupId])
      const given = await scene({ onRelay: async () => void before.push(await seen()) })
      for (const way of ways) {
        ocoGroupId = isGrouped ? randomUUID() : null
        current = await given.armed({ ocoGroupId })
        const sibling = isGrouped ? await given.armed({ ocoGroupId }) : null
        expect(await given.triggerAndFire(current, way)).toBe('fired')
        after.push(await seen())
        if (sibling !== null) expect(await given.book.statusOf(sibling.id)).toBe('superseded')
        expect(await given.book.isSealed(current.id)).toBe(false)
      }
      expect(before[0]).toMatchObject({
        order: [{ status: 'firing', fire_attempts: 1, leased: true }],
        events: [{ to_status: 'armed' }, { to_status: 'triggered' }, { to_status: 'firing' }],
        executions: [{ status: 'submitted' }],
        keys: [{ key: 'cond:name 0:1' }],
      })
      expect(before).toHaveLength(2)
      expect(before[1]).toEqual(before[0])
      expect(after[1]).toEqual(after[0])
      expect(given.claimedEarly).toEqual([true, false])
      expect(given.venue.placed).toHaveLength(2)
    },
  )

  it.each(ways)(
    'fails when the venue rejects it, and stays in progress when the venue limits requests or does not answer (%o)',
    async (way) => {
      const given = await scene()
      const results = []
      for (const mode of ['reject', 'limit', 'drop'] as const) {
        const order = await given.armed()
        given.venue.orderModes.set(order.order, mode)
        const result = await given.triggerAndFire(order, way)
        const { status, fire_attempts: attempts } = await given.find(order.id)
        results.push([mode, result, status, attempts])
      }
      expect(given.claimedEarly).toEqual([way.isEarly, way.isEarly, way.isEarly])
      expect(results).toEqual([
        ['reject', 'fire_failed', 'fire_failed', 1],
        ['limit', 'postponed', 'firing', 1],
        ['drop', 'postponed', 'firing', 1],
      ])
    },
  )
})

type Given = Awaited<ReturnType<typeof scene>>
interface Obstacle {
  why: string
  put(given: Given, order: Order, ocoGroupId: string): Promise<unknown>
  /** Null: it is not leased with its trigger. */
  result: FireResult | null
  status: string
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
    put: ({ world: { accountId } }) =>
      insertHalt(pg.pool, { accountId, venue: null, setBy: 'account', setByName: 'k', reason: 'r', at: noon }),
    result: null,
    status: 'armed',
  },
  {
    why: 'its key is bound',
    put: ({ world: { accountId } }, { id, executionId }) =>
      pg.pool.query(
        `INSERT INTO execution_keys (account_id, kind, key, body_sha256, execution_id, created_at)
         VALUES ($1, 'submit', $2, $3, $4, $5)`,
        [accountId, `cond:${id}:1`, sha256('x'), executionId, noon],
      ),
    result: 'postponed',
    status: 'firing',
  },
  {
    why: 'another transaction holds the group',
    put: (_given, _order, group) => lockInTransaction('SELECT FROM oco_groups WHERE id = $1 FOR UPDATE', [group]),
    result: null,
    status: 'triggered',
  },
  {
    why: 'another order of its group is firing',
    put: async ({ armed, hold, book }, _order, ocoGroupId) => {
      const { id } = await armed({ ocoGroupId })
      await book.trigger(id)
      await hold(id)
    },
    result: null,
    status: 'triggered',
  },
  {
    why: 'it was superseded',
    put: set(`UPDATE conditional_orders SET ${ended('superseded')}`),
    result: null,
    status: 'superseded',
  },
  {
    why: 'it was canceled',
    put: set(`UPDATE conditional_orders SET ${ended('canceled')}`),
    result: null,
    status: 'canceled',
  },
  {
    why: 'it has expired',
    put: set(`UPDATE conditional_orders SET expires_at = '${noon.toISOString()}' WHERE id = $1`),
    result: null,
    status: 'armed',
  },
  {
    why: 'it is in client mode',
    put: set(
      `UPDATE conditional_orders SET fire_mode = 'client', sealed = NULL, seal_key_id = NULL, artifact_sha256 = NULL WHERE id = $1`,
    ),
    result: null,
    status: 'triggered',
  },
  {
    why: 'its execution was already sent',
    put: set(`UPDATE executions SET status = 'submitted' WHERE id = $1`),
    result: 'postponed',
    status: 'firing',
  },
  {
    why: 'its execution has ended',
    put: set(`UPDATE executions SET status = 'canceled' WHERE id = $1`),
    result: 'fired',
    status: 'fired',
  },
  {
    why: 'the right to submit its execution is reserved',
    put: ({ world: { accountId } }, { executionId }) =>
      pg.pool.query(
        `INSERT INTO execution_reservations (id, execution_id, account_id, state, created_at, expires_at)
         VALUES (gen_random_uuid(), $1, $2, 'live', $3, $3::timestamptz + interval '1 minute')`,
        [executionId, accountId, noon],
      ),
    result: 'postponed',
    status: 'firing',
  },
  {
    why: 'the spend cap has no headroom',
    put: async ({ world: { accountId } }, { executionId }) => {
      await pg.pool.query('INSERT INTO spend_caps (scope_id, daily_usd) VALUES ($1, 0.5)', [accountId])
      await pg.pool.query('UPDATE executions SET notional_usd = 1, held_usd = 0, spend_day = NULL WHERE id = $1', [
        executionId,
      ])
    },
    result: 'postponed',
    status: 'firing',
  },
  {
    why: 'the venue does not serve the country',
    put: set(`UPDATE conditional_orders SET arm_country = 'US' WHERE id = $1`),
    result: 'fire_failed',
    status: 'fire_failed',
  },
  {
    why: 'the deployment does not serve the country',
    put: set(`UPDATE conditional_orders SET arm_country = 'CU' WHERE id = $1`),
    result: 'fire_failed',
    status: 'fire_failed',
  },
  {
    why: 'the artifact cannot be decrypted',
    put: set(`UPDATE conditional_orders SET sealed = '\\x00' WHERE id = $1`),
    result: 'postponed',
    status: 'firing',
  },
]

function ended(status: string): string {
  return `status = '${status}', sealed = NULL, seal_key_id = NULL, artifact_sha256 = NULL WHERE id = $1`
}

/** `statement`: runs in a transaction that is rolled back once `work` is done. */
async function whileLocked(statement: string, values: unknown[], work: () => Promise<void>): Promise<void> {
  const other = await pg.pool.connect()
  try {
    await other.query('BEGIN')
    await other.query(statement, values)
    await work()
  } finally {
    await other.query('ROLLBACK')
    other.release()
  }
}

describe('obstacles', () => {
  describe.each(ways)('%o', (way) => {
    it.each(obstacles)('$why: nothing is sent, and the order is $status', async ({ put, result, status }) => {
      const given = await scene()
      const ocoGroupId = randomUUID()
      const order = await given.armed({ ocoGroupId })
      await put(given, order, ocoGroupId)
      expect(await given.triggerAndFire(order, way)).toBe(result)
      expect([await given.book.statusOf(order.id), given.venue.placed]).toEqual([status, []])
      expect(given.claimedEarly).not.toContain(true)
    })
  })

  it('waits for a lock on its execution only as long as the store allows, stays armed, and is sent once afterwards', async () => {
    const given = await scene()
    const order = await given.armed()
    await whileLocked('SELECT FROM executions WHERE id = $1 FOR UPDATE', [order.executionId], async () => {
      await expect(given.triggerAndFire(order)).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
    })
    expect(await given.book.statusOf(order.id)).toBe('armed')
    expect(await given.triggerAndFire(order)).toBe('fired')
    expect(given.venue.placed).toEqual([order.order])
  })

  it('waits for a lock on its key only as long as the store allows, and is sent once afterwards', async () => {
    const given = await scene()
    const order = await given.armed()
    await whileLocked(
      `INSERT INTO execution_keys (account_id, kind, key, body_sha256, execution_id, created_at)
       VALUES ($1, 'submit', $2, $3, $4, $5)`,
      [given.world.accountId, `cond:${order.id}:1`, sha256('x'), order.executionId, noon],
      async () => expect(await given.triggerAndFire(order)).toBe('postponed'),
    )
    const { status, last_error: lastError } = await given.find(order.id)
    expect([status, lastError]).toEqual(['firing', expect.stringMatching(/^EXEC_UNAVAILABLE: /)])
    await given.dueNow(order.id)
    expect(await fire(given.deps, await given.hold(order.id))).toBe('fired')
    expect(given.venue.placed).toEqual([order.order])
  })

  it('locks its rows only briefly while it is prepared, and then is claimed in a transaction of its own', async () => {
    const { promise: isPreparing, resolve: begun } = Promise.withResolvers<void>()
    const { promise: answer, resolve: goOn } = Promise.withResolvers<void>()
    const { prepare } = signedLane().submit!
    let prepared = 0
    const over: Partial<ExecutionAdapter['submit']> = {
      async prepare(...given) {
        prepared++
        begun()
        await answer
        return prepare(...given)
      },
    }
    const given = await scene({ over })
    const order = await given.armed()
    const result = given.triggerAndFire(order)
    await isPreparing
    expect(await given.book.statusOf(order.id)).toBe('armed')
    given.clock.advance(prepareWithinMs)
    await vi.waitFor(async () => expect(await given.book.statusOf(order.id)).toBe('firing'))
    await pg.pool.query('SELECT FROM conditional_orders WHERE id = $1 FOR UPDATE NOWAIT', [order.id])
    await pg.pool.query('SELECT FROM executions WHERE id = $1 FOR UPDATE NOWAIT', [order.executionId])
    goOn()
    expect(await result).toBe('fired')
    expect([prepared, given.claimedEarly]).toEqual([1, [false]])
  })

  it('is neither triggered nor sent when the decision is withdrawn while it is prepared', async () => {
    const { prepare } = signedLane().submit!
    let isRecalled = false
    const over: Partial<ExecutionAdapter['submit']> = {
      async prepare(...given) {
        isRecalled = true
        return prepare(...given)
      },
    }
    const given = await scene({ over })
    const order = await given.armed()
    const before = await rowsOf(order)
    const { prepare: prepareClaim } = createEarlyAttempts(given.deps)
    const recall = {
      at: noon,
      claim: lease,
      prepare: prepareClaim,
      isRecalled: () => isRecalled,
      late: () => undefined,
    }
    expect(await given.book.store.triggerUnlessRecalled([{ id: order.id, evidence }], recall)).toBeNull()
    expect([isRecalled, await rowsOf(order), given.venue.calls]).toEqual([true, before, 0])
  })

  it('is claimed in a transaction of its own when several trigger together', async () => {
    const given = await scene()
    const orders = [await given.armed(), await given.armed()]
    const attempts = createEarlyAttempts(given.deps)
    const { turns } = (await given.book.store.triggerUnlessRecalled(
      orders.map(({ id }) => ({ id, evidence })),
      {
        at: noon,
        claim: { ...lease, limit: 2 },
        prepare: attempts.prepare,
        isRecalled: () => false,
        late: () => undefined,
      },
    ))!
    expect(turns.map(({ claimed }) => claimed)).toEqual([null, null])
    expect([await attempts.fire(turns[0]!), await attempts.fire(turns[1]!)]).toEqual(['fired', 'fired'])
    expect(given.venue.placed).toHaveLength(2)
  })

  it('is not sent when its execution is sent by another attempt after it was read', async () => {
    const { prepare } = signedLane().submit!
    let current: Order | undefined
    const over: Partial<ExecutionAdapter['submit']> = {
      async prepare(...given) {
        await pg.pool.query(`UPDATE executions SET status = 'submitted' WHERE id = $1`, [current!.executionId])
        return prepare(...given)
      },
    }
    const given = await scene({ over })
    for (const way of ways) {
      current = await given.armed()
      expect(await given.triggerAndFire(current, way)).toBe('postponed')
      expect([await given.book.statusOf(current.id), given.venue.calls]).toEqual(['firing', 0])
    }
  })
})
