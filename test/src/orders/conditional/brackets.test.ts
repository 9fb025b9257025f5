import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { armExits, type BracketDeps } from '#orders/conditional/index'
import type { BracketRow } from '#storage/postgres/brackets/bracketRow'
import { firstWaiting, lastWaiting } from '#storage/postgres/brackets/dueBrackets'
import { evening, noon } from '#test/support/conditional/book'
import { type ConditionalWorld, openConditionalWorld } from '#test/support/conditional/world'
import { refused } from '#test/support/execution/suite'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const open: ConditionalWorld[] = []
afterEach(async () => {
  await pg.pool.query("UPDATE brackets SET status = 'canceled' WHERE status IN ('waiting', 'arming')")
  await Promise.all(open.splice(0).map((world) => world.close()))
})

const exits = {
  takeProfit: { trigger: { price: 0.7 }, build: { sell: true } },
  stopLoss: { trigger: { trail: { by: 'price', distance: 0.05 } }, build: { sell: true } },
}

async function scene() {
  const world = await openConditionalWorld(pg.pool)
  open.push(world)
  const { world: http, brackets, accountId } = world
  const options = { blocks: () => false, signal: new AbortController().signal }
  const path = '/v1/exec/conditional/bracket'
  const create = (body: object, key: string = randomUUID()) =>
    http.post(path, { expiresAt: evening.toISOString(), ...exits, ...body }, { headers: { 'idempotency-key': key } })
  return {
    ...world,
    create,
    async created(body: object = {}): Promise<{ id: string; entryId: string }> {
      const entryId = await world.built()
      const reply = await create({ entryExecutionId: entryId, ...body })
      expect(reply.status, reply.text).toBe(200)
      return { id: reply.json.data.id, entryId }
    },
    read: async (id: string) => (await http.call('GET', `${path}/${id}`)).json.data,
    cancelBracket: (id: string) => http.post(`${path}/${id}/cancel`, {}),
    async entryIs(id: string, status: string, matchedSize: string | null = null): Promise<void> {
      await pg.pool.query('UPDATE executions SET status = $2, matched_size = $3 WHERE id = $1', [
        id,
        status,
        matchedSize,
      ])
    },
    /** Takes what is due; a lease of 0 ms is over at once. */
    due: (leaseMs = 60_000): Promise<BracketRow[]> => brackets.store.takeDue({ limit: 10, leaseMs, at: noon }),
    arm: (row: BracketRow, deps: BracketDeps = brackets) => armExits(deps, row, options),
    /** Executions and conditional orders of the account other than the entry. */
    async made(entryId: string) {
      const { rows: executions } = await pg.pool.query<{ id: string; size: string }>(
        "SELECT id, terms->>'size' AS size FROM executions WHERE account_id = $1 AND id <> $2 ORDER BY seq",
        [accountId, entryId],
      )
      const { rows: orders } = await pg.pool.query<{ execution_id: string; status: string; oco_group_id: string }>(
        'SELECT execution_id, status, oco_group_id FROM conditional_orders WHERE account_id = $1 ORDER BY seq',
        [accountId],
      )
      return { executions, orders }
    },
  }
}

