// The folder of captures: how its files are named, and their total size, which is kept by deleting the oldest.
import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** `kalshi.20261129T110502123Z.k3f9.0001.jsonl.gz` */
const fileName = /^([a-z_]+(?:-[a-z]+)*)\.(\d{8}T\d{9}Z\.[a-z0-9]+)\.(\d+)\.jsonl\.gz$/

export interface CaptureFile {
  path: string
  venue: string
  run: string
  /** Within the run, from 1. */
  file: number
}

export const nameOfFile = (venue: string, run: string, file: number): string =>
  `${venue}.${run}.${String(file).padStart(4, '0')}.jsonl.gz`

/** Of a run that begins now. `random`: keeps runs of several processes apart. */
export const nameOfRun = (now: number, random: number): string =>
  `${new Date(now).toISOString().replace(/[-:.]/g, '')}.${Math.floor(random * 36 ** 6)
    .toString(36)
    .padStart(6, '0')}`

/** Null: not a capture. */
export function captureFileAt(path: string): CaptureFile | null {
  const [, venue, run, file] = fileName.exec(path.slice(path.lastIndexOf('/') + 1)) ?? []
  if (venue === undefined || run === undefined) return null
  return { path, venue, run, file: Number(file) }
}

/** By run, each in its order. Files of other names are left alone. */
export async function captureFilesIn(folder: string): Promise<CaptureFile[]> {
  const files = (await readdir(folder)).flatMap((name) => captureFileAt(join(folder, name)) ?? [])
  return files.sort((a, b) => a.run.localeCompare(b.run) || a.venue.localeCompare(b.venue) || a.file - b.file)
}

/** Deletes the oldest files that are not in use until all together have at most so many bytes. Returns how many were deleted. */
export async function keepWithin(folder: string, bytesMax: number, inUse: ReadonlySet<string>): Promise<number> {
  const found: { path: string; bytes: number; changedAt: number }[] = []
  for (const { path } of await captureFilesIn(folder)) {
    try {
      const { size, mtimeMs } = await stat(path)
      found.push({ path, bytes: size, changedAt: mtimeMs })
    } catch (error) {
      if (!isAbsent(error)) throw error
    }
  }
  found.sort((a, b) => a.changedAt - b.changedAt || a.path.localeCompare(b.path))
  let bytes = found.reduce((sum, file) => sum + file.bytes, 0)
  let deleted = 0
  for (const file of found) {
    if (bytes <= bytesMax) break
    if (inUse.has(file.path)) continue
    try {
      await unlink(file.path)
      deleted++
    } catch (error) {
      // Another process that shares the folder was faster.
      if (!isAbsent(error)) throw error
    }
    bytes -= file.bytes
  }
  return deleted
}

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
