import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '#core/log'
import { findBinaries } from '#storage/postgres/binaries'
import { type EmbeddedPostgres, findRunningEmbedded, startEmbeddedPostgres } from '#storage/postgres/embedded'
import { isAlive } from '#storage/postgres/ingestProcesses'
import { createPool } from '#storage/postgres/pool'

/** What initdb made once, for the tests that are not about that. */
let initialised: string
let dataDir: string
const running = new Set<EmbeddedPostgres>()
const children = new Set<ChildProcess>()

beforeAll(async () => {
  initialised = await mkdtemp(join(tmpdir(), 'crossbook-embedded-'))
  await (await startEmbeddedPostgres({ dataDir: initialised, log: silentLog })).stop()
}, 60_000)
afterAll(() => rm(initialised, { recursive: true, force: true }))

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-embedded-'))
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const server of running) await server.stop()
  children.clear()
  running.clear()
  await rm(dataDir, { recursive: true, force: true })
})

/** With owners: when started by root, the data belong to a separate user. */
const copyInitialised = () => promisify(execFile)('cp', ['-a', `${initialised}/.`, dataDir])

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  running.add(server)
  return server
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const pool = createPool({ url, log: silentLog })
  try {
    return (await pool.query(sql)).rows
  } finally {
    await pool.end()
  }
}

/** Starts another process on the same data directory. Resolves with the server's process id when it is ready. */
async function startOtherProcess(): Promise<{ child: ChildProcess; serverPid: number }> {
  const program = fileURLToPath(new URL('./embeddedInOtherFolder.ts', import.meta.url))
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  const serverPid = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())))
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it was ready`)))
  })
  return { child, serverPid }
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))

test('keeps data after a stop, and the next start initialises nothing', { timeout: 60_000 }, async () => {
  const first = await start()
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
  const pid = first.pid()!
  await first.stop()
  await first.stop()
  expect(isAlive(pid)).toBe(false)
  const password = await readFile(join(dataDir, 'postgres.password'), 'utf8')

  const second = await start()
  expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  expect(await readFile(join(dataDir, 'postgres.password'), 'utf8')).toBe(password)
})

test('uses a random password that only the owner can read, and requires it', { timeout: 60_000 }, async () => {
  const server = await start()
  const file = join(dataDir, 'postgres.password')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const password = (await readFile(file, 'utf8')).trim()
  expect(password.length).toBeGreaterThanOrEqual(32)
  expect(new URL(server.url).hostname).toBe('127.0.0.1')
  await expect(query(server.url.replace(password, 'guess'), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
})

test('restarts a server that died at the same address', { timeout: 60_000 }, async () => {
  await copyInitialised()
  const server = await start()
  const pool = createPool({ url: server.url, log: silentLog })
  await pool.query('CREATE TABLE kept AS SELECT 1 AS answer')
  const before = server.pid()!
  process.kill(before, 'SIGKILL')
  await vi.waitFor(
    async () => {
      expect(server.pid()).not.toBe(before)
      expect((await pool.query('SELECT answer FROM kept')).rows).toEqual([{ answer: 1 }])
    },
    { timeout: 30_000 },
  )
  await pool.end()
})

test('names the owner to a second process on the same data directory, which may use the running server', {
  timeout: 60_000,
}, async () => {
  await copyInitialised()
  const { child } = await startOtherProcess()
  await expect(start()).rejects.toThrow(new RegExp(`${dataDir} is in use by process ${child.pid}.*DATA_DIR`))
  const runningUrl = await findRunningEmbedded(dataDir)
  expect(await query(runningUrl!, 'SELECT answer FROM elsewhere')).toEqual([{ answer: 7 }])
  const exited = ended(child)
  child.kill('SIGTERM')
  await exited
  expect(await findRunningEmbedded(dataDir)).toBeNull()
  await expect(start()).resolves.toBeDefined()
  await expect(start()).rejects.toThrow(/already open in this process/)
})

test('ends the server after kill -9 of its owner, and the next start finds the data', { timeout: 60_000 }, async () => {
  await copyInitialised()
  const { child, serverPid } = await startOtherProcess()
  const exited = ended(child)
  child.kill('SIGKILL')
  await exited
  await vi.waitFor(() => expect(isAlive(serverPid)).toBe(false), { timeout: 15_000 })
  const server = await start()
  expect(await query(server.url, 'SELECT answer FROM elsewhere')).toEqual([{ answer: 7 }])
})

test('stops and replaces a server that outlived its owner', { timeout: 60_000 }, async () => {
  await copyInitialised()
  const { child, serverPid } = await startOtherProcess()
  const exited = ended(child)
  child.kill('SIGKILL')
  // Started before the server noticed that its owner is gone.
  await exited
  const server = await start()
  expect(isAlive(serverPid)).toBe(false)
  expect(await query(server.url, 'SELECT answer FROM elsewhere')).toEqual([{ answer: 7 }])
})

test('starts despite the stale pid file after kill -9 of owner and server', { timeout: 60_000 }, async () => {
  await copyInitialised()
  const { child, serverPid } = await startOtherProcess()
  process.kill(serverPid, 'SIGSTOP')
  const exited = ended(child)
  child.kill('SIGKILL')
  await exited
  process.kill(serverPid, 'SIGKILL')
  await vi.waitFor(() => expect(isAlive(serverPid)).toBe(false), { timeout: 15_000 })
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  const lines = (await readFile(pidFile, 'utf8')).split('\n')
  expect(Number(lines[0])).toBe(serverPid)
  // As after a reboot: another process now has this id.
  await writeFile(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'))
  const server = await start()
  expect(await query(server.url, 'SELECT answer FROM elsewhere')).toEqual([{ answer: 7 }])
})

test('starts below a private parent folder', { timeout: 60_000 }, async () => {
  await chmod(dataDir, 0o700)
  const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'deep', 'data'), log: silentLog })
  running.add(server)
  expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('names a platform without binaries and the alternative', async () => {
  await expect(findBinaries('sunos', 'sparc')).rejects.toThrow(/sunos-sparc.*DATABASE_URL/)
})

/** What the program prints when it is started as root, or as the user that `options` of setpriv make of root. */
function refusalUnder(options: readonly string[]): Promise<string> {
  const program = fileURLToPath(new URL('./embeddedInOtherFolder.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    execFile('setpriv', [...options, process.execPath, program, dataDir], { timeout: 60_000 }, (error, _, stderr) =>
      error === null ? reject(new Error('it started')) : resolve(stderr),
    )
  })
}

const isRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0

test.runIf(isRootOnLinux)('explains what to do when its user id has no entry in /etc/passwd', async () => {
  const uid = 54_321
  await chown(dataDir, uid, uid)
  // The checkout may be in a folder that only root can enter.
  const mayEnter = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search']
  const printed = await refusalUnder([`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...mayEnter])
  expect(printed).toMatch(/user id 54321 has no entry in \/etc\/passwd: .*nss_wrapper.*DATABASE_URL/)
})

test.runIf(isRootOnLinux)(
  'explains what to do when it is root without the capabilities to run as another user',
  async () => {
    const printed = await refusalUnder(['--bounding-set=-chown,-setuid,-setgid', '--inh-caps=-all'])
    expect(printed).toMatch(/capabilities CHOWN, SETGID, SETUID are missing.*ordinary user.*DATABASE_URL/)
  },
)