describe('a bracket', () => {
  it('is refused where an order is taken only for a short time after its build', async () => {
    const { create, built } = await scene()
    const reply = await create({ entryExecutionId: await built('pascal') })
    expect(refused(reply)).toEqual([501, 'NOT_SUPPORTED'])
    expect(reply.json.error.message).toContain('would expire before it fires')
  })

  it('waits while its entry is open, and then arms one pair of the filled size', async () => {
    const { created, due, arm, read, entryIs, made, one } = await scene()
    const { id, entryId } = await created()
    expect(await read(id)).toEqual({
      id,
      entryExecutionId: entryId,
      venue: 'limitless',
      status: 'waiting',
      filledSize: null,
      takeProfitId: null,
      stopLossId: null,
      ocoGroupId: expect.any(String),
      expiresAt: evening.toISOString(),
      lastError: null,
      createdAt: noon.toISOString(),
      updatedAt: noon.toISOString(),
    })
    await entryIs(entryId, 'acked', '2')
    expect(await due()).toEqual([])
    await entryIs(entryId, 'filled', '5.00')
    const [row] = await due()
    expect(await arm(row!)).toBe('armed')
    const bracket = await read(id)
    expect(bracket).toMatchObject({ status: 'armed', filledSize: '5', lastError: null })
    const { executions, orders } = await made(entryId)
    expect(executions.map(({ size }) => size)).toEqual(['5', '5'])
    expect(orders.map(({ status, oco_group_id }) => [status, oco_group_id])).toEqual([
      ['armed', bracket.ocoGroupId],
      ['armed', bracket.ocoGroupId],
    ])
    const [takeProfit, stopLoss] = [
      (await one(bracket.takeProfitId)).json.data,
      (await one(bracket.stopLossId)).json.data,
    ]
    expect(takeProfit).toMatchObject({
      fireMode: 'client',
      expiresAt: evening.toISOString(),
      trigger: { tpsl: 'tp', when: 'at_or_above', price: 0.7 },
    })
    expect(stopLoss).toMatchObject({
      trigger: { tpsl: 'sl', when: 'at_or_below', trail: exits.stopLoss.trigger.trail },
    })
    expect(await due(0)).toEqual([])
  })

  it('sizes its exits by the part that was filled of an entry that was canceled, and sells no more if more is reported later', async () => {
    const { created, due, arm, read, entryIs, made } = await scene()
    const { id, entryId } = await created()
    await entryIs(entryId, 'canceled', '2.5')
    const [row] = await due(0)
    await entryIs(entryId, 'canceled', '3')
    const [again] = await due()
    expect([row!.filled_size, again!.filled_size]).toEqual(['2.5', '2.5'])
    expect(await arm(again!)).toBe('armed')
    expect((await made(entryId)).executions.map(({ size }) => size)).toEqual(['2.5', '2.5'])
    expect(await read(id)).toMatchObject({ status: 'armed', filledSize: '2.5' })
  })

  it('of an entry that ended without a fill, or that was modified, arms nothing and says why', async () => {
    const { created, due, read, entryIs, made, accountId } = await scene()
    const unfilled = await created()
    await entryIs(unfilled.entryId, 'canceled', '0')
    expect(await due()).toEqual([])
    expect(await read(unfilled.id)).toMatchObject({
      status: 'unfilled',
      filledSize: null,
      lastError: expect.any(String),
    })
    const modified = await created()
    await entryIs(modified.entryId, 'acked', '1')
    await pg.pool.query(
      `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, target_id,
         created_at, updated_at)
       VALUES ($1, $2, $2, 'limitless', 'modify', 'acked', 1, '{}', sha256('{}'), '{}', $3, $4, $4)`,
      [randomUUID(), accountId, modified.entryId, noon],
    )
    expect(await due()).toEqual([])
    expect(await read(modified.id)).toMatchObject({
      status: 'failed',
      lastError: expect.stringContaining('modified'),
      stopLossId: null,
    })
    expect((await made(modified.entryId)).orders).toEqual([])
  })

  it('waits while it is unknown whether the venue has modified its entry', async () => {
    const { created, due, read, entryIs, accountId } = await scene()
    const { id, entryId } = await created()
    await entryIs(entryId, 'canceled', '0')
    const change = randomUUID()
    await pg.pool.query(
      `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, target_id,
         created_at, updated_at)
       VALUES ($1, $2, $2, 'limitless', 'modify', 'submitted', 1, '{}', sha256('{}'), '{}', $3, $4, $4)`,
      [change, accountId, entryId, noon],
    )
    expect(await due()).toEqual([])
    expect((await read(id)).status).toBe('waiting')
    await entryIs(change, 'failed')
    expect(await due()).toEqual([])
    expect((await read(id)).status).toBe('unfilled')
  })

  it('waits until the venue has reported what was filled of a canceled entry', async () => {
    const { created, due, read, entryIs } = await scene()
    const { id, entryId } = await created()
    await entryIs(entryId, 'canceled')
    expect(await due()).toEqual([])
    expect(await read(id)).toMatchObject({ status: 'waiting', filledSize: null })
    await entryIs(entryId, 'canceled', '1')
    expect((await due()).map((row) => row.filled_size)).toEqual(['1'])
  })

  it('may have one exit, and waits with it for a time', async () => {
    const { created, due, arm, read, entryIs, one } = await scene()
    const at = new Date(noon.getTime() + 3_600_000).toISOString()
    const { id, entryId } = await created({
      takeProfit: undefined,
      stopLoss: { trigger: { at }, build: { sell: true } },
    })
    await entryIs(entryId, 'filled')
    const [row] = await due()
    // The venue reports no amount for an order that it filled completely.
    expect(row!.filled_size).toBe('5')
    expect(await arm(row!)).toBe('armed')
    const { stopLossId, takeProfitId } = await read(id)
    expect(takeProfitId).toBeNull()
    expect((await one(stopLossId)).json.data.trigger).toMatchObject({ at })
  })

  it('is armed although its caller has used a key that resembles one of the bracket', async () => {
    const { created, due, arm, entryIs, made, world } = await scene()
    const { id, entryId } = await created({ takeProfit: undefined })
    const headers = { 'idempotency-key': `bracket:${id}:stopLoss` }
    expect((await world.post('/v1/exec/limitless/orders/build', { size: 1 }, { headers })).status).toBe(200)
    await entryIs(entryId, 'filled', '5')
    const [row] = await due()
    expect(await arm(row!)).toBe('armed')
    expect((await made(entryId)).executions.map(({ size }) => size)).toEqual(['1', '5'])
  })
})

