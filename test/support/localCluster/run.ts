// Starts the whole cluster on loopback, in order, on real parts:
//
//   PostgreSQL ─► migrations, API key ─► ClickHouse's engine, Kafka ─► the lab ─► one process (or more) of every role
import { join } from 'node:path'
import { knownVariables } from '#config'
import { systemClock } from '#core/clock'
import type { Log } from '#core/log'
import { retryAtStartup } from '#core/retryAtStartup'
import { demoKey } from '#lab/demoKey'
import { demoFeatures, labRuntime, labVariables, startDemoLab } from '#lab/demoLab'
import { removeRuntime, writeRuntime } from '#roles/runtimeFile'
import { startEmbeddedPostgres } from '#storage/postgres/embedded'
import { migrate } from '#storage/postgres/migrate'
import { createPool, postgresAtStartup } from '#storage/postgres/pool'
import { isLab, markAsLab } from '#storage/postgres/settings'
import { startClickhouseServer } from '../clickhouseHttpServer.ts'
import { tailOf } from '../cluster/logTail.ts'
import { startKafka } from '../kafka/broker.ts'
import { readApiKey, secretVariables, writeApiKey, writeEnvironment } from './environment.ts'
import type { Logs } from './logs.ts'
import type { ClusterOptions } from './options.ts'
import type { Parts } from './parts.ts'
import { type RoleProcesses, roleProcesses } from './processes.ts'

/** Connections that one process opens at most, with those of its listeners and probes. */
const connectionsPerProcess = 16
const connectionsOfTools = 20
const rolesWithDatabase = 4

export interface RunningCluster {
  databaseUrl: string
  clickhouseUrl: string
  brokers: readonly string[]
  /** Null without a lab. */
  labControl: string | null
  processes: RoleProcesses['all']
  gateways: readonly { url: string; stream: string }[]
  apiKey: string
  environmentFile: string
}

export interface RunOptions {
  options: ClusterOptions
  parts: Parts
  environment: NodeJS.ProcessEnv
  logs: Logs
  log: Log
  report(text: string): void
}

export async function runCluster({
  options,
  parts,
  environment,
  logs,
  log,
  report,
}: RunOptions): Promise<RunningCluster> {
  const { brokers, copies, dataDir, labVenues } = options
  report('Starting PostgreSQL')
  // First: it holds the lock of the data directory.
  const postgres = await parts.keep(
    startEmbeddedPostgres({
      dataDir,
      log,
      settings: { max_connections: String(copies * rolesWithDatabase * connectionsPerProcess + connectionsOfTools) },
    }),
  )
  const apiKey = await prepareDatabase(postgres.url, labVenues !== null, dataDir, log)
  report(`Starting the ClickHouse engine, ${brokers} Kafka ${brokers === 1 ? 'broker' : 'brokers'}`)
  const kafkaLogs = Array.from({ length: brokers }, (_, i) => logs.open(brokers === 1 ? 'kafka' : `kafka-${i + 1}`))
  const [clickhouse, kafka] = await allStarted(
    parts.keep(startClickhouseServer({ dir: join(dataDir, 'clickhouse'), database: 'crossbook', log })),
    parts.keep(
      startKafka({
        count: brokers,
        dir: join(dataDir, 'kafka'),
        logFile: (index) => kafkaLogs[index]!,
        onEnd: (index, reason) =>
          report(
            `Kafka broker ${index + 1} ended by itself (${reason}) and is not started again. ${lastLines(kafkaLogs[index]!)}`,
          ),
        report,
      }),
    ),
  )
  if (labVenues !== null) report(`Starting ${labVenues.length} simulated venues: ${labVenues.join(', ')}`)
  const lab = labVenues === null ? null : await parts.keep(startDemoLab(labVenues))
  const clickhouseUrl = `${clickhouse.url}/crossbook`

  const shared = {
    ...(labVenues !== null && demoFeatures(labVenues)),
    ...givenSettings(environment),
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouseUrl,
    KAFKA_BROKERS: kafka.brokers.join(','),
    ...secretVariables(dataDir, environment),
    ...(lab !== null && labVariables(lab, labVenues!)),
  }
  const variables = {
    LOG_LEVEL: 'warn',
    ...inherited(environment),
    ...shared,
    CROSSBOOK_OPERATIONS_PORT: '0',
    // Each ends by itself when this process is gone.
    npm_lifecycle_event: 'cluster',
  }
  const processes = roleProcesses(options, variables, logs, report)
  report(`Starting ${processes.all.length} processes: ${processes.all.map(({ name }) => name).join(', ')}`)
  await parts.keep(Promise.resolve(processes))
  await processes.start()
  const gateways = processes.all.filter(({ role }) => role === 'gateway').map(({ url, stream }) => ({ url, stream }))
  writeRuntime(dataDir, {
    pid: process.pid,
    url: gateways[0]!.url,
    apiKey,
    ...(lab !== null && labRuntime(lab, labVenues!)),
  })
  await parts.keep(Promise.resolve({ stop: async () => removeRuntime(dataDir) }))
  return {
    databaseUrl: postgres.url,
    clickhouseUrl,
    brokers: kafka.brokers,
    labControl: lab?.control.url ?? null,
    processes: processes.all,
    gateways,
    apiKey,
    environmentFile: writeEnvironment(dataDir, shared),
  }
}

/** Both, or the failure of one after the other has settled, so that nothing is left half started. */
async function allStarted<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other])
  return Promise.all([one, other])
}

/** Simulated and real markets never share a database: it marks keys and responses as one or the other. */
function refuseMixture(wantsLab: boolean, hasLab: boolean, lastKey: string | null, dataDir: string): void {
  if (!wantsLab && hasLab)
    throw new Error(`${dataDir} holds simulated markets: start with --lab, or set another DATA_DIR`)
  if (wantsLab && !hasLab && lastKey !== null)
    throw new Error(`${dataDir} holds real markets: start without --lab, or set another DATA_DIR`)
}

async function prepareDatabase(url: string, wantsLab: boolean, dataDir: string, log: Log): Promise<string> {
  const pool = createPool({ url, log })
  const atStart = <T>(work: () => Promise<T>): Promise<T> =>
    retryAtStartup(postgresAtStartup, work, { clock: systemClock, log })
  try {
    await atStart(() => migrate(pool, log))
    const lastKey = readApiKey(dataDir)
    refuseMixture(wantsLab, await atStart(() => isLab(pool)), lastKey, dataDir)
    if (wantsLab) await atStart(() => markAsLab(pool))
    const apiKey = await atStart(() => demoKey(pool, lastKey, 'cluster'))
    writeApiKey(dataDir, apiKey)
    return apiKey
  } finally {
    await pool.end()
  }
}

/** Those of one process: its role, its ports and its folder. */
const ofOneProcess: ReadonlySet<string> = new Set([
  ...['ROLES', 'PORT', 'DATA_DIR', 'CROSSBOOK_OPERATIONS_PORT', 'CROSSBOOK_GATEWAY_ID'],
])

const inherited = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || ofOneProcess.has(name) ? [] : [[name, value]],
    ),
  )

/** The operator's settings for all processes, including the venues' settings. */
const givenSettings = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(inherited(environment)).filter(
      ([name]) => name.startsWith('CROSSBOOK_') || knownVariables.includes(name),
    ),
  )

function lastLines(file: string): string {
  const lines = tailOf(file)
  return lines === '' ? `It printed nothing (${file}).` : `The last lines of ${file}:\n${lines}`
}
