import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { createGroupInsert } from '#storage/postgres/executions/groupInsert'
import type { NewExecution } from '#storage/postgres/executions/insertExecutions'
import type { Queryable } from '#storage/postgres/pool'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()

const sha = (text: string) => createHash('sha256').update(text).digest()
const account = async (): Promise<string> =>
  (await pg.pool.query<{ id: string }>('INSERT INTO accounts (name) VALUES ($1) RETURNING id', [randomUUID()])).rows[0]!
    .id
const build = (accountId: string, change: Partial<NewExecution> = {}): NewExecution => ({
  id: randomUUID(),
  accountId,
  keyId: randomUUID(),
  venue: 'kalshi',
  intent: 'order',
  buildVersion: 1,
  unsigned: '{"price":"0.55"}',
  unsignedSha256: sha('{"price":"0.55"}'),
  bounds: { tick: '0.01' },
  terms: null,
  owner: null,
  clientRef: 'ünï 🙂 "quoted" \\',
  notionalUsd: '5.5',
  roomUsd: '5.5',
  feeEstimate: { total: '0.07' },
  warnings: ['first', 'second, "with" {marks}'],
  collateral: null,
  buildResult: null,
  summary: null,
  targetId: null,
  key: { kind: 'build', key: randomUUID(), bodySha256: sha('body') },
  at: new Date('2026-01-02T23:59:59.123Z'),
  ...change,
})
const count = async (table: string, accountId: string): Promise<number> =>
  Number(
    (await pg.pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${table} WHERE account_id = $1`, [accountId]))
      .rows[0]!.n,
  )

/** Counts statements, and holds them until they are released. */
function held() {
  let statements = 0
  const begun = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  const query = async (config: never) => {
    statements++
    begun.resolve()
    await open.promise
    return pg.pool.query(config)
  }
  const db: Queryable = { query: query as Queryable['query'] }
  return { db, statements: () => statements, begun: begun.promise, release: open.resolve }
}

describe('a group of builds', () => {
  it('inserts all builds that waited during a statement with one statement, and returns each its own row', async () => {
    const accountId = await account()
    const { db, statements, begun, release } = held()
    const insert = createGroupInsert(db, { patienceMs: 60_000 })
    const first = insert(build(accountId))
    await begun
    const wanted = Array.from({ length: 100 }, () => build(accountId))
    const others = wanted.map((one) => insert(one))
    release()
    const results = await Promise.all([first, ...others])
    expect(statements()).toBe(2)
    expect(results.map(({ kind }) => kind)).toEqual(Array.from({ length: 101 }, () => 'made'))
    expect(results.slice(1).map((result) => result.kind === 'made' && result.row.id)).toEqual(
      wanted.map(({ id }) => id),
    )
    for (const table of ['executions', 'execution_keys', 'outbox']) expect(await count(table, accountId)).toBe(101)
  })

  it('keeps every column as given', async () => {
    const accountId = await account()
    const wanted = build(accountId, { terms: { side: 'buy' }, collateral: { token: 'USDC' }, owner: '0xab' })
    const result = await createGroupInsert(pg.pool, { patienceMs: 60_000 })(wanted)
    expect(result.kind === 'made' && result.row).toMatchObject({
      id: wanted.id,
      account_id: accountId,
      key_id: wanted.keyId,
      status: 'built',
      unsigned: wanted.unsigned,
      unsigned_sha256: wanted.unsignedSha256,
      bounds: wanted.bounds,
      terms: wanted.terms,
      owner: '0xab',
      client_ref: wanted.clientRef,
      notional_usd: '5.5',
      fee_estimate: wanted.feeEstimate,
      warnings: wanted.warnings,
      collateral: wanted.collateral,
      build_result: null,
      summary: null,
      target_id: null,
      created_at: wanted.at,
    })
  })

  it('accepts an idempotency key once, also within one group', async () => {
    const accountId = await account()
    const key = { kind: 'build', key: 'same', bodySha256: sha('body') } as const
    const insert = createGroupInsert(pg.pool, { patienceMs: 60_000 })
    const results = await Promise.all(Array.from({ length: 10 }, () => insert(build(accountId, { key }))))
    expect(results.map(({ kind }) => kind).sort()).toEqual(['made', ...Array.from({ length: 9 }, () => 'taken')])
    expect(await count('executions', accountId)).toBe(1)
  })

  it('rejects only the build that exceeds its cap', async () => {
    const [capped, free] = [await account(), await account()]
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 12)', [capped])
    const insert = createGroupInsert(pg.pool, { patienceMs: 60_000 })
    const results = await Promise.all([
      ...Array.from({ length: 3 }, () => insert(build(capped))),
      ...Array.from({ length: 20 }, () => insert(build(free))),
    ])
    expect(
      results
        .slice(0, 3)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['made', 'made', 'spend_cap'])
    expect(results.slice(3).every(({ kind }) => kind === 'made')).toBe(true)
    const { rows } = await pg.pool.query('SELECT reserved, day::text FROM spend_reserved WHERE scope_id = $1', [capped])
    expect(rows).toEqual([{ reserved: '11.0', day: '2026-01-02' }])
    expect([await count('executions', capped), await count('outbox', capped)]).toEqual([2, 2])
  })

  it('needs few statements however many builds exceed a cap', async () => {
    const [capped, free] = [await account(), await account()]
    const keyId = randomUUID()
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 20.5), ($2, 12)', [capped, keyId])
    const key = { kind: 'build', key: 'same', bodySha256: sha('body') } as const
    const { db, statements, begun, release } = held()
    const insert = createGroupInsert(db, { patienceMs: 60_000 })
    const first = insert(build(capped, { roomUsd: '3', key }))
    await begun
    const others = [
      // The key is taken: neither its amount nor its unknown value counts.
      insert(build(capped, { roomUsd: null, key })),
      ...Array.from({ length: 60 }, () => insert(build(capped, { roomUsd: '3.5', keyId }))),
      // Exactly the headroom that remains after those.
      insert(build(capped, { roomUsd: '7' })),
      insert(build(capped, { roomUsd: null })),
      insert(build(capped, { intent: 'cancel', notionalUsd: null, roomUsd: '0' })),
      insert(build(free)),
    ]
    release()
    const kinds = (await Promise.all([first, ...others])).map(({ kind }) => kind)
    const beyond = Array.from({ length: 57 }, () => 'spend_cap')
    expect(kinds).toEqual([
      ...['made', 'taken', 'made', 'made', 'made', ...beyond],
      ...['made', 'spend_cap', 'made', 'made'],
    ])
    expect(statements()).toBeLessThan(9)
    const { rows } = await pg.pool.query('SELECT reserved FROM spend_reserved WHERE scope_id IN ($1, $2) ORDER BY 1', [
      capped,
      keyId,
    ])
    expect(rows).toEqual([{ reserved: '10.5' }, { reserved: '20.5' }])
  })

  it('adds up the orders of one group under an account cap and a key cap', async () => {
    const accountId = await account()
    const keyId = randomUUID()
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 100), ($2, 50)', [accountId, keyId])
    const insert = createGroupInsert(pg.pool, { patienceMs: 60_000 })
    await Promise.all([
      insert(build(accountId, { keyId })),
      insert(build(accountId, { keyId })),
      insert(build(accountId)),
      insert(build(accountId, { intent: 'cancel', notionalUsd: null, roomUsd: '0' })),
    ])
    const { rows } = await pg.pool.query(
      'SELECT cap, reserved FROM spend_reserved WHERE scope_id IN ($1, $2) ORDER BY cap',
      [accountId, keyId],
    )
    expect(rows).toEqual([
      { cap: '50', reserved: '11.0' },
      { cap: '100', reserved: '16.5' },
    ])
  })

  it('fails only the row that cannot be written', async () => {
    const accountId = await account()
    const insert = createGroupInsert(pg.pool, { patienceMs: 60_000 })
    const results = await Promise.allSettled([
      insert(build(accountId)),
      insert(build(randomUUID())),
      insert(build(accountId)),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await count('executions', accountId)).toBe(2)
  })

  it('never writes a build whose caller already received a failure', async () => {
    const accountId = await account()
    const clock = new ManualClock(1_000)
    const { db, statements, begun, release } = held()
    const insert = createGroupInsert(db, { patienceMs: 1_500, clock })
    const first = insert(build(accountId))
    await begun
    const late = insert(build(accountId))
    clock.advance(1_500)
    release()
    await first
    await expect(late).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
    expect([statements(), await count('executions', accountId)]).toEqual([1, 1])
  })

  it('rejects builds at once when the queue is full', async () => {
    const accountId = await account()
    const { db, begun, release } = held()
    const insert = createGroupInsert(db, { patienceMs: 60_000 })
    const first = insert(build(accountId))
    await begun
    const waiting = Array.from({ length: 4_096 }, () => insert(build(accountId)))
    await expect(insert(build(accountId))).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE', retryAfterSeconds: 1 })
    release()
    const results = await Promise.all([first, ...waiting])
    expect(results.every(({ kind }) => kind === 'made')).toBe(true)
  }, 60_000)
})
