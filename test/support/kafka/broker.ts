// A real Kafka for tests and for trying the cluster without Docker: Apache Kafka's own jars in KRaft mode on loopback.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { freePort } from '#test/support/freePort'
import { type FaultProxy, startFaultProxy } from '../faultProxy.ts'
import { prepareKafka, runKafkaTool, spawnBroker } from './java.ts'
import { type BrokerPorts, clusterIdIn, isFormatted, propertiesText, type Secure } from './properties.ts'

const startDeadlineMs = 180_000
const brokersMax = 3

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

export interface KafkaOptions {
  count?: 1 | 3
  /** Where data lives; a temporary folder that `stop` removes when absent. */
  dir?: string
  port?: number
  /** A second listener, with TLS and SCRAM-SHA-512. */
  secure?: Secure
  /** A listener for clients that reach the brokers through proxies. */
  proxied?: boolean
  /** Receives what a broker prints. */
  logFile?(index: number): string
  /** A broker ended by itself. */
  onEnd?(index: number, reason: string): void
  /** Progress of a slow start. */
  report?(text: string): void
}

/** Starts `count` brokers that form one cluster. */
export async function startKafka({
  count = 1,
  dir,
  port,
  secure,
  proxied = false,
  logFile,
  onEnd,
  report,
}: KafkaOptions = {}): Promise<KafkaCluster> {
  await prepareKafka(report)
  const home = dir ?? mkdtempSync(join(tmpdir(), 'crossbook-kafka-'))
  mkdirSync(home, { recursive: true })
  const propertiesFile = (index: number): string => join(home, `broker-${index}.properties`)
  const before = Array.from({ length: brokersMax }, (_, index) => propertiesFile(index)).filter(existsSync).length
  if (before > 0 && before !== count)
    throw new Error(
      `the Kafka in ${home} has ${before} broker${before === 1 ? '' : 's'}, not ${count}: start as many, or use another DATA_DIR`,
    )
  const ports: BrokerPorts[] = []
  for (let i = 0; i < count; i++) {
    ports.push({
      broker: i === 0 && port !== undefined ? port : await freePort(),
      controller: await freePort(),
      secure: await freePort(),
      client: proxied ? await freePort() : 0,
      proxy: proxied ? await freePort() : 0,
    })
  }
  const children: (ChildProcess | null)[] = ports.map(() => null)
  const clusterId = clusterIdIn(home, count)
  for (let index = 0; index < count; index++) {
    writeFileSync(propertiesFile(index), propertiesText({ home, index, ports, secure, proxied }))
    if (isFormatted(home, index)) continue
    await runKafkaTool(home, [
      ...['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', propertiesFile(index), '--ignore-formatted'],
      ...(secure ? ['-S', `SCRAM-SHA-512=[name=${secure.username},password=${secure.password}]`] : []),
    ])
  }

  const launch = (index: number): void => {
    const log = logFile === undefined ? null : openSync(logFile(index), 'a')
    const child = spawnBroker(home, propertiesFile(index), {
      stdio: ['ignore', log ?? 'ignore', log ?? 'ignore'],
      // Ctrl-C reaches only this process: what writes to the broker ends first.
      detached: true,
    })
    if (log !== null) closeSync(log)
    // A shell at our end of a pipe, which closes in any kind of death: Java would survive a kill -9.
    const leash = spawn('sh', ['-c', 'read _; kill -KILL "$1"', 'sh', String(child.pid)], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    leash.on('error', () => undefined)
    leash.unref()
    child.once('exit', (code, signal) => {
      leash.kill('SIGKILL')
      if (children[index] === child) onEnd?.(index, signal ?? `exit code ${code}`)
    })
    children[index] = child
  }
  const proxies: FaultProxy[] = []
  if (proxied) for (const { proxy, client } of ports) proxies.push(await startFaultProxy(proxy, client))
  const brokers = ports.map((entry) => `127.0.0.1:${entry.broker}`)
  const ready = async (index: number): Promise<void> => {
    const child = children[index]!
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
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`Kafka broker ${index + 1} ended (${child.signalCode ?? child.exitCode}) before it was ready`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const end = async (index: number, signal: NodeJS.Signals): Promise<void> => {
    const child = children[index]
    children[index] = null
    if (child == null || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await exited
  }
  const stop = async (): Promise<void> => {
    await Promise.all(proxies.map((proxy) => proxy.close()))
    for (let i = 0; i < count; i++) await end(i, 'SIGKILL')
    if (dir === undefined) rmSync(home, { recursive: true, force: true })
  }
  try {
    for (let i = 0; i < count; i++) launch(i)
    for (let i = 0; i < count; i++) await ready(i)
  } catch (error) {
    await stop()
    throw error
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
    stop,
  }
}
