// Runs Apache Kafka's own jars with the Java of this machine. Maven fetches them once, into .cache/kafka.
import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const pom = fileURLToPath(new URL('./pom.xml', import.meta.url))
const cache = fileURLToPath(new URL('../../../.cache/kafka', import.meta.url))
const libs = join(cache, 'libs')
const kafkaJar = join(libs, 'kafka_2.13-3.9.1.jar')

const install = 'Debian and Ubuntu: apt-get install openjdk-17-jre-headless maven; macOS: brew install openjdk@17 maven'

export const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)))

/** Throws with what to install. `report` is called if something is fetched, which takes minutes. */
export async function prepareKafka(report: (text: string) => void = () => undefined): Promise<void> {
  try {
    await run('java', ['-version'])
  } catch (cause) {
    throw new Error(`Kafka needs Java 17 or newer, which does not run here. ${install}`, { cause })
  }
  if (existsSync(kafkaJar)) return
  if (!isOnPath('mvn')) throw new Error(`Maven fetches Kafka's jars once, and is not installed. ${install}`)
  report('Maven fetches Kafka, about 100 MB, once')
  const draft = join(cache, `libs.${process.pid}`)
  mkdirSync(draft, { recursive: true })
  try {
    await run('mvn', ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${draft}`])
    moveIntoPlace(draft)
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string }
    throw new Error(`Maven could not fetch Kafka's jars: ${stdout.trim().split('\n')[0] || message}`, { cause: error })
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Another process may have fetched the same jars meanwhile: then its copy stays. */
function moveIntoPlace(draft: string): void {
  if (existsSync(kafkaJar)) return
  try {
    renameSync(draft, libs)
  } catch (error) {
    if (!existsSync(kafkaJar)) throw error
  }
}

const flags = (home: string): string[] => [
  '-Xmx512m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  `-Dkafka.logs.dir=${home}`,
  '-cp',
  join(libs, '*'),
]

export async function runKafkaTool(home: string, args: readonly string[]): Promise<void> {
  await run('java', [...flags(home), ...args])
}

export const spawnBroker = (home: string, properties: string, options: SpawnOptions): ChildProcess =>
  spawn('java', [...flags(home), 'kafka.Kafka', properties], options)
