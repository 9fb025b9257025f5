// docs/operations.md on backups of a cluster, as printed: with PostgreSQL's own programs, on a server that is not the embedded one, and the
// tape's engine behind ClickHouse's HTTP interface. Everything is lost, restored into new stores, halted, and served again by a process of
// each role over a new Kafka.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { roles } from '#config'
import { type Lab, startLab } from '#lab/lab'
import { ask, eventually, type Served } from '#test/support/cluster/client'
import { labEnvironment } from '#test/support/cluster/labEnvironment'
import { type RoleProcess, roleProcess } from '#test/support/cluster/roleProcess'
import { startClickhouse, startPostgres } from '#test/support/cluster/stores'
import { projectRoot, sampleOf } from '#test/support/docs/samples'
import { type KafkaCluster, startKafka } from '#test/support/kafka/broker'
import { hasKafka } from '#test/support/kafka/installed'
import {
  checkOperatorData,
  createOperatorData,
  type OperatorData,
  type Receiver,
  startReceiver,
} from '#test/support/ownedResources'
import { runCli } from './program.ts'

/** Where Debian installs its versions; on other systems they are in the path. */
const debian = '/usr/lib/postgresql'
const folders = [
  ...(existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []),
  ...(process.env.PATH ?? '').split(':'),
]
const programs = folders.find((folder) =>
  ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))),
)

type Stores = {
  postgres: Awaited<ReturnType<typeof startPostgres>>
  clickhouse: Awaited<ReturnType<typeof startClickhouse>>
}

const page = 'docs/operations.md'
const secrets = {
  CROSSBOOK_WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64'),
  CROSSBOOK_CONDITIONAL_KEYS: `k1:${randomBytes(32).toString('base64')}`,
}
let home: string
let lab: Lab
let receiver: Receiver
let stores: Stores
let kafka: KafkaCluster | null = null
let processes: RoleProcess[] = []

const openStores = async (): Promise<Stores> => {
  const binaries = { initdb: join(programs!, 'initdb'), postgres: join(programs!, 'postgres') }
  const [postgres, clickhouse] = await Promise.all([
    startPostgres({ binaries, locale: ['--locale=C.UTF-8'] }),
    startClickhouse({ database: 'crossbook' }),
  ])
  return { postgres, clickhouse }
}
const addresses = ({ postgres, clickhouse }: Stores) => ({
  DATABASE_URL: postgres.url,
  CLICKHOUSE_URL: `${clickhouse.url}/crossbook`,
})

beforeAll(async () => {
  if (programs === undefined) return
  home = await mkdtemp(join(tmpdir(), 'crossbook-backup-'))
  receiver = await startReceiver()
  ;[lab, stores] = await Promise.all([startLab({ seed: 'backup', ratePerSecond: 4 }), openStores()])
}, 120_000)
afterAll(async () => {
  await stopAll()
  await kafka?.stop()
  receiver?.stop()
  await Promise.all([stores?.postgres.stop(), stores?.clickhouse.stop(), lab?.stop()])
  if (home !== undefined) await rm(home, { recursive: true, force: true })
}, 60_000)

/** One process for each of `roles`. Resolves with the address of the gateway among them. */
async function start(name: string, roles: readonly string[]): Promise<Omit<Served, 'apiKey'>> {
  processes = roles.map((role) =>
    roleProcess({
      name: `${name} ${role}`,
      roles: role,
      dataDir: join(home, name, role),
      readyDeadlineMs: 120_000,
      env: {
        ...addresses(stores),
        ...secrets,
        ...(kafka !== null && { KAFKA_BROKERS: kafka.brokers.join(',') }),
        PORT: '0',
        LOG_LEVEL: 'warn',
        CROSSBOOK_OPERATIONS_PORT: '0',
        CROSSBOOK_PINNED_MARKETS: '5',
        CROSSBOOK_WEBHOOKS: 'true',
        CROSSBOOK_EXECUTION_WEBHOOKS: 'true',
        CROSSBOOK_CONDITIONAL: 'true',
        CROSSBOOK_WEBHOOK_ALLOW: receiver.host,
        ...labEnvironment(lab),
      },
    }),
  )
  await Promise.all(processes.map((process) => process.start()))
  const { url, stream } = processes.find((_, i) => roles[i] === 'all' || roles[i] === 'gateway')!
  // Creates the document that responses are compared with (heldAnswers.ts) before a request with a deadline needs it.
  await (await fetch(`${url}/health`)).text()
  return { url, stream }
}