describe('after a crash', () => {
  /** Dies before or after its nth step: nothing of it happens from then on. */
  function dying(deps: BracketDeps, dieAt: number, isAfter: boolean): { deps: BracketDeps; dead: Promise<void> } {
    let steps = 0
    let die = (): void => undefined
    const dead = new Promise<void>((resolve) => {
      die = resolve
    })
    const step =
      <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
      async (...given: A): Promise<R> => {
        const isLast = steps++ === dieAt
        const forever = new Promise<R>(() => undefined)
        if (isLast && !isAfter) {
          die()
          return forever
        }
        const result = await work(...given)
        if (!isLast) return result
        die()
        return forever
      }
    const { store, builds, conditional } = deps
    return {
      dead,
      deps: {
        store: { ...store, finish: step(store.finish), postpone: step(store.postpone) },
        builds: { ...builds, build: step(builds.build) },
        conditional: { ...conditional, store: { ...conditional.store, arm: step(conditional.store.arm) } },
      },
    }
  }

  // Two builds, two armings, the end.
  const steps = Array.from({ length: 5 }, (_, i) => [i, false] as const).flatMap(([i]) => [
    [i, false] as const,
    [i, true] as const,
  ])
  it.each(steps)('at step %i (after it: %s), another process arms each exit exactly once', async (dieAt, isAfter) => {
    const { created, due, arm, read, entryIs, made, brackets } = await scene()
    const { id, entryId } = await created()
    await entryIs(entryId, 'filled', '4')
    const [row] = await due(0)
    const { deps, dead } = dying(brackets, dieAt, isAfter)
    void arm(row!, deps)
    await dead
    const [again] = await due()
    if (again === undefined) expect([dieAt, isAfter]).toEqual([4, true])
    else expect(await arm(again)).toBe('armed')
    const { executions, orders } = await made(entryId)
    expect(executions.map(({ size }) => size)).toEqual(['4', '4'])
    expect(orders.map(({ execution_id, status }) => [execution_id, status])).toEqual(
      executions.map((execution) => [execution.id, 'armed']),
    )
    expect(await read(id)).toMatchObject({ status: 'armed', filledSize: '4' })
  })

  it('or a pause that outlasts its lease, two processes that arm the same bracket lead to one pair', async () => {
    const { created, due, arm, entryIs, made } = await scene()
    const { entryId } = await created()
    await entryIs(entryId, 'filled', '4')
    const [slow] = await due(0)
    const [fast] = await due()
    expect((await Promise.all([arm(slow!), arm(fast!)])).toSorted()).toEqual(['armed', 'lost'])
    const { executions, orders } = await made(entryId)
    expect([executions.length, orders.length]).toEqual([2, 2])
  })

  it('of many processes that look at once, one takes it', async () => {
    const { created, due, entryIs } = await scene()
    const { entryId } = await created()
    await entryIs(entryId, 'filled', '4')
    const taken = await Promise.all(Array.from({ length: 8 }, () => due()))
    expect(taken.flat()).toHaveLength(1)
  })
})

