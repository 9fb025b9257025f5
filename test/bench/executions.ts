// A durable build (fsync on): key, execution, audit and outbox in one statement, compared with the same rows in four round trips.
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '#core/log'
import { startEmbeddedPostgres } from '#storage/postgres/embedded'
import { createGroupInsert } from '#storage/postgres/executions/groupInsert'
import type { NewExecution } from '#storage/postgres/executions/insertExecutions'
import { migrate } from '#storage/postgres/migrate'
import { createPool, type Pool } from '#storage/postgres/pool'
import { type Bench, fullOrShort, median, rateResult } from './bench.ts'

const buildsPerRound = fullOrShort(400, 16)
const rounds = fullOrShort(7, 1)
const atOnce = 8

const unsigned = JSON.stringify({ ticker: 'BENCH', side: 'bid', count: '10.00', price: '0.5500' })
const unsignedSha256 = createHash('sha256').update(unsigned).digest()

const newBuild = (accountId: string): NewExecution => ({
  id: randomUUID(),
  accountId,
  keyId: accountId,
  venue: 'kalshi',
  intent: 'order',
  buildVersion: 1,
  unsigned,
  unsignedSha256,
  bounds: { tick: '0.01' },
  terms: null,
  owner: null,
  clientRef: null,
  notionalUsd: '5.5',
  roomUsd: '5.5',
  feeEstimate: null,
  warnings: [],
  collateral: null,
  buildResult: null,
  summary: null,
  targetId: null,
  key: { kind: 'build', key: randomUUID(), bodySha256: unsignedSha256 },
  at: new Date(),
})

const grouped = async (insert: ReturnType<typeof createGroupInsert>, build: NewExecution): Promise<void> => {
  const result = await insert(build)
  if (result.kind !== 'made') throw new Error(`a build was ${result.kind}`)
}

/** The same rows, written with as few statements as a separate transaction allows. */
async function fourRoundTrips(pool: Pool, build: NewExecution): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query({
      name: 'four_execution',
      text: `WITH e AS (INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256,
         bounds, notional_usd, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, 'built', $6, $7, $8, $9, $10, $11, $11) RETURNING id)
       INSERT INTO execution_audit (execution_id, to_status, event, at) SELECT id, 'built', 'build', $11 FROM e`,
      values: [
        build.id,
        build.accountId,
        build.keyId,
        build.venue,
        build.intent,
        build.buildVersion,
        build.unsigned,
        build.unsignedSha256,
        JSON.stringify(build.bounds),
        build.notionalUsd,
        build.at,
      ],
    })
    await client.query({
      name: 'four_key',
      text: `WITH k AS (INSERT INTO execution_keys (account_id, kind, key, body_sha256, execution_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING execution_id)
       INSERT INTO outbox (event, account_id, payload, created_at)
       SELECT 'execution.built', $1, jsonb_build_object('executionId', execution_id), $6 FROM k`,
      values: [build.accountId, build.key.kind, build.key.key, build.key.bodySha256, build.id, build.at],
    })
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const from = process.hrtime.bigint()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let done = 0; done < buildsPerRound / atOnce; done++) await work()
    }),
  )
  return (buildsPerRound * 1e9) / Number(process.hrtime.bigint() - from)
}

async function run() {
  const dataDir = await mkdtemp(join(tmpdir(), 'crossbook-bench-'))
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const pool = createPool({ url: server.url, log: silentLog })
  try {
    await migrate(pool, silentLog)
    const { rows } = await pool.query<{ id: string }>(`INSERT INTO accounts (name) VALUES ('bench') RETURNING id`)
    const accountId = rows[0]!.id
    const insert = createGroupInsert(pool, { patienceMs: 30_000 })
    const ours: number[] = []
    const theirs: number[] = []
    for (let round = -1; round < rounds; round++) {
      const one = await perSecond(() => grouped(insert, newBuild(accountId)))
      const four = await perSecond(() => fourRoundTrips(pool, newBuild(accountId)))
      // The first round warms up.
      if (round < 0) continue
      ours.push(one)
      theirs.push(four)
    }
    return [
      rateResult(
        'executions',
        'durable idempotent builds',
        'builds/s',
        median(ours),
        'four round trips',
        median(theirs),
      ),
    ]
  } finally {
    await pool.end()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

export const benches: readonly Bench[] = [{ name: 'executions', run }]
