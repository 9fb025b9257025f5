// The warm-up of a submit uses its connection like a real submit, but writes nothing and sends nothing.
import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { silentLog } from '#core/log'
import { createArtifactSeal, newSealKey, parseSealKeys } from '#orders/conditional/artifactEncryption'
import type { WarmupDeps } from '#orders/conditional/warmup'
import { warmupSubmit } from '#roles/submitWarmup'
import type { FiringRow } from '#storage/postgres/conditional/firing'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { deleteHalt, insertHalt } from '#storage/postgres/halts/halts'
import { createPool, inTransaction, type Pool } from '#storage/postgres/pool'
import { noon, openConditionalOrders, sha256 } from '#test/support/conditional/book'
import { evidence, lease, triggerScenes } from '#test/support/conditional/triggerScene'

const { pg, scene } = triggerScenes()
const keys = parseSealKeys(newSealKey())
const seal = createArtifactSeal(() => keys)
const fired = { blocks: () => false, signal: new AbortController().signal }

/** On a connection of its own. */
async function warmupScene() {
  const given = await scene()
  const pool = createPool({ url: pg.url, log: silentLog, connectionsMax: 1 })
  onTestFinished(() => pool.end())
  const book = await openConditionalOrders(pool, given.world.accountId)
  const results: string[] = []
  const warmUpWith = (warmUpIn: WarmupDeps['store']['warmUp']) =>
    warmupSubmit({ store: { warmUp: warmUpIn }, seal, clock: given.clock }, given.world.deps, fired)!
  const warmUp = warmUpWith(async (...options) => {
    const made = await book.store.warmUp(...options)
    results.push(made.kind)
    return made
  })
  return { ...given, book, pool, results, warmUp, warmUpWith }
}

/** Of every table. */
async function rowCounts(pool: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  )
  const counts: Record<string, string> = {}
  for (const { name } of tables)
    counts[name] = (await pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${name}`)).rows[0]!.n
  return counts
}

const planned = async (pool: Pool): Promise<string[]> =>
  (await pool.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements')).rows.map(
    (row) => row.statement,
  )

it('is claimed like a real order, writes no row in any table, and sends nothing', async () => {
  const { warmUp, pool, results, venue } = await warmupScene()
  const before = await rowCounts(pool)
  expect(Object.keys(before)).toContain('execution_audit')
  await Promise.all([warmUp(), warmUp()])
  expect(results).toEqual(['claimed', 'claimed'])
  expect(await rowCounts(pool)).toEqual(before)
  expect(venue.placed).toEqual([])
})

it('prepares every statement of a trigger and a claim on its connection', async () => {
  const { warmUp, pool, book, armed } = await warmupScene()
  await warmUp()
  const before = new Set(await planned(pool))
  const executions = createExecutionStore(pool)
  const claimOf = (order: FiringRow) => ({
    accountId: book.accountId,
    key: `cond:${order.id}:1`,
    bodySha256: sha256('body'),
    reservationId: null,
    isChange: false,
    tradesAt: order.venue,
    move: {
      id: order.execution_id,
      venue: order.venue,
      from: 'built',
      to: 'submitted',
      event: 'submit',
      fills: [],
      at: noon,
    } as const,
    fire: { conditionalId: order.id, lease: order.lease, attempt: 1 },
    late: () => undefined,
  })
  for (const ocoGroupId of [null, randomUUID()]) {
    const { id } = await armed({ ocoGroupId })
    const recall = { at: noon, claim: lease, isRecalled: () => false, late: () => undefined }
    const { turns } = (await book.store.triggerUnlessRecalled([{ id, evidence }], recall))!
    expect(await executions.claim(claimOf(turns[0]!.held))).toMatchObject({ kind: 'claimed' })
  }
  expect((await planned(pool)).filter((statement) => !before.has(statement))).toEqual([])
})

it('belongs to no venue: a halt of one venue does not stop it', async () => {
  const { warmUp, results, world } = await warmupScene()
  const words = [...world.deps.lanes.keys()].map(
    (venue) => ({ accountId: null, venue, setBy: 'operator', setByName: 'k', reason: 'r', at: noon }) as const,
  )
  onTestFinished(async () => {
    for (const word of words) await deleteHalt(pg.pool, word)
  })
  expect(words).not.toEqual([])
  for (const word of words) await insertHalt(pg.pool, word)
  await warmUp()
  expect(results).toEqual(['claimed'])
})

it('is ended by the database when its process freezes, sooner than a real submit', async () => {
  const { book, pool, warmUpWith } = await warmupScene()
  const firing = createPool({ url: pg.url, log: silentLog, connectionsMax: 1 })
  onTestFinished(() => firing.end())
  const ends: string[] = []
  const lost = (of: Pool, name: string) =>
    new Promise<void>((resume) => {
      of.on('connect', (client) => client.on('error', () => resume(void ends.push(name))))
    })
  const [warmupLost, fireLost] = [lost(pool, 'warm-up'), lost(firing, 'fire')]
  const over = Promise.withResolvers<void>()
  const fire = inTransaction(firing, async (db) => {
    await db.query('SELECT 1')
    await Promise.race([fireLost, over.promise])
  })
  const warmUp = warmUpWith((dummy, options) =>
    book.store.warmUp(dummy, {
      ...options,
      prepare: async (turn) => {
        await warmupLost
        return options.prepare(turn)
      },
    }),
  )
  await expect(warmUp()).rejects.toThrow('not available')
  expect(ends).toEqual(['warm-up'])
  over.resolve()
  await fire
})

it('fails while all trading is halted, and works again afterwards', async () => {
  const { warmUp, pool, results } = await warmupScene()
  const word = { accountId: null, venue: null, setBy: 'operator', setByName: 'k', reason: 'r', at: noon } as const
  await insertHalt(pg.pool, word)
  onTestFinished(async () => void (await deleteHalt(pg.pool, word)))
  const before = await rowCounts(pool)
  await expect(warmUp()).rejects.toThrow('a warm-up order was not claimed')
  expect(await rowCounts(pool)).toEqual(before)
  await deleteHalt(pg.pool, word)
  await warmUp()
  expect(results).toEqual(['not_leased', 'claimed'])
})
