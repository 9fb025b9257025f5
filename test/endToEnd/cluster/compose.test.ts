// docker-compose.yml without Docker: everything it names exists, and each of its services, run as it is written, becomes healthy.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Lab, startLab } from '#lab/lab'
import { eventually } from '#test/support/cluster/client'
import { labEnvironment } from '#test/support/cluster/labEnvironment'
import { startClickhouse, startPostgres, type TestStore } from '#test/support/cluster/stores'
import {
  exampleNames,
  imageCommand,
  imageSources,
  interpolated,
  projectRoot,
  readCompose,
  readProject,
  type Service,
} from '#test/support/compose'
import { freePort } from '#test/support/freePort'
import { type KafkaCluster, startKafka } from '#test/support/kafka/broker'
import { hasKafka } from '#test/support/kafka/installed'
import { sourceFiles } from '../../conventions/source.ts'

/** Of each process, for error messages. */
const outputKept = 4_000

/** As an operator fills it in. */
const passwords = {
  ...Object.fromEntries(exampleNames().map((name) => [name, `${name.toLowerCase().replaceAll('_', '')}1`])),
  CROSSBOOK_CONDITIONAL_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  CROSSBOOK_WEBHOOK_SECRET_KEY: Buffer.alloc(32, 2).toString('base64'),
}
const compose = readCompose(passwords)
const services = Object.entries(compose.services)
const ownImage = 'crossbook:local'
const own = services.filter(([, { image }]) => image === ownImage)
const brokers = services.filter(([name]) => name.startsWith('kafka-'))
const environmentOf = ({ environment }: Service): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))

