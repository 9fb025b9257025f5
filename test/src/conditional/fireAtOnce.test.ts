// A hosted order that is claimed along with its trigger: the rows are those of the longer way, and whatever stands in the way leaves none.
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type FireResult, fire, fireClaimed } from '#conditional/fire'
import { type AtOnceDeps, type AtOnceTurn, prepareWithinMs, triggerAtOnce } from '#conditional/fireAtOnce'
import { conditionalSteps } from '#conditional/transitions'
import { ManualClock } from '#lib/clock'
import { type ConditionalStore, createConditionalStore } from '#storage/postgres/conditional/store'
import { insertHalt } from '#storage/postgres/halts/halts'
import type { Pool } from '#storage/postgres/pool'
import { evening, noon, sha256 } from '#test/support/conditional/book'
import { type FireDesk, openFireDesk } from '#test/support/conditional/fireDesk'
import { signedLane } from '#test/support/conditional/signedLane'
import { executionSuite } from '#test/support/execution/suite'
import type { Lane } from '#venues/lane'

const { pg, worldOf } = executionSuite()
const owner = '5e1f0000-0000-4000-8000-000000000000'
const lease = { owner, leaseMs: 60_000, limit: 1, at: noon }
const evidence = { book: 1 }

interface Order {
  id: string
  executionId: string
  /** The venue's. */
  order: string
}

async function scene({ over = {}, onRelay }: { over?: Partial<Lane['submit']>; onRelay?: () => Promise<void> } = {}) {
  const clock = new ManualClock(noon.getTime())
  const lane = signedLane()
  const { prepare, relay } = lane.submit!
  const submit: Lane['submit'] = {
    ...lane.submit!,
    prepare,
    async relay(...given) {
      await onRelay?.()
      return relay(...given)
    },
    ...over,
  }
  const world = await worldOf({ clock, lanes: [{ ...lane, submit }] })
  const desk = await openFireDesk(pg.pool, world)
  const kinds: string[] = []
  const deps: FireDesk['deps'] & AtOnceDeps = {
    ...desk.deps,
    store: {
      ...desk.book.store,
      async triggerAndClaim(...given) {
        const made = await desk.book.store.triggerAndClaim(...given)
        kinds.push(made.kind)
        return made
      },
    },
  }
  const never = { isRecalled: () => false, late: () => undefined }
  const atOnce = async ({ id }: { id: string }, more: Partial<AtOnceTurn> = {}): Promise<FireResult | null> => {
    const made = await triggerAtOnce(deps, { id, evidence }, { lease, ...never, ...more })
    return made === null ? null : fireClaimed(deps, made.held, made.send)
  }
  const longer = async ({ id }: { id: string }): Promise<FireResult | null> => {
    const given = { at: noon, claim: lease, ...never }
    const { turns } = (await desk.book.store.triggerUnlessRecalled([{ id, evidence }], given))!
    return turns.length === 0 ? null : fire(deps, turns[0]!.held, turns[0])
  }
  return { ...desk, deps, kinds, clock, world, venue: world.venue, atOnce, longer }
}

/** All that is written of an order and its execution, in the order in which it was. */
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
    told: await of(
      `SELECT to_jsonb(o) - 'id' AS row FROM outbox o WHERE payload->>'conditionalId' = $1::text OR payload->>'executionId' = $2::text
       ORDER BY o.id`,
    ),
  }
}

/** Transactions that wrote what is told of it. */
async function transactions({ id, executionId }: Order): Promise<number> {
  const { rows } = await pg.pool.query<{ n: number }>(
    `SELECT count(DISTINCT xmin::text)::int AS n FROM outbox
     WHERE (payload->>'conditionalId' = $1 OR payload->>'executionId' = $2) AND payload->>'status' IN ('triggered', 'submitted')`,
    [id, executionId],
  )
  return rows[0]!.n
}

