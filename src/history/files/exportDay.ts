// Makes a day's file: Parquet from the engine, with rows counted before and after, so that a day that is still receiving rows is left
// for later.
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { DayFile } from '#schemas/history'
import type { TapeStore } from '#storage/clickhouse/client'
import { dayFileSql, dayRowsSql } from '../statements/dayFiles.ts'
import type { FileName, FileStore } from './fileStore.ts'

export const dayMs = 86_400_000

export type ExportedFile = 'made' | 'elsewhere' | 'unsettled'

export interface MakeFileDeps {
  store: Pick<TapeStore, 'rows' | 'file'>
  shelf: FileStore
  now(): number
  signal: AbortSignal
}

/** `elsewhere`: another process was first. `unsettled`: rows arrived meanwhile. */
export async function makeFile(name: FileName, { store, shelf, now, signal }: MakeFileDeps): Promise<ExportedFile> {
  const since = Date.parse(name.date)
  const parameters = { venue: name.venue, since, until: since + dayMs - 1 }
  const count = async (): Promise<number> =>
    (await store.rows<{ rows: number }>(dayRowsSql[name.kind], parameters, signal))[0]?.rows ?? 0
  const rows = await count()
  const part = await shelf.place(name)
  try {
    const written = await write(part, await store.file(dayFileSql(name.kind), parameters, signal))
    if ((await count()) !== rows) return 'unsettled'
    const file: DayFile = { ...name, ...written, rows, madeAt: new Date(now()).toISOString() }
    return (await shelf.put(file, part)) ? 'made' : 'elsewhere'
  } finally {
    await rm(part, { force: true })
  }
}

async function write(part: string, chunks: AsyncIterable<Uint8Array>): Promise<Pick<DayFile, 'size' | 'sha256'>> {
  const hash = createHash('sha256')
  let size = 0
  const handle = await open(part, 'wx')
  try {
    for await (const chunk of chunks) {
      hash.update(chunk)
      size += chunk.length
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { size, sha256: hash.digest('hex') }
}
