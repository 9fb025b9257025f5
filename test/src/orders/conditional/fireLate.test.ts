// A hosted order whose trigger or claim is answered late: because the database is slow, or after the order has expired.
import { describe, expect, it, vi } from 'vitest'
import { createEarlyAttempts } from '#orders/conditional/earlyAttempts'
import { fire } from '#orders/conditional/submitTriggered'
import { conditionalSteps } from '#orders/conditional/transitions'
import { createConditionalStore, type Recall } from '#storage/postgres/conditional/store'
import { createExecutionStore } from '#storage/postgres/executions/store'
import type { Pool } from '#storage/postgres/pool'
import { evening, noon } from '#test/support/conditional/book'
import { evidence, lease, type Order, triggerScenes } from '#test/support/conditional/triggerScene'

const { pg, scene, rowsOf } = triggerScenes()

const executionStatus = async ({ executionId }: Order): Promise<string> =>
  (await pg.pool.query('SELECT status FROM executions WHERE id = $1', [executionId])).rows[0].status

it('is not sent after it has expired, however late its claim was answered', async () => {
  const given = await scene({ onRelay: async () => given.clock.advance(2_000) })
  const order = await given.armed({ expiresAt: new Date(noon.getTime() + 1_000) })
  expect(await given.triggerAndFire(order)).toBe('postponed')
  expect((await given.find(order.id)).fire_attempts).toBe(1)
  await given.dueNow(order.id)
  expect(await fire(given.deps, await given.hold(order.id))).toBe('fire_failed')
  const { last_error: lastError } = await given.find(order.id)
  expect([lastError, given.venue.calls]).toEqual([expect.stringContaining('expired before it was sent'), 0])
})

describe('a database that does not answer', () => {
  /** Holds back the first response to such a statement until it is released. */
  function heldBack(pool: Pool, statement: string): { pool: Pool; held: Promise<void>; letGo(): void } {
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const { promise: going, resolve: letGo } = Promise.withResolvers<void>()
    const connect = async () => {
      const client = await pool.connect()
      const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>
      return Object.assign(Object.create(client) as typeof client, {
        off: client.off.bind(client),
        on: client.on.bind(client),
        release: client.release.bind(client),
        query: async (...given: unknown[]) => {
          const answer = await query(...given)
          const sentStatement = given[0] as string | { text: string }
          if (!(typeof sentStatement === 'string' ? sentStatement : sentStatement.text).startsWith(statement))
            return answer
          hold()
          await going
          return answer
        },
      })
    }
    return { pool: Object.assign(Object.create(pool) as Pool, { connect }), held, letGo }
  }

  const recall = (lates: unknown[]): Recall => ({
    at: noon,
    claim: lease,
    isRecalled: () => false,
    late: (made) => void lates.push(made),
  })

  it('commits no trigger after the caller received an error', async () => {
    const given = await scene()
    const order = await given.armed()
    const before = await rowsOf(order)
    const { pool, held, letGo } = heldBack(pg.pool, 'WITH m AS')
    const store = createConditionalStore(pool, conditionalSteps)
    const lates: unknown[] = []
    const decisions = [{ id: order.id, evidence }]
    await expect(store.triggerUnlessRecalled(decisions, recall(lates))).rejects.toMatchObject({
      code: 'EXEC_UNAVAILABLE',
    })
    await held
    letGo()
    // Waits for the row lock.
    await pg.pool.query('SELECT FROM conditional_orders WHERE id = $1 FOR UPDATE', [order.id])
    expect(await rowsOf(order)).toEqual(before)
    expect([lates, given.venue.calls]).toEqual([[], 0])
  })

  it('passes on a lease whose COMMIT was confirmed too late, and the order is fired once', async () => {
    const given = await scene()
    const order = await given.armed()
    const { pool, held, letGo } = heldBack(pg.pool, 'COMMIT')
    const store = createConditionalStore(pool, conditionalSteps)
    const lates: Parameters<Recall['late']>[0][] = []
    const made = store.triggerUnlessRecalled([{ id: order.id, evidence }], recall(lates))
    await expect(made).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
    await held
    // The caller got an error, so it triggers the order again: that has no effect.
    expect(await given.triggerAndFire(order)).toBeNull()
    letGo()
    await vi.waitFor(() => expect(lates).toHaveLength(1))
    const turn = lates[0]!.turns[0]!
    expect(await fire(given.deps, turn.held, turn)).toBe('fired')
    expect(given.venue.placed).toEqual([order.order])
    expect(await given.find(order.id)).toMatchObject({ status: 'fired', fire_attempts: 1 })
  })

  it('undoes a claim with a trigger whose COMMIT was confirmed too late, and a later attempt fires the order', async () => {
    const given = await scene()
    const order = await given.armed()
    const { pool, held, letGo } = heldBack(pg.pool, 'COMMIT')
    const store = createConditionalStore(pool, conditionalSteps)
    const attempts = createEarlyAttempts(given.deps)
    const lates: Parameters<Recall['late']>[0][] = []
    const early = { ...recall(lates), prepare: attempts.prepare }
    const made = store.triggerUnlessRecalled([{ id: order.id, evidence }], early)
    await expect(made).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
    await held
    letGo()
    await vi.waitFor(() => expect(lates).toHaveLength(1))
    const turn = lates[0]!.turns[0]!
    expect([turn.claimed?.status, (await given.find(order.id)).fire_attempts]).toEqual(['submitted', 1])
    const taken = await attempts.takeBack(turn)
    expect([await executionStatus(order), given.venue.calls]).toEqual(['built', 0])
    expect(await fire(given.deps, taken)).toBe('fired')
    expect(given.venue.placed).toEqual([order.order])
    expect(await given.find(order.id)).toMatchObject({ status: 'fired', fire_attempts: 2 })
  })

  it('undoes a claim whose COMMIT was confirmed too late, and a later attempt fires the order', async () => {
    const { pool, held, letGo } = heldBack(pg.pool, 'COMMIT')
    const given = await scene({ wrap: (store) => ({ ...store, claim: createExecutionStore(pool).claim }) })
    const order = await given.armed()
    expect(await given.triggerAndFire(order, { isEarly: false })).toBe('postponed')
    await held
    const { status, fire_attempts: attempts, last_error: lastError } = await given.find(order.id)
    expect([status, attempts, await executionStatus(order), given.venue.calls]).toEqual(['firing', 1, 'submitted', 0])
    expect(lastError).toMatch(/^it may have been sent, outcome unknown: EXEC_UNAVAILABLE: /)
    letGo()
    await vi.waitFor(async () => expect(await executionStatus(order)).toBe('built'))
    expect(given.venue.calls).toBe(0)
    await given.dueNow(order.id)
    expect(await fire(given.deps, await given.hold(order.id))).toBe('fired')
    expect(given.venue.placed).toEqual([order.order])
    expect(await given.find(order.id)).toMatchObject({ status: 'fired', fire_attempts: 2 })
  })
})

it('firing one order does not change another order', async () => {
  const given = await scene()
  const [first, second] = [await given.armed({ expiresAt: evening }), await given.armed({ expiresAt: evening })]
  const before = await rowsOf(second)
  expect(await given.triggerAndFire(first)).toBe('fired')
  expect(await rowsOf(second)).toEqual(before)
})
