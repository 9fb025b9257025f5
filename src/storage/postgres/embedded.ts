// A real PostgreSQL as our child process, with its data under the data directory. For machines where nothing is installed.
//
//   lock -> stop orphan -> initdb once -> start -> create database -> ready ──┐
//                                           ^                                 │ crashes
//                                           └──────── backoff <───────────────┘        stop -> fast shutdown -> unlock
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { backoffMs } from '#core/backoff'
import { systemClock } from '#core/clock'
import type { Log } from '#core/log'
import { pause } from '#core/pause'
import { findBinaries, type PostgresBinaries } from './binaries.ts'
import { lockDataDir } from './dataDirLock.ts'
import { dropPrivilegesTo, type RunAs } from './dropPrivileges.ts'
import { findServingPort, removeStalePidfile, type ServerProcess, startServer } from './serverProcess.ts'

export interface EmbeddedPostgres {
  /** Contains the password: not for logs. Constant while this server runs, even across a crash of the child. */
  url: string
  /** Current process id of the server; null while it is being restarted. */
  pid(): number | null
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  log: Log
  /** Server settings over the defaults below, for tests. */
  settings?: Readonly<Record<string, string>>
  /** Variables that initdb gets besides the locale: those of nss_wrapper. */
  initdbEnvironment?: Readonly<Record<string, string>>
  /** Programs other than the package's, with their locale options: for testing other versions. */
  programs?: { binaries: PostgresBinaries; locale: readonly string[] }
}

const defaultSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // No socket files: they would need a world-writable folder, and nothing uses them.
  unix_socket_directories: '',
  // JIT pays off for queries of seconds; ours take milliseconds.
  jit: 'off',
  log_min_messages: 'warning',
}

/** Sort by bytes, fold case by Unicode: the same on every machine, regardless of its locales. */
const builtinLocale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']

