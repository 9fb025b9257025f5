// Files of whole days in a directory. A file exists once its manifest does; the manifest is written last and by one process only.
//
//   <date>/<venue>/<kind>-<sha256, beginning>.parquet     named by its content: two processes never collide
//   <date>/<venue>/<kind>.json                            manifest, hard-linked into place: only the first of two succeeds
import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DayFile } from '#schemas/history'

export const fileKinds = ['tob', 'trades', 'l2'] as const
export type FileKind = (typeof fileKinds)[number]

/** Location in the data directory. Processes that make and serve the files must share it. */
export const dayFilesIn = (dataDir: string): string => join(dataDir, 'history')

/** Identifies a file: one per UTC day, venue and kind. */
export interface FileName {
  date: string
  venue: string
  kind: FileKind
}

/** Leftovers of a process that died are deleted after this long. */
const abandonedMs = 24 * 3_600_000

export class FileStore {
  private readonly root: string

  constructor(root: string) {
    this.root = root
  }

  /** Null if not made. */
  async find(name: FileName): Promise<DayFile | null> {
    try {
      return DayFile.parse(JSON.parse(await readFile(this.manifestOf(name), 'utf8')))
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  /** All files, newest day first, then by venue and kind. */
  async list(date?: string): Promise<DayFile[]> {
    const dates = date === undefined ? (await namesIn(this.root)).filter(isDate).sort().reverse() : [date]
    const found: DayFile[] = []
    for (const day of dates) {
      for (const venue of (await namesIn(join(this.root, day))).sort()) {
        for (const kind of fileKinds) {
          const file = await this.find({ date: day, venue, kind })
          if (file !== null) found.push(file)
        }
      }
    }
    return found
  }

  pathOf({ date, venue, kind, sha256 }: DayFile): string {
    return join(this.root, date, venue, `${kind}-${sha256.slice(0, 32)}.parquet`)
  }

  /** A path next to the finished files, so that the rename stays on one file system. */
  async place({ date, venue, kind }: FileName): Promise<string> {
    const folder = join(this.root, date, venue)
    await mkdir(folder, { recursive: true })
    return join(folder, `.${kind}-${randomUUID()}.part`)
  }

  /** `part` is complete and on disk. False: another process was first and its file is kept. */
  async put(file: DayFile, part: string): Promise<boolean> {
    const path = this.pathOf(file)
    await rename(part, path)
    await syncFolder(join(path, '..'))
    const draft = await this.place(file)
    const handle = await open(draft, 'wx')
    try {
      await handle.writeFile(`${JSON.stringify(file)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    const first = await linked(draft, this.manifestOf(file))
    await rm(draft, { force: true })
    await syncFolder(join(path, '..'))
    const existing = first ? file : await this.find(file)
    if (existing !== null && existing.sha256 !== file.sha256) await rm(path, { force: true })
    return first
  }

  /** The manifest goes first, so that a listed file exists. Open readers keep reading. */
  async remove(file: DayFile): Promise<void> {
    await rm(this.manifestOf(file), { force: true })
    await rm(this.pathOf(file), { force: true })
  }

  /** Days up to this one were deleted for lack of space and are not made again. */
  async floor(): Promise<string> {
    try {
      return (await readFile(join(this.root, 'floor'), 'utf8')).trim()
    } catch (error) {
      if (isMissing(error)) return ''
      throw error
    }
  }

  async setFloor(date: string): Promise<void> {
    await writeFile(join(this.root, 'floor'), date)
  }

  async removeDay(date: string): Promise<void> {
    await rm(join(this.root, date), { recursive: true, force: true })
  }

  async dates(): Promise<string[]> {
    return (await namesIn(this.root)).filter(isDate).sort()
  }

  /** Deletes the unfinished files of processes that died. */
  async sweep(nowMs: number): Promise<void> {
    for (const date of await this.dates()) {
      for (const venue of await namesIn(join(this.root, date))) {
        const folder = join(this.root, date, venue)
        const names = await namesIn(folder)
        const kept = new Set<string>()
        for (const kind of fileKinds) {
          const file = await this.find({ date, venue, kind })
          if (file !== null) kept.add(this.pathOf(file))
        }
        for (const name of names) {
          const path = join(folder, name)
          const isWork = name.endsWith('.part') || (name.endsWith('.parquet') && !kept.has(path))
          if (isWork && nowMs - (await writtenAt(path)) > abandonedMs) await rm(path, { force: true })
        }
      }
    }
  }

  private manifestOf({ date, venue, kind }: FileName): string {
    return join(this.root, date, venue, `${kind}.json`)
  }
}

export const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function writtenAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs
  } catch (error) {
    if (isMissing(error)) return Number.POSITIVE_INFINITY
    throw error
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Makes directory entries as durable as the file contents. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