describe('a refusal', () => {
  it('for a passing reason is retried, and for a permanent one ends it and names what was armed', async () => {
    const { created, due, arm, read, entryIs, made, brackets } = await scene()
    const { id, entryId } = await created()
    await entryIs(entryId, 'filled', '4')
    const failing = (error: Fault, after: number): BracketDeps => {
      let left = after
      const { arm: armOne } = brackets.conditional.store
      const store: typeof brackets.conditional.store = {
        ...brackets.conditional.store,
        arm: async (...given) => {
          if (left-- === 0) throw error
          return armOne(...given)
        },
      }
      return { ...brackets, conditional: { ...brackets.conditional, store } }
    }
    const [first] = await due()
    expect(await arm(first!, failing(new Fault('EXEC_UNAVAILABLE', 'away'), 0))).toBe('postponed')
    expect(await read(id)).toMatchObject({ status: 'arming', lastError: 'EXEC_UNAVAILABLE: away', stopLossId: null })
    expect(await due()).toEqual([])
    await pg.pool.query('UPDATE brackets SET leased_until = now() WHERE id = $1', [id])
    const [second] = await due()
    expect(second!.attempts).toBe(2)
    expect(await arm(second!, failing(new Fault('VALIDATION_ERROR', 'no'), 1))).toBe('failed')
    const { orders } = await made(entryId)
    expect(orders).toHaveLength(1)
    expect(await read(id)).toMatchObject({
      status: 'failed',
      lastError: 'VALIDATION_ERROR: no',
      stopLossId: expect.any(String),
      takeProfitId: null,
    })
  })

  it('of the second exit, because the first one has fired, ends it with the first one', async () => {
    const { created, due, arm, read, entryIs, made, brackets, triggered, report, one } = await scene()
    const { id, entryId } = await created()
    await entryIs(entryId, 'filled', '4')
    const [row] = await due()
    const { store } = brackets.conditional
    const firing: typeof store = {
      ...store,
      async arm(...given) {
        const result = await store.arm(...given)
        if (result.kind !== 'armed') return result
        expect(await triggered(result.row.id)).toBe(true)
        const fired = await report(result.row.id, { outcome: 'fired', venueRef: 'venue order 1' })
        expect(fired.json.data?.status, fired.text).toBe('fired')
        return result
      },
    }
    expect(await arm(row!, { ...brackets, conditional: { ...brackets.conditional, store: firing } })).toBe('armed')
    const bracket = await read(id)
    expect(bracket).toMatchObject({ status: 'armed', takeProfitId: null, lastError: null })
    expect((await one(bracket.stopLossId)).json.data.status).toBe('fired')
    expect((await made(entryId)).orders.map(({ status }) => status)).toEqual(['fired'])
    expect(await due(0)).toEqual([])
  })

  it('meets a build that would trade more than was filled', async () => {
    const { created, due, arm, read, entryIs, made, brackets } = await scene()
    const { id, entryId } = await created()
    await entryIs(entryId, 'filled', '4')
    const [row] = await due()
    const { build } = brackets.builds
    const rounding: BracketDeps['builds'] = {
      ...brackets.builds,
      build: async (...given) => {
        const built = await build(...given)
        return { ...built, terms: { ...built.terms, size: '4.01' } }
      },
    }
    expect(await arm(row!, { ...brackets, builds: rounding })).toBe('failed')
    expect((await made(entryId)).orders).toEqual([])
    expect(await read(id)).toMatchObject({ status: 'failed', lastError: expect.stringContaining('larger than 4') })
  })

  it('comes with the request for exits that could not be armed later', async () => {
    const { create, built, entryIs } = await scene()
    const entryExecutionId = await built()
    const bodies: [string, object][] = [
      ['no exit', { takeProfit: undefined, stopLoss: undefined }],
      ['an exit in the direction of the entry', { stopLoss: { trigger: { price: 0.3 }, build: {} } }],
      ['a size', { stopLoss: { trigger: { price: 0.3 }, build: { sell: true, size: 5 } } }],
      ['a dry run', { stopLoss: { trigger: { price: 0.3 }, build: { sell: true, dryRun: true } } }],
      ['an unknown build field', { stopLoss: { trigger: { price: 0.3 }, build: { sell: true, wish: 1 } } }],
      ['a stop that takes profit', { stopLoss: { trigger: { price: 0.3, tpsl: 'tp' }, build: { sell: true } } }],
      ['a trigger without a price', { stopLoss: { trigger: {}, build: { sell: true } } }],
      ['a time after its end', { stopLoss: { trigger: { at: evening.toISOString() }, build: { sell: true } } }],
      ['an end in the past', { expiresAt: noon.toISOString() }],
    ]
    for (const [name, body] of bodies)
      expect(refused(await create({ entryExecutionId, ...body })), name).toEqual([400, 'VALIDATION_ERROR'])
    expect(refused(await create({ entryExecutionId: randomUUID() }))).toEqual([404, 'EXECUTION_NOT_FOUND'])
    await entryIs(entryExecutionId, 'failed')
    expect(refused(await create({ entryExecutionId }))).toEqual([409, 'EXECUTION_TERMINAL'])
  })
})

