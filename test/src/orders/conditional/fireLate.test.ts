// A hosted order whose claim is answered late: because the database is slow, or after the order has expired.
import { describe, expect, it, vi } from 'vitest'
import { type FastPathDeps, type FastPathSlot, submitImmediately } from '#orders/conditional/fastPath'
import { fire } from '#orders/conditional/submitTriggered'
import { conditionalSteps } from '#orders/conditional/transitions'
import { type ConditionalStore, createConditionalStore } from '#storage/postgres/conditional/store'
import type { Pool } from '#storage/postgres/pool'
import { evidence, fastPathScenes, lease } from '#test/support/conditional/atOnceScene'
import { evening, noon } from '#test/support/conditional/book'

const { pg, scene, rowsOf } = fastPathScenes()

it('is not sent after it has expired, however late its claim was answered', async () => {
  const given = await scene({ onRelay: async () => given.clock.advance(2_000) })
  const order = await given.armed({ expiresAt: new Date(noon.getTime() + 1_000) })
  expect(await given.fastPath(order)).toBe('postponed')
  expect(given.kinds).toEqual(['claimed'])
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

  it('commits nothing after the caller received an error, on either path', async () => {
    const given = await scene()
    const lates: unknown[] = []
    const late = (...args: unknown[]): void => void lates.push(args)
    const isRecalled = () => false
    const ways = [
      {
        writes: 'WITH was AS',
        way: (deps: FastPathDeps, id: string) => submitImmediately(deps, { id, evidence }, { lease, isRecalled, late }),
      },
      {
        writes: 'WITH m AS',
        way: ({ store }: { store: ConditionalStore }, id: string) =>
          store.triggerUnlessRecalled([{ id, evidence }], { at: noon, claim: lease, isRecalled, late }),
      },
    ]
    await Promise.all(
      ways.map(async ({ writes, way }) => {
        const order = await given.armed()
        const before = await rowsOf(order)
        const { pool, held, letGo } = heldBack(pg.pool, writes)
        const store = createConditionalStore(pool, conditionalSteps)
        await expect(way({ ...given.deps, store }, order.id)).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
        await held
        letGo()
        // Waits for the row lock.
        await pg.pool.query('SELECT FROM conditional_orders WHERE id = $1 FOR UPDATE', [order.id])
        expect(await rowsOf(order)).toEqual(before)
      }),
    )
    expect([lates, given.venue.calls]).toEqual([[], 0])
  })

  it('undoes a COMMIT that was confirmed too late, and a later attempt fires the order', async () => {
    const given = await scene()
    const order = await given.armed()
    const { pool, held, letGo } = heldBack(pg.pool, 'COMMIT')
    const store = createConditionalStore(pool, conditionalSteps)
    const lates: Parameters<FastPathSlot['late']>[] = []
    const turn: FastPathSlot = { lease, isRecalled: () => false, late: (...late) => void lates.push(late) }
    const made = submitImmediately({ ...given.deps, store }, { id: order.id, evidence }, turn)
    await expect(made).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
    await held
    // The caller got an error, so it triggers the order again: that has no effect.
    expect(await given.normalPath(order)).toBeNull()
    letGo()
    await vi.waitFor(() => expect(lates).toHaveLength(1))
    const [row, takeBack] = lates[0]!
    const executionIs = async () =>
      (await pg.pool.query('SELECT status FROM executions WHERE id = $1', [order.executionId])).rows[0].status
    expect([await executionIs(), row.status, row.fire_attempts]).toEqual(['submitted', 'firing', 1])
    await takeBack()
    expect([await executionIs(), given.venue.calls]).toEqual(['built', 0])
    expect(await fire(given.deps, row)).toBe('fired')
    expect(given.venue.placed).toEqual([order.order])
    expect(await given.find(order.id)).toMatchObject({ status: 'fired', fire_attempts: 2 })
  })
})

it('firing one order does not change another order', async () => {
  const given = await scene()
  const [first, second] = [await given.armed({ expiresAt: evening }), await given.armed({ expiresAt: evening })]
  const before = await rowsOf(second)
  expect(await given.fastPath(first)).toBe('fired')
  expect(await rowsOf(second)).toEqual(before)
})