const user = 'crossbook'
const database = 'crossbook'
const portAttemptsMax = 5
const restartBackoff = { baseMs: 200, capMs: 5_000 }

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options
  const dataDir = resolve(options.dataDir)
  const cluster = join(dataDir, 'postgres')
  const settings = { ...defaultSettings, ...options.settings }
  const { binaries, locale } = options.programs ?? { binaries: await findBinaries(), locale: builtinLocale }
  await mkdir(dataDir, { recursive: true })
  const unlock = lockDataDir(join(dataDir, 'postgres.lock'), dataDir)
  try {
    const runAs = dropPrivilegesTo([binaries.initdb, cluster])
    await Promise.all([makeExecutable(binaries.initdb), makeExecutable(binaries.postgres)])
    const password = await readOrCreatePassword(join(dataDir, 'postgres.password'), cluster)
    if (!existsSync(join(cluster, 'PG_VERSION'))) {
      const isDurable = settings.fsync !== 'off'
      const environment = options.initdbEnvironment ?? {}
      await initialise(binaries.initdb, runAs, cluster, password, locale, isDurable, environment)
    }
    await removeStalePidfile(cluster)
    const { server, port } = await startOnFreePort((port) =>
      startServer(binaries.postgres, runAs, cluster, port, settings),
    )
    const address = addressOf(password, port)
    try {
      await createDatabase(`${address}/postgres`)
    } catch (error) {
      await server.stop()
      throw error
    }
    const keeper = keepRunning(
      server,
      () => startServer(binaries.postgres, runAs, cluster, port, settings),
      cluster,
      log,
    )
    return {
      url: `${address}/${database}`,
      pid: keeper.pid,
      async stop() {
        await keeper.stop()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

const addressOf = (password: string, port: number) => `postgres://${user}:${password}@127.0.0.1:${port}`

/**
 * Address of the embedded server that another process currently runs on this data directory, for command-line tools; null if none
 * does. Read from the server's own files, so it is never out of date.
 */
export async function findRunningEmbedded(dataDir: string): Promise<string | null> {
  const folder = resolve(dataDir)
  const port = findServingPort(join(folder, 'postgres'))
  if (port === null) return null
  const password = (await readFile(join(folder, 'postgres.password'), 'utf8')).trim()
  return `${addressOf(password, port)}/${database}`
}

/** Restarts the server, on the same port, whenever it dies unexpectedly: clients reconnect by themselves. */
function keepRunning(first: ServerProcess, start: () => Promise<ServerProcess>, cluster: string, log: Log) {
  let server: ServerProcess | null = first
  let stopping = false
  const done = (async () => {
    let attempt = 0
    while (!stopping) {
      if (server) {
        const reason = await server.exited
        server = null
        if (stopping) return
        log.error({ reason }, 'PostgreSQL died; restarting')
        attempt = 0
      }
      await pause(systemClock, backoffMs(attempt++, restartBackoff, Math.random))
      if (stopping) return
      try {
        await removeStalePidfile(cluster)
        server = await start()
      } catch (error) {
        log.error({ err: error, attempt }, 'PostgreSQL failed to start')
      }
    }
  })()
  return {
    pid: () => server?.pid ?? null,
    async stop() {
      stopping = true
      await server?.stop()
      await done
      // A start in progress when stop was called finished after the first check.
      await server?.stop()
    },
  }
}

/** initdb into a temporary folder, then renamed: a half-made cluster is never taken for a complete one. */
async function initialise(
  initdb: string,
  runAs: RunAs,
  cluster: string,
  password: string,
  locale: readonly string[],
  isDurable: boolean,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  if (runAs.ids === null) checkUserEntry()
  const draft = `${cluster}.initdb`
  const passwordFile = `${cluster}.initdb-password`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  await rm(passwordFile, { force: true })
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (runAs.ids) {
    await chown(draft, runAs.ids.uid, runAs.ids.gid)
    await chown(passwordFile, runAs.ids.uid, runAs.ids.gid)
  }
  const line = runAs.command(initdb, [
    `--pgdata=${draft}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...locale,
    '--data-checksums',
    ...(isDurable ? [] : ['--no-sync']),
  ])
  try {
    await promisify(execFile)(line.program, line.args, { ...line.ids, cwd: '/', env: { LC_ALL: 'C', ...environment } })
    await rename(draft, cluster)
  } catch (cause) {
    await rm(draft, { recursive: true, force: true })
    throw new Error(`PostgreSQL could not be initialised under ${cluster}: ${(cause as Error).message}`, { cause })
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** PostgreSQL looks up the name of its user, which a container started with only a number does not have. */
function checkUserEntry(): void {
  try {
    userInfo()
  } catch (cause) {
    throw new Error(
      `PostgreSQL needs a named user, and user id ${process.getuid?.()} has no entry in /etc/passwd: ` +
        'add one, run as a user that has one, preload nss_wrapper (LD_PRELOAD, NSS_WRAPPER_PASSWD, NSS_WRAPPER_GROUP), or set DATABASE_URL',
      { cause },
    )
  }
}

async function readOrCreatePassword(file: string, cluster: string): Promise<string> {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim()
  if (existsSync(cluster)) throw new Error(`${cluster} exists but its password file ${file} is gone: put it back`)
  const password = randomBytes(24).toString('base64url')
  await writeFile(file, `${password}\n`, { mode: 0o600, flag: 'wx' })
  return password
}

/** Archives sometimes drop the bit. Only when missing: the folder may be read-only. */
async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program)
  if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555)
}

/** Another program may take the port before the server does: then another port is tried. */
async function startOnFreePort(start: (port: number) => Promise<ServerProcess>) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      return { server: await start(port), port }
    } catch (error) {
      if (attempt === portAttemptsMax || !String(error).includes('could not bind')) throw error
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address ? resolvePort(address.port) : reject(new Error('no free port')),
      )
    })
  })
}

async function createDatabase(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${database}`)
  } finally {
    await client.end()
  }
}