describe('a request', () => {
  it('under a used key returns the first bracket, and an entry has one at a time', async () => {
    const { create, built } = await scene()
    const entryExecutionId = await built()
    const [first, ...others] = await Promise.all(
      Array.from({ length: 4 }, () => create({ entryExecutionId }, 'one bracket')),
    )
    expect(first!.status, first!.text).toBe(200)
    for (const other of others) expect(other.json.data).toEqual(first!.json.data)
    expect(refused(await create({ entryExecutionId, takeProfit: undefined }, 'one bracket'))).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
    ])
    expect(refused(await create({ entryExecutionId }))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('counts the open brackets of its account after one that came at the same time', async () => {
    const { brackets, built, accountId } = await scene()
    const entries = await Promise.all(Array.from({ length: 8 }, () => built()))
    const results = await Promise.all(
      entries.map((entryId) =>
        brackets.store.insert(
          {
            ...{
              id: randomUUID(),
              accountId,
              keyId: accountId,
              key: randomUUID(),
              bodySha256: Buffer.alloc(32),
              entryId,
            },
            ...{ takeProfit: exits.takeProfit, stopLoss: null, ocoGroupId: randomUUID(), expiresAt: evening },
            ...{ armCountry: null, at: noon },
          },
          2,
        ),
      ),
    )
    expect(results.map(({ kind }) => kind).toSorted()).toEqual([
      ...Array.from({ length: 6 }, () => 'account_full'),
      ...['made', 'made'],
    ])
  })

  it('is looked at with its page of those that wait', async () => {
    const { created, entryIs, brackets } = await scene()
    const made = [await created(), await created(), await created()]
    for (const { entryId } of made) await entryIs(entryId, 'filled', '5')
    const [first, second, third] = made.map(({ id }) => id).toSorted()
    const { store } = brackets
    const until = await store.endOfWaitingPage(firstWaiting, 2)
    expect([until, await store.endOfWaitingPage(second!, 2)]).toEqual([second, lastWaiting])
    const take = async (after: string, to: string) => {
      const rows = await store.takeDue({ limit: 10, leaseMs: 60_000, at: noon, page: { after, until: to } })
      return rows.map(({ id }) => id).toSorted()
    }
    expect(await take(firstWaiting, until)).toEqual([first, second])
    expect(await take(until, lastWaiting)).toEqual([third])
  })

  it('cancels a bracket that waits, repeatedly, but not one whose exits are being armed', async () => {
    const { created, due, entryIs, cancelBracket, actAs, newAccount, accountId } = await scene()
    const waiting = await created()
    for (let i = 0; i < 2; i++) expect((await cancelBracket(waiting.id)).json.data.status).toBe('canceled')
    await entryIs(waiting.entryId, 'filled', '5')
    expect(await due()).toEqual([])
    const arming = await created()
    await entryIs(arming.entryId, 'filled', '5')
    await due()
    expect(refused(await cancelBracket(arming.id))).toEqual([409, 'CONDITIONAL_NOT_ARMED'])
    actAs(await newAccount())
    expect(refused(await cancelBracket(arming.id))).toEqual([404, 'CONDITIONAL_NOT_FOUND'])
    actAs(accountId)
  })

  it('ends at expiresAt when the entry has not', async () => {
    const { created, read, brackets, due, entryIs } = await scene()
    const { id, entryId } = await created()
    expect(await brackets.store.expire({ limit: 10, at: new Date(evening.getTime() - 1) })).toBe(0)
    expect(await brackets.store.expire({ limit: 10, at: evening })).toBe(1)
    expect(await read(id)).toMatchObject({ status: 'expired' })
    await entryIs(entryId, 'filled', '5')
    expect(await due()).toEqual([])
  })
})
