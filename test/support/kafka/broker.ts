// A real Kafka for tests and for trying the cluster without Docker: Apache Kafka's own jars in KRaft mode on loopback.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Kafka, logLevel } from 'kafkajs'
import { freePort } from '#test/support/freePort'
import { type FaultProxy, startFaultProxy } from './faultProxy.ts'

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const libs = fileURLToPath(new URL('../../../.cache/kafka/libs', import.meta.url))
const startDeadlineMs = 180_000

export interface KafkaCluster {
  brokers: string[]
  /** Its listener for TLS and SCRAM; empty without `secure`. */
  secureBrokers: string[]
  /** One in front of each broker, for clients of `proxiedBrokers`; empty without `proxied`. */
  proxies: FaultProxy[]
  proxiedBrokers: string[]
  /** kill -9, as a crash would. */
  kill(index: number): Promise<void>
  restart(index: number): Promise<void>
  stop(): Promise<void>
}

async function ensureJars(): Promise<void> {
  if (existsSync(join(libs, 'kafka_2.13-3.9.1.jar'))) return
  mkdirSync(libs, { recursive: true })
  await run('mvn', [
    '-q',
    '-B',
    '-f',
    join(here, 'pom.xml'),
    'dependency:copy-dependencies',
    `-DoutputDirectory=${libs}`,
  ])
}

/** Starts `count` brokers that form one cluster. Data lives in `dir` (a temporary folder that `stop` removes when absent). */
export async function startKafka({
  count = 1,
  dir,
  port,
  secure,
  proxied = false,
}: {
  count?: 1 | 3
  dir?: string
  port?: number
  /** A second listener, with TLS and SCRAM-SHA-512. `certificate`: a PEM file with key and certificate for 127.0.0.1. */
  secure?: { certificate: string; username: string; password: string }
  /** A listener for clients that reach the brokers through proxies. */
  proxied?: boolean
} = {}): Promise<KafkaCluster> {
  await ensureJars()
  const home = dir ?? mkdtempSync(join(tmpdir(), 'crossbook-kafka-'))
  const ports: { broker: number; controller: number; secure: number; client: number; proxy: number }[] = []
  for (let i = 0; i < count; i++) {
    ports.push({
      broker: i === 0 && port !== undefined ? port : await freePort(),
      controller: await freePort(),
      secure: await freePort(),
      client: proxied ? await freePort() : 0,
      proxy: proxied ? await freePort() : 0,
    })
  }
  const voters = ports.map((entry, i) => `${i + 1}@127.0.0.1:${entry.controller}`).join(',')
  const children: (ChildProcess | null)[] = ports.map(() => null)

  const propertiesOf = (index: number): string => join(home, `broker-${index}.properties`)
  for (const [index, entry] of ports.entries()) {
    const data = join(home, `data-${index}`)
    const listeners = [
      { name: 'PLAINTEXT', port: entry.broker, advertised: entry.broker },
      { name: 'CONTROLLER', port: entry.controller, advertised: null },
      ...(secure ? [{ name: 'SASL_SSL', port: entry.secure, advertised: entry.secure }] : []),
      ...(proxied ? [{ name: 'CLIENT', port: entry.client, advertised: entry.proxy }] : []),
    ]
    const listed = listeners.map(({ name, port: own }) => `${name}://127.0.0.1:${own}`)
    const advertised = listeners.flatMap(({ name, advertised: shown }) =>
      shown === null ? [] : [`${name}://127.0.0.1:${shown}`],
    )
    writeFileSync(
      propertiesOf(index),
      [
        'process.roles=broker,controller',
        `node.id=${index + 1}`,
        `controller.quorum.voters=${voters}`,
        `listeners=${listed.join(',')}`,
        `advertised.listeners=${advertised.join(',')}`,
        'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL,CLIENT:PLAINTEXT',
        'controller.listener.names=CONTROLLER',
        'inter.broker.listener.name=PLAINTEXT',
        `log.dirs=${data}`,
        `offsets.topic.replication.factor=${count}`,
        `default.replication.factor=${count}`,
        `min.insync.replicas=${count === 3 ? 2 : 1}`,
        `transaction.state.log.replication.factor=${count}`,
        'transaction.state.log.min.isr=1',
        'group.initial.rebalance.delay.ms=0',
        'group.min.session.timeout.ms=500',
        'offsets.topic.num.partitions=4',
        'num.network.threads=2',
        'num.io.threads=4',
        'auto.create.topics.enable=false',
        ...(secure
          ? [
              'sasl.enabled.mechanisms=SCRAM-SHA-512',
              'listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;',
              'ssl.keystore.type=PEM',
              `ssl.keystore.location=${secure.certificate}`,
            ]
          : []),
        '',
      ].join('\n'),
    )
    if (!existsSync(join(data, 'meta.properties'))) {
      await java(
        [
          'kafka.tools.StorageTool',
          'format',
          '-t',
          'Y3Jvc3Nib29rLXRlc3QtMQ',
          '-c',
          propertiesOf(index),
          '--ignore-formatted',
          ...(secure ? ['-S', `SCRAM-SHA-512=[name=${secure.username},password=${secure.password}]`] : []),
        ],
        home,
      )
    }
  }

  const launch = (index: number): void => {
    const child = spawn('java', [...javaFlags(home), 'kafka.Kafka', propertiesOf(index)], { stdio: 'ignore' })
    // A shell at our end of a pipe, which closes however we die: Java would outlive a kill -9.
    const leash = spawn('sh', ['-c', 'read _; kill -KILL "$1"', 'sh', String(child.pid)], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    leash.on('error', () => undefined)
    leash.unref()
    child.once('exit', () => leash.kill('SIGKILL'))
    children[index] = child
  }
  const proxies: FaultProxy[] = []
  if (proxied) for (const { proxy, client } of ports) proxies.push(await startFaultProxy(proxy, client))
  const brokers = ports.map((entry) => `127.0.0.1:${entry.broker}`)
  const ready = async (index: number): Promise<void> => {
    const admin = new Kafka({ brokers: [brokers[index]!], logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin()
    const deadline = Date.now() + startDeadlineMs
    for (;;) {
      try {
        await admin.connect()
        const cluster = await admin.describeCluster()
        if (cluster.brokers.length === count && cluster.controller !== null) return
      } catch (error) {
        if (Date.now() > deadline) throw error
      } finally {
        await admin.disconnect().catch(() => undefined)
      }
      if (Date.now() > deadline) throw new Error('kafka did not become ready')
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  for (let i = 0; i < count; i++) launch(i)
  for (let i = 0; i < count; i++) await ready(i)

  const end = async (index: number, signal: NodeJS.Signals): Promise<void> => {
    const child = children[index]
    children[index] = null
    if (child == null || child.exitCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await exited
  }
  return {
    brokers,
    secureBrokers: secure ? ports.map((entry) => `127.0.0.1:${entry.secure}`) : [],
    proxies,
    proxiedBrokers: proxied ? ports.map((entry) => `127.0.0.1:${entry.proxy}`) : [],
    kill: (index) => end(index, 'SIGKILL'),
    async restart(index) {
      await end(index, 'SIGKILL')
      launch(index)
      await ready(index)
    },
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.close()))
      for (let i = 0; i < count; i++) await end(i, 'SIGKILL')
      if (dir === undefined) rmSync(home, { recursive: true, force: true })
    },
  }
}

const javaFlags = (home: string): string[] => [
  '-Xmx512m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  `-Dkafka.logs.dir=${home}`,
  '-cp',
  join(libs, '*'),
]

const java = (args: string[], home: string) => run('java', [...javaFlags(home), ...args])