describe('what docker-compose.yml names', () => {
  it('is refused with an instruction while .env is not filled in', () => {
    expect(() => readCompose({})).toThrow('copy .env.example to .env')
    expect(interpolated('a $$PATH', {})).toBe('a $PATH')
  })

  it('is a role of the program for each service of its own image, which one of them builds, and a pinned image for every other', () => {
    expect(own.map(([name, { environment }]) => [name, environment.ROLES])).toEqual(own.map(([name]) => [name, name]))
    expect(own.map(([name]) => name).sort()).toEqual(['compute', 'gateway', 'ingest', 'jobs', 'tape'])
    expect(services.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['ingest'])
    for (const [name, { image, build, pull_policy }] of services) {
      if (image === ownImage) {
        expect(build ?? '.', name).toBe('.')
        // No registry has it: an engine that looks there first fails.
        expect(pull_policy, name).toBe('never')
      } else expect(image, name).toMatch(/^[a-z/-]+:v?\d+(\.\d+)+(@sha256:[0-9a-f]{64})?$/)
    }
  })

  it('limits the memory of every service, in total to no more than the page states', () => {
    const gigabytes = (text: string): number => {
      const [, size, unit] = /^(\d+)([mg])$/.exec(text)!
      return Number(size) / (unit === 'm' ? 1_024 : 1)
    }
    const total = services
      .map(([, { deploy }]) => gigabytes(deploy.resources.limits.memory) * deploy.replicas)
      .reduce((sum, limit) => sum + limit, 0)
    const page = readProject('docs/cluster.md')
    expect(page).toContain(`memory limits add up to ${total} GB`)
    expect(total).toBeLessThanOrEqual(Number(/a machine with (\d+) GB/.exec(page)![1]))
  })

  it('is a Kafka of three brokers, any one of which may fail', () => {
    expect(brokers.map(([name]) => name)).toEqual(['kafka-1', 'kafka-2', 'kafka-3'])
    const one = <T>(values: readonly T[]): T => {
      expect(new Set(values).size).toBe(1)
      return values[0]!
    }
    const settings = brokers.map(([, { environment }]) => environment)
    expect(settings.map(({ KAFKA_NODE_ID }) => KAFKA_NODE_ID)).toEqual([1, 2, 3])
    expect(settings.map(({ KAFKA_ADVERTISED_LISTENERS }) => KAFKA_ADVERTISED_LISTENERS)).toEqual(
      brokers.map(([name]) => `PLAINTEXT://${name}:9092`),
    )
    expect(one(settings.map(({ KAFKA_CONTROLLER_QUORUM_VOTERS }) => KAFKA_CONTROLLER_QUORUM_VOTERS))).toBe(
      brokers.map(([name], i) => `${i + 1}@${name}:9093`).join(','),
    )
    // 16 bytes, as Kafka writes them.
    expect(Buffer.from(String(one(settings.map(({ CLUSTER_ID }) => CLUSTER_ID))), 'base64url')).toHaveLength(16)
    for (const setting of settings)
      expect(setting).toMatchObject({
        KAFKA_DEFAULT_REPLICATION_FACTOR: 3,
        KAFKA_MIN_INSYNC_REPLICAS: 2,
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: 3,
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: 3,
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: 2,
      })
    // Two brokers on one volume would share one broker's data.
    expect(new Set(brokers.map(([, { volumes }]) => volumes[0])).size).toBe(3)
  })

  it('exists: volumes, files and the services that others wait for', () => {
    const mounts = services.flatMap(([, { volumes }]) => volumes.map((volume) => volume.split(':')[0]!))
    const files = mounts.filter((from) => from.startsWith('.'))
    expect(files.length).toBeGreaterThan(3)
    expect(files.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([])
    const named = mounts.filter((from) => !from.startsWith('.'))
    expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)))
    for (const [name, { depends_on }] of services) {
      const waited = Array.isArray(depends_on)
        ? depends_on.map((other) => [other, null] as const)
        : Object.entries(depends_on)
      for (const [other, how] of waited) {
        expect(compose.services[other], `${name} waits for ${other}`).toBeDefined()
        if (how?.condition === 'service_healthy') expect(compose.services[other]!.healthcheck, other).toBeDefined()
      }
    }
  })

  it('opens ports on the loopback address only, and none for metrics', () => {
    const publishedPorts = services.flatMap(([, { ports }]) => ports)
    expect(publishedPorts.length).toBeGreaterThan(1)
    for (const published of publishedPorts) expect(published).toMatch(/^127\.0\.0\.1:\d+:\d+$/)
    for (const [, { ports, environment }] of own)
      expect(ports.map((published) => published.split(':')[2])).not.toContain(environment.CROSSBOOK_OPERATIONS_PORT)
  })

  it('points to stores that have the same users, passwords and databases', () => {
    const { postgres, clickhouse } = compose.services as Record<'postgres' | 'clickhouse', Service>
    for (const [, service] of own) {
      const { DATABASE_URL, CLICKHOUSE_URL, KAFKA_BROKERS } = environmentOf(service)
      const database = new URL(DATABASE_URL!)
      const tape = new URL(CLICKHOUSE_URL!)
      expect([database.hostname, tape.hostname]).toEqual(['postgres', 'clickhouse'])
      expect(KAFKA_BROKERS).toBe(brokers.map(([name]) => `${name}:9092`).join(','))
      expect(postgres.environment).toMatchObject({
        POSTGRES_USER: database.username,
        POSTGRES_PASSWORD: database.password,
        POSTGRES_DB: database.pathname.slice(1),
      })
      expect(clickhouse.environment).toMatchObject({
        CLICKHOUSE_USER: tape.username,
        CLICKHOUSE_PASSWORD: tape.password,
        CLICKHOUSE_DB: tape.pathname.slice(1),
      })
    }
  })

  it('is scraped: Prometheus uses the services’ names and the port that they listen on', () => {
    const scrapeConfig = readProject('ops/prometheus.yml')
    expect(/names: \[(.*)\]/.exec(scrapeConfig)![1]!.split(', ').sort()).toEqual(own.map(([name]) => name).sort())
    for (const [, { environment }] of own)
      expect(scrapeConfig).toContain(`port: ${environment.CROSSBOOK_OPERATIONS_PORT}`)
  })

  it('is built from everything that the program loads', () => {
    const sources = imageSources()
    expect(sources.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([])
    const missing = sourceFiles('src', 'actors', 'workers', 'schemas')
      .flatMap(({ imports }) => imports.map(({ target }) => target))
      .filter((target) => target !== null && !sources.includes(target.split('/')[0]!))
    expect(missing).toEqual([])
    const ignored = readProject('.dockerignore')
      .split('\n')
      .filter((line) => /^[a-z]/.test(line))
    expect(ignored.filter((path) => sources.includes(path))).toEqual([])
  })
})

