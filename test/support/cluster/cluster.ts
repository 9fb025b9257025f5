// A cluster on one machine: the lab's venues, one Kafka broker or three, PostgreSQL, ClickHouse over HTTP, and any set of role processes.
//
//   lab ─► ingest ─► Kafka ─► tape, tape ─► ClickHouse
//                      └────► gateway, gateway ─► tests            jobs ─► PostgreSQL ◄─ all but tape
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { createKey } from '#platform/auth/keys'
import { migrate } from '#storage/postgres/migrate'
import { createPool } from '#storage/postgres/pool'
import { type KafkaCluster, startKafka } from '../kafka/broker.ts'
import { labEnvironment } from './labEnvironment.ts'
import { type RoleProcess, roleProcess } from './roleProcess.ts'
import { startClickhouse, startPostgres, type TestStore } from './stores.ts'

export interface ClusterOptions<Name extends string> {
  seed: string
  /** Synthetic messages per second and market of the lab. */
  ratePerSecond: number
  /** Process name → its ROLES. */
  processes: Readonly<Record<Name, string>>
  env?: Readonly<Record<string, string>>
  /** Of some processes, in addition to `env`. */
  ownEnv?: Readonly<Partial<Record<NoInfer<Name>, Readonly<Record<string, string>>>>>
  /** Default 1. */
  brokers?: 1 | 3
  /** Time limit for a starting process to report ready. */
  readyDeadlineMs?: number
  /** Processes that reach Kafka through `kafka.proxies`. */
  proxied?: readonly NoInfer<Name>[]
  /** Folder for the logs of the processes; each is appended to one file. Default: the last lines are kept in memory. */
  logFolder?: string
  /** Processes that the test starts itself. */
  later?: readonly NoInfer<Name>[]
}

export interface Cluster<Name extends string> {
  lab: Lab
  kafka: KafkaCluster
  postgres: TestStore
  clickhouse: TestStore
  processes: Readonly<Record<Name, RoleProcess>>
  apiKey: string
  /** Exit code of each process; null for those that did not run or had to be killed. */
  stop(): Promise<Record<Name, number | null>>
}

export async function startCluster<Name extends string>(options: ClusterOptions<Name>): Promise<Cluster<Name>> {
  const stops: (() => Promise<unknown>)[] = []
  const kept = <T extends { stop(): Promise<unknown> }>(part: T): T => {
    stops.push(() => part.stop())
    return part
  }
  const home = await mkdtemp(join(tmpdir(), 'crossbook-cluster-'))
  stops.push(() => rm(home, { recursive: true, force: true }))
  const names = Object.keys(options.processes) as Name[]
  const codes = Object.fromEntries(names.map((name) => [name, null])) as Record<Name, number | null>
  const stopAll = async (): Promise<void> => {
    const failures: unknown[] = []
    for (const stop of stops.splice(0).reverse()) await stop().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, 'the cluster did not stop cleanly')
  }
  try {
    // Stops each part that did start, also when another one did not.
    const parts = await Promise.allSettled([
      startLab({ seed: options.seed, ratePerSecond: options.ratePerSecond }).then(kept),
      startKafka({ count: options.brokers ?? 1, proxied: options.proxied !== undefined }).then(kept),
      startPostgres().then(kept),
      startClickhouse().then(kept),
    ] as const)
    const [lab, kafka, postgres, clickhouse] = parts.map((part) => {
      if (part.status === 'rejected') throw part.reason
      return part.value
    }) as [Lab, KafkaCluster, TestStore, TestStore]
    const apiKey = await issueKey(postgres.url)
    const env = {
      PORT: '0',
      LOG_LEVEL: options.logFolder === undefined ? 'warn' : 'info',
      DATABASE_URL: postgres.url,
      CLICKHOUSE_URL: clickhouse.url,
      KAFKA_BROKERS: kafka.brokers.join(','),
      CROSSBOOK_PINNED_MARKETS: '10',
      CROSSBOOK_IDLE_UNWATCH_MS: '1000',
      ...labEnvironment(lab),
      ...options.env,
    }
    const processes = Object.fromEntries(
      names.map((name) => [
        name,
        roleProcess({
          name,
          roles: options.processes[name],
          env: {
            ...env,
            ...(options.proxied?.includes(name) && { KAFKA_BROKERS: kafka.proxiedBrokers.join(',') }),
            ...options.ownEnv?.[name],
          },
          dataDir: join(home, name),
          ...(options.readyDeadlineMs === undefined ? {} : { readyDeadlineMs: options.readyDeadlineMs }),
          ...(options.logFolder === undefined ? {} : { logFile: join(options.logFolder, `${name}.log`) }),
        }),
      ]),
    ) as Record<Name, RoleProcess>
    stops.push(async () => {
      await Promise.all(
        names.map(async (name) => {
          codes[name] = await processes[name].stop()
        }),
      )
    })
    await Promise.all(names.map((name) => (options.later?.includes(name) ? undefined : processes[name].start())))
    // The first response builds the document that all are checked against (heldAnswers.ts): half a minute on a busy machine, which no
    // test's own deadline allows for.
    const gateway = names.find((name) => options.processes[name] === 'gateway' && !options.later?.includes(name))
    if (gateway !== undefined) await (await fetch(`${processes[gateway].url}/health`)).text()
    return {
      lab,
      kafka,
      postgres,
      clickhouse,
      processes,
      apiKey,
      async stop() {
        await stopAll()
        return codes
      },
    }
  } catch (error) {
    await stopAll().catch(() => undefined)
    throw error
  }
}

async function issueKey(databaseUrl: string): Promise<string> {
  const pool = createPool({ url: databaseUrl, log: silentLog })
  try {
    await migrate(pool, silentLog)
    const { apiKey } = await createKey(pool, { account: 'cluster', plan: 'enterprise', scopes: ['read', 'trade'] })
    return apiKey
  } finally {
    await pool.end()
  }
}
