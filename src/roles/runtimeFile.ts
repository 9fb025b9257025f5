// How the command line finds the program running on the same data directory: a file only its owner can read, removed after a clean
// stop.
import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'

const Runtime = z.object({
  pid: z.number().int(),
  /** Null when this process runs no gateway. */
  url: z.string().nullable(),
  /** Only the demo writes one here. */
  apiKey: z.string().nullable(),
  /** Addresses of the demo's lab venues, by venue and name. */
  lab: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** Keys known to those venues, by venue and the venue's own field names. They open nothing else. */
  labKeys: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** Its control port, where accounts are opened that no call of a venue opens. */
  labControl: z.string().optional(),
})
export type Runtime = z.infer<typeof Runtime>

const fileOf = (dataDir: string): string => join(dataDir, 'runtime.json')

export function writeRuntime(dataDir: string, runtime: Runtime): void {
  mkdirSync(dataDir, { recursive: true })
  // Renamed into place: a concurrent reader reads either the old or the new one.
  const draft = `${fileOf(dataDir)}.${process.pid}`
  writeFileSync(draft, JSON.stringify(runtime), { mode: 0o600 })
  renameSync(draft, fileOf(dataDir))
}

export const removeRuntime = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true })

/** Null for a truncated file: the next start rewrites it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What the last start wrote and no clean stop removed, whether or not its process runs; null without it. */
export function readLastRuntime(dataDir: string): Runtime | null {
  let text: string
  try {
    text = readFileSync(fileOf(dataDir), 'utf8')
  } catch {
    return null
  }
  const parsed = Runtime.safeParse(jsonOf(text))
  return parsed.success ? parsed.data : null
}

/** Null when nothing runs there; a file left by a crash counts as nothing. */
export function readRuntime(dataDir: string): Runtime | null {
  const last = readLastRuntime(dataDir)
  if (last === null) return null
  try {
    process.kill(last.pid, 0)
    return last
  } catch {
    return null
  }
}

/**
 * Creates it if missing, for its owner alone: it contains keys, and copies of what accounts did. Throws a readable message when the program could
 * not keep its data there; returns a warning when others may enter a folder that was there before.
 */
export function checkDataDir(dataDir: string): string | null {
  checkWritable(dataDir, 'DATA_DIR ')
  const folder = resolve(dataDir)
  const open = statSync(folder).mode & 0o077
  return process.platform === 'win32' || open === 0
    ? null
    : `other users of this machine may enter DATA_DIR: chmod 700 ${folder}`
}

/** The same for any folder. */
export function checkWritable(folder: string, name = ''): void {
  try {
    makeDir(resolve(folder))
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    // Root may pass permission checks even where writing is impossible: a read-only file system only shows when written
    // to.
    const probe = join(folder, `.writable.${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = sentences[code ?? ''] ?? (error as Error).message
    throw new Error(`${name}${resolve(folder)} cannot be used: ${why}`, { cause: error })
  }
}

/** Node's own recursive form hangs when an existing folder reports a new one as nonexistent, as /proc does. */
function makeDir(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) return
  if (dirname(dir) !== dir && statSync(dirname(dir), { throwIfNoEntry: false }) === undefined) makeDir(dirname(dir))
  mkdirSync(dir, { mode: 0o700 })
}

const sentences: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
  ENOENT: 'nothing can be created there',
  ENOSPC: 'the disk is full',
}

/** Where programs keep their data inside the default data directory. */
const startedInside = ['demo', 'cluster', 'cluster-lab']

/** The folder of the program that runs on this data directory, or of the demo or the cluster that runs inside it; itself where nothing runs. */
export function folderOfRunning(dataDir: string): string {
  const folders = [dataDir, ...startedInside.map((name) => join(dataDir, name))]
  return folders.find((folder) => readRuntime(folder) !== null) ?? dataDir
}