/** The same words for what differs between any two orders. */
const named = (rows: unknown, ...names: (string | null | undefined)[]): unknown =>
  JSON.parse(names.reduce<string>((text, id, i) => (id ? text.replaceAll(id, `#${i}`) : text), JSON.stringify(rows)))

describe('an order that is claimed along with its trigger', () => {
  it.each([false, true])(
    'is written row by row as on the longer way, before its relay and after it, in one transaction (of a group: %s)',
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
      for (const way of ['longer', 'atOnce'] as const) {
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

  it('goes on as any other where the venue rejects it, refuses to look at it or says nothing', async () => {
    const given = await scene()
    const told = []
    for (const mood of ['reject', 'limit', 'drop'] as const) {
      const order = await given.armed()
      given.venue.moods.set(order.order, mood)
      const result = await given.atOnce(order)
      const { status, fire_attempts: attempts } = await given.find(order.id)
      told.push([mood, result, status, attempts])
    }
    expect(told).toEqual([
      ['reject', 'fire_failed', 'fire_failed', 1],
      ['limit', 'postponed', 'firing', 1],
      ['drop', 'postponed', 'firing', 1],
    ])
    expect(given.kinds).toEqual(['claimed', 'claimed', 'claimed'])
  })

  it('is not sent once it has expired, however late its claim was answered', async () => {
    const given = await scene({ onRelay: async () => given.clock.advance(2_000) })
    const order = await given.armed({ expiresAt: new Date(noon.getTime() + 1_000) })
    expect(await given.atOnce(order)).toBe('postponed')
    expect(given.kinds).toEqual(['claimed'])
    await given.dueNow(order.id)
    expect(await fire(given.deps, await given.hold(order.id))).toBe('fire_failed')
    const { last_error: lastError } = await given.find(order.id)
    expect([lastError, given.venue.calls]).toEqual([expect.stringContaining('expired before it was sent'), 0])
  })
})

type Given = Awaited<ReturnType<typeof scene>>
interface Obstacle {
  why: string
  kind: string
  /** Puts it there; what it answers takes it away. */
  put(given: Given, order: Order, ocoGroupId: string): Promise<unknown>
  /** Told by the longer way, while it is there; the usual `postponed` unless told. */
  longer?: FireResult | null
}

/** A connection of somebody else's, in a transaction. */
async function somebody(sql: string, values: unknown[]): Promise<void> {
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
      insertHalt(pg.pool, { accountId, venue: null, setBy: 'account', saidBy: 'k', reason: 'r', at: noon }),
    // It does not trigger.
    longer: null,
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
    why: 'somebody holds its group',
    kind: 'not_now',
    put: (_given, _order, group) => somebody('SELECT FROM oco_groups WHERE id = $1 FOR UPDATE', [group]),
    longer: null,
  },
  {
    why: 'another one of its group fires',
    kind: 'not_now',
    put: async ({ armed, hold, book }, _order, ocoGroupId) => {
      const { id } = await armed({ ocoGroupId })
      await book.trigger(id)
      await hold(id)
    },
    longer: null,
  },
  {
    why: 'it was superseded',
    kind: 'not_now',
    put: set(`UPDATE conditional_orders SET ${ended('superseded')}`),
    longer: null,
  },
  {
    why: 'it was canceled',
    kind: 'not_now',
    put: set(`UPDATE conditional_orders SET ${ended('canceled')}`),
    longer: null,
  },
  {
    why: 'its time is over',
    kind: 'not_now',
    put: set(`UPDATE conditional_orders SET expires_at = '${noon.toISOString()}' WHERE id = $1`),
    longer: null,
  },
  {
    why: 'it is in client mode',
    kind: 'not_now',
    put: set(
      `UPDATE conditional_orders SET fire_mode = 'client', sealed = NULL, seal_key_id = NULL, artifact_sha256 = NULL WHERE id = $1`,
    ),
    longer: null,
  },
  {
    why: 'its execution was sent',
    kind: 'not_now',
    put: set(`UPDATE executions SET status = 'submitted' WHERE id = $1`),
  },
  {
    why: 'its execution has ended',
    kind: 'not_now',
    put: set(`UPDATE executions SET status = 'canceled' WHERE id = $1`),
    longer: 'fired',
  },
  {
    why: 'somebody holds the right to submit its execution',
    kind: 'held',
    put: ({ world: { accountId } }, { executionId }) =>
      pg.pool.query(
        `INSERT INTO execution_reservations (id, execution_id, account_id, state, created_at, expires_at)
         VALUES (gen_random_uuid(), $1, $2, 'live', $3, $3::timestamptz + interval '1 minute')`,
        [executionId, accountId, noon],
      ),
  },
  {
    why: 'the spend cap has no room',
    kind: 'spend_cap',
    put: async ({ world: { accountId } }, { executionId }) => {
      await pg.pool.query('INSERT INTO spend_caps (scope_id, daily_usd) VALUES ($1, 0.5)', [accountId])
      await pg.pool.query('UPDATE executions SET notional_usd = 1, held_usd = 0, spend_day = NULL WHERE id = $1', [
        executionId,
      ])
    },
  },
  {
    why: 'the venue does not serve its country',
    kind: 'not_now',
    put: set(`UPDATE conditional_orders SET arm_country = 'US' WHERE id = $1`),
    longer: 'fire_failed',
  },
  {
    why: 'the deployment does not serve its country',
    kind: 'not_now',
    put: set(`UPDATE conditional_orders SET arm_country = 'CU' WHERE id = $1`),
    longer: 'fire_failed',
  },
  {
    why: 'its artifact cannot be opened',
    kind: 'not_now',
    put: set(`UPDATE conditional_orders SET sealed = '\\x00' WHERE id = $1`),
  },
]

function ended(status: string): string {
  return `status = '${status}', sealed = NULL, seal_key_id = NULL, artifact_sha256 = NULL WHERE id = $1`
}

describe('what stands in the way of it', () => {
  it.each(obstacles)('$why: nothing is left behind, and the longer way has its word', async ({ kind, put, longer }) => {
    const given = await scene()
    const ocoGroupId = randomUUID()
    const order = await given.armed({ ocoGroupId })
    await put(given, order, ocoGroupId)
    const before = await rowsOf(order)
    expect(await given.atOnce(order)).toBeNull()
    expect(given.kinds).toEqual([kind])
    expect(await rowsOf(order)).toEqual(before)
    expect(await given.longer(order)).toBe(longer === undefined ? 'postponed' : longer)
    expect(given.venue.placed).toEqual([])
  })

  it('somebody holds the order, its execution or its key: it is not waited for longer than a moment', async () => {
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
      expect(await given.atOnce(order), table).toBeNull()
      await other.query('ROLLBACK')
      other.release()
      expect(await rowsOf(order), table).toEqual(before)
      expect(await given.longer(order), table).toBe('fired')
    }
  })

  it('the decision is taken back while it is prepared, or when all is written', async () => {
    for (const asked of ['prepared', 'written']) {
      let isRecalled = asked === 'written'
      const { prepare } = signedLane().submit!
      const over: Partial<Lane['submit']> = {
        prepare: async (...given) => {
          isRecalled = true
          return prepare(...given)
        },
      }
      const given = await scene({ over })
      const order = await given.armed()
      isRecalled = asked === 'written'
      const before = await rowsOf(order)
      expect(await given.atOnce(order, { isRecalled: () => isRecalled })).toBeNull()
      expect(given.kinds).toEqual(['recalled'])
      expect(await rowsOf(order)).toEqual(before)
    }
  })

  it('its lane asks the venue: nobody waits longer than a moment, and holds no row meanwhile', async () => {
    let isSlow = false
    const { promise: asked, resolve: begun } = Promise.withResolvers<void>()
    const { promise: answer, resolve: goOn } = Promise.withResolvers<void>()
    const { prepare } = signedLane().submit!
    const over: Partial<Lane['submit']> = {
      async prepare(...given) {
        begun()
        if (isSlow) await answer
        return prepare(...given)
      },
    }
    const given = await scene({ over })
    const order = await given.armed()
    isSlow = true
    const result = given.atOnce(order)
    await asked
    await pg.pool.query('SELECT FROM conditional_orders WHERE id = $1 FOR UPDATE NOWAIT', [order.id])
    given.clock.advance(prepareWithinMs)
    expect(await result).toBeNull()
    expect([given.kinds, await given.book.statusOf(order.id)]).toEqual([['not_now'], 'armed'])
    expect(given.clock.pendingCount).toBe(0)
    goOn()
    expect(await given.longer(order)).toBe('fired')
  })

  it('somebody moves the execution after it was read', async () => {
    const given = await scene()
    const order = await given.armed()
    const { ready } = given.deps.executions
    const executions: FireDesk['deps']['executions'] = {
      ...given.deps.executions,
      async ready(attempt) {
        const made = await ready(attempt)
        await pg.pool.query(`UPDATE executions SET status = 'canceled' WHERE id = $1`, [order.executionId])
        return made
      },
    }
    const turn = { lease, isRecalled: () => false, late: () => undefined }
    expect(await triggerAtOnce({ ...given.deps, executions }, { id: order.id, evidence }, turn)).toBeNull()
    expect([given.kinds, await given.book.statusOf(order.id)]).toEqual([['moved'], 'armed'])
  })
})