describe.runIf(hasKafka)('each service', () => {
  let home: string
  let lab: Lab
  let kafka: KafkaCluster
  let postgres: TestStore
  let clickhouse: TestStore
  const running = new Map<string, ChildProcess>()
  const outputs = new Map<string, string>()

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'crossbook-compose-'))
    ;[lab, kafka, postgres, clickhouse] = await Promise.all([
      startLab({ seed: 'compose', ratePerSecond: 2 }),
      startKafka(),
      startPostgres(),
      startClickhouse(),
    ])
  }, 180_000)
  afterAll(async () => {
    for (const child of running.values()) child.kill('SIGKILL')
    await Promise.all([lab?.stop(), kafka?.stop(), postgres?.stop(), clickhouse?.stop()])
    await rm(home, { recursive: true, force: true })
  }, 60_000)

  /** The names of its network become addresses here, and its ports free ones: on one machine they would otherwise collide. */
  async function asHere(
    name: string,
    service: Service,
  ): Promise<{ environment: Record<string, string>; port: string }> {
    const port = String(await freePort())
    const environment = {
      ...environmentOf(service),
      ...labEnvironment(lab),
      DATABASE_URL: postgres.url,
      CLICKHOUSE_URL: clickhouse.url,
      KAFKA_BROKERS: kafka.brokers.join(','),
      HOST: '127.0.0.1',
      PORT: '0',
      CROSSBOOK_OPERATIONS_HOST: '127.0.0.1',
      CROSSBOOK_OPERATIONS_PORT: port,
      DATA_DIR: join(home, name),
    }
    return { environment, port }
  }

  // Ingest before the gateway, which waits for its first books.
  it('becomes healthy with its command and its variables, according to its health check', async () => {
    const checks: [name: string, check: () => Promise<unknown>][] = []
    for (const [name, service] of own) {
      const { environment, port } = await asHere(name, service)
      const [command, ...words] = service.command ?? imageCommand()
      expect(command).toBe('node')
      const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_ENV: 'production', ...environment }
      const child = spawn(process.execPath, words, { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'pipe'] })
      running.set(name, child)
      outputs.set(name, '')
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => outputs.set(name, `${outputs.get(name)}${chunk}`.slice(-outputKept)))
      const [shell, script] = service.healthcheck!.test
      expect(shell).toBe('CMD-SHELL')
      const here = script!.replace(`:${service.environment.CROSSBOOK_OPERATIONS_PORT}/`, `:${port}/`)
      expect(here).toContain(`:${port}/`)
      checks.push([name, () => promisify(execFile)('sh', ['-c', here], { env: { PATH: process.env.PATH ?? '' } })])
    }
    for (const [name, check] of checks)
      await eventually(async () => {
        expect(running.get(name)!.exitCode, `${name} ended:\n${outputs.get(name)}`).toBeNull()
        await check().catch((cause: unknown) => {
          throw new Error(`${name} is not healthy:\n${outputs.get(name)}`, { cause })
        })
      }, 240_000)
  }, 600_000)

  it('ends cleanly on its signal', async () => {
    const codes = await Promise.all(
      [...running].map(([name, child]) => {
        const ended = new Promise<[string, number | null]>((resolve) =>
          child.once('exit', (code) => resolve([name, code])),
        )
        child.kill('SIGTERM')
        return ended
      }),
    )
    expect(codes).toEqual([...running.keys()].map((name) => [name, 0]))
  }, 60_000)
})
