// The warm-up of a submit uses its connection like a real submit, but writes nothing and sends nothing.
import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { silentLog } from '#core/log'
import { createArtifactSeal, newSealKey, parseSealKeys } from '#orders/conditional/artifactEncryption'
import { warmupSubmit } from '#roles/submitWarmup'
import type { TriggerAndClaim } from '#storage/postgres/conditional/triggerAndClaim'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { deleteHalt, insertHalt } from '#storage/postgres/halts/halts'
import { createPool, inTransaction, type Pool } from '#storage/postgres/pool'
import { evidence, fastPathScenes, lease } from '#test/support/conditional/atOnceScene'
import { noon, openConditionalOrders, sha256 } from '#test/support/conditional/book'

const { pg, scene } = fastPathScenes()
const keys = parseSealKeys(newSealKey())
const seal = createArtifactSeal(() => keys)
const fired = { blocks: () => false, signal: new AbortController().signal }

/** On a connection of its own. */
async function rehearsal() {
  const given = await scene()
  const pool = createPool({ url: pg.url, log: silentLog, connectionsMax: 1 })
  onTestFinished(() => pool.end())
  const book = await openConditionalOrders(pool, given.world.accountId)
  const claimed: string[] = []
  const store = {
    ...book.store,
    async rehearseAtOnce(...args: Parameters<typeof book.store.rehearseAtOnce>) {
      const made = await book.store.rehearseAtOnce(...args)
      claimed.push(made.kind)
      return made
    },
  }
  const { clock, log, random, executions } = given.deps
  const rehearse = warmupSubmit({ store, seal, clock, log, random, executions }, given.world.deps, fired)!
  return { ...given, book, pool, claimed, rehearse }
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
  const { rehearse, pool, claimed, venue } = await rehearsal()
  const before = await rowCounts(pool)
  expect(Object.keys(before)).toContain('execution_audit')
  await Promise.all([rehearse(), rehearse()])
  expect(claimed).toEqual(['claimed', 'claimed'])
  expect(await rowCounts(pool)).toEqual(before)
  expect(venue.placed).toEqual([])
})

it('prepares every statement of both paths on its connection', async () => {
  const { rehearse, pool, book, armed } = await rehearsal()
  await rehearse()
  const rehearsed = new Set(await planned(pool))
  const submitOf = (order: TriggerAndClaim['held']) => ({
    accountId: book.accountId,
    key: `cond:${order.id}:1`,
    bodySha256: sha256('body'),
    reservationId: null,
    isChange: false,
    tradesAt: order.venue,
    move: { id: order.execution_id, from: 'built', to: 'submitted', event: 'submit', fills: [], at: noon } as const,
    fire: { conditionalId: order.id, lease: order.lease, attempt: 1 },
  })
  const never = { isRecalled: () => false, late: () => undefined }
  const longer = await armed()
  const { turns } = (await book.store.triggerUnlessRecalled([{ id: longer.id, evidence }], {
    at: noon,
    claim: lease,
    ...never,
  }))!
  const claim = { ...submitOf(turns[0]!.held), late: () => undefined }
  expect(await createExecutionStore(pool).claim(claim)).toMatchObject({ kind: 'claimed' })
  const direct = await armed({ ocoGroupId: randomUUID() })
  const prepare = async ({ held }: TriggerAndClaim) => submitOf(held)
  const made = await book.store.triggerAndClaim({ id: direct.id, evidence }, { lease, prepare, ...never })
  expect(made).toMatchObject({ kind: 'claimed' })
  expect((await planned(pool)).filter((statement) => !rehearsed.has(statement))).toEqual([])
})

it('belongs to no venue: a halt of one venue does not stop it', async () => {
  const { rehearse, claimed, world } = await rehearsal()
  const words = [...world.deps.lanes.keys()].map(
    (venue) => ({ accountId: null, venue, setBy: 'operator', setByName: 'k', reason: 'r', at: noon }) as const,
  )
  onTestFinished(async () => {
    for (const word of words) await deleteHalt(pg.pool, word)
  })
  expect(words).not.toEqual([])
  for (const word of words) await insertHalt(pg.pool, word)
  await rehearse()
  expect(claimed).toEqual(['claimed'])
})

it('is ended by the database when its process freezes, sooner than a real submit', async () => {
  const { book, pool, ...given } = await rehearsal()
  const firing = createPool({ url: pg.url, log: silentLog, connectionsMax: 1 })
  onTestFinished(() => firing.end())
  const ends: string[] = []
  const lost = (of: Pool, name: string) =>
    new Promise<void>((resume) => {
      of.on('connect', (client) => client.on('error', () => resume(void ends.push(name))))
    })
  const [rehearsalLost, fireLost] = [lost(pool, 'rehearsal'), lost(firing, 'fire')]
  const over = Promise.withResolvers<void>()
  const fire = inTransaction(firing, async (db) => {
    await db.query('SELECT 1')
    await Promise.race([fireLost, over.promise])
  })
  const frozen = {
    ...book.store,
    rehearseAtOnce: (...[standIn, decision, options]: Parameters<typeof book.store.rehearseAtOnce>) =>
      book.store.rehearseAtOnce(standIn, decision, {
        ...options,
        prepare: async (turn) => {
          await rehearsalLost
          return options.prepare(turn)
        },
      }),
  }
  const { clock, log, random, executions } = given.deps
  const rehearse = warmupSubmit({ store: frozen, seal, clock, log, random, executions }, given.world.deps, fired)!
  await expect(rehearse()).rejects.toThrow('not available')
  expect(ends).toEqual(['rehearsal'])
  over.resolve()
  await fire
})

it('fails while all trading is halted, and works again afterwards', async () => {
  const { rehearse, pool, claimed } = await rehearsal()
  const word = { accountId: null, venue: null, setBy: 'operator', setByName: 'k', reason: 'r', at: noon } as const
  await insertHalt(pg.pool, word)
  onTestFinished(async () => void (await deleteHalt(pg.pool, word)))
  const before = await rowCounts(pool)
  await expect(rehearse()).rejects.toThrow('a warm-up order was not claimed')
  expect(await rowCounts(pool)).toEqual(before)
  await deleteHalt(pg.pool, word)
  await rehearse()
  expect(claimed).toEqual(['halted', 'claimed'])
})