describe('a database without an answer', () => {
  /** The first answer to such a statement is kept back until it is let go. */
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
          const asked = given[0] as string | { text: string }
          if (!(typeof asked === 'string' ? asked : asked.text).startsWith(statement)) return answer
          hold()
          await going
          return answer
        },
      })
    }
    return { pool: Object.assign(Object.create(pool) as Pool, { connect }), held, letGo }
  }

  it('to what is written, until the caller was told so: nothing of it is committed then, on either way', async () => {
    const given = await scene()
    const lates: unknown[] = []
    const late = (...told: unknown[]): void => void lates.push(told)
    const isRecalled = () => false
    const ways = [
      {
        writes: 'WITH was AS',
        way: (deps: AtOnceDeps, id: string) => triggerAtOnce(deps, { id, evidence }, { lease, isRecalled, late }),
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
        // It waits for whoever holds the row.
        await pg.pool.query('SELECT FROM conditional_orders WHERE id = $1 FOR UPDATE', [order.id])
        expect(await rowsOf(order)).toEqual(before)
      }),
    )
    expect([lates, given.venue.calls]).toEqual([[], 0])
  })

  it('to a COMMIT that stands too late: it is taken back, and the order is fired by a later attempt', async () => {
    const given = await scene()
    const order = await given.armed()
    const { pool, held, letGo } = heldBack(pg.pool, 'COMMIT')
    const store = createConditionalStore(pool, conditionalSteps)
    const lates: Parameters<AtOnceTurn['late']>[] = []
    const turn: AtOnceTurn = { lease, isRecalled: () => false, late: (...late) => void lates.push(late) }
    const made = triggerAtOnce({ ...given.deps, store }, { id: order.id, evidence }, turn)
    await expect(made).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
    await held
    // It was told that it did not trigger, so it is told again: it has.
    expect(await given.longer(order)).toBeNull()
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

it('an order whose time has not come is not touched by the time of another', async () => {
  const given = await scene()
  const [first, second] = [await given.armed({ expiresAt: evening }), await given.armed({ expiresAt: evening })]
  const before = await rowsOf(second)
  expect(await given.atOnce(first)).toBe('fired')
  expect(await rowsOf(second)).toEqual(before)
})