/** Stops each cleanly. */
async function stopAll(): Promise<void> {
  const codes = await Promise.all(processes.map((process) => process.stop()))
  const outputs = processes.map((process) => process.output()).join('\n')
  const expected = processes.map(() => 0)
  processes = []
  expect(codes, outputs).toEqual(expected)
}

/** In the shell of the operator who makes the backups. npx costs more than what it starts. */
async function shell(commands: string): Promise<string> {
  const crossbook = `${process.execPath} --disable-warning=ExperimentalWarning ${projectRoot}src/cli.ts`
  const here = commands.replaceAll('npx crossbook', crossbook)
  const env = { ...addresses(stores), PATH: `${programs}:${process.env.PATH ?? ''}`, HOME: home, DATA_DIR: home }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here], { cwd: home, env })
  return stdout
}

const replayOf = async (served: Served, outcomeId: string, since: number, until: number): Promise<string[]> => {
  const query = `venue=kalshi&outcomeId=${outcomeId}&kind=tob&since=${since}&until=${until}&limit=20000`
  const { status, text } = await ask(served, `/v1/history/replay?${query}`)
  expect(status, text.slice(0, 300)).toBe(200)
  return text.trimEnd().split('\n').slice(0, -1)
}

it.skipIf(programs === undefined)(
  'a backup restores accounts, keys, sealed secrets, orders and the tape, and nothing trades before an operator resumes it (skipped without pg_dump and its server)',
  async () => {
    const first = await start('lost', ['all'])
    const words = ['keys', 'create', '--account', 'kept', '--plan', 'enterprise', '--scopes', 'read,trade', '--json']
    const { lines } = await runCli(words, addresses(stores))
    const { apiKey } = JSON.parse(lines[0]!) as { apiKey: string }
    const seeded: OperatorData = await createOperatorData({ ...first, apiKey }, lab.polymarket.urls.CLOB, receiver)
    const market = await eventually(async () => {
      const { body } = await ask({ ...first, apiKey }, '/api/kalshi/fetchMarkets?limit=1&sort=volume')
      const [found] = body.data as { outcomes: { outcomeId: string }[] }[]
      expect(found).toBeDefined()
      return found!.outcomes[0]!.outcomeId
    })
    const since = Date.now() - 600_000
    const until = await eventually(async () => {
      expect((await replayOf({ ...first, apiKey }, market, since, Date.now())).length).toBeGreaterThan(5)
      return Date.now() - 2_000
    })
    // Rows of that time may still be in transit.
    await eventually(async () => {
      const { body } = await ask({ ...first, apiKey }, `/v1/history/coverage?venue=kalshi&outcomeId=${market}`)
      const { completeUntil } = body.meta as { completeUntil: string | null }
      expect(Date.parse(completeUntil ?? '')).toBeGreaterThan(until)
    })
    const taped = await replayOf({ ...first, apiKey }, market, since, until)
    await stopAll()

    expect(await shell(sampleOf(page, 'pg_dump'))).toContain('BACKUP_CREATED')
    const { clickhouse, postgres } = stores
    const backups = join('engine', 'backups')
    cpSync(join(clickhouse.dir, backups), join(home, 'backups'), { recursive: true })
    await Promise.all([clickhouse.stop(), postgres.stop()])
    stores = await openStores()
    cpSync(join(home, 'backups'), join(stores.clickhouse.dir, backups), { recursive: true })

    const restored = await shell(sampleOf(page, 'pg_restore'))
    expect(restored).toContain('RESTORED')
    // Without Java, one process has all roles.
    if (hasKafka) kafka = await startKafka()
    const restoredAt = Date.now()
    const second = { ...(await start('restored', hasKafka ? roles : ['all'])), apiKey }
    for (const { name, operations } of processes)
      expect((await fetch(`${operations}/ready`)).status, `${name} is ready`).toBe(200)
    await checkOperatorData(second, seeded, receiver)
    expect(await replayOf(second, market, since, until)).toEqual(taped)
    // The tape continues after the restored rows.
    await eventually(async () =>
      expect((await replayOf(second, market, restoredAt, Date.now())).length).toBeGreaterThan(5),
    )
    const halted = await fetch(`${second.url}/v1/exec/halt`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(((await halted.json()) as { data: unknown[] }).data).toMatchObject([{ reason: 'restore' }])
    await shell(sampleOf(page, 'npx crossbook resume'))
    const resumed = await fetch(`${second.url}/v1/exec/halt`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(((await resumed.json()) as { data: unknown[] }).data).toEqual([])
  },
  360_000,
)
