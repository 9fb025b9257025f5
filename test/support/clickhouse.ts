// A tape on the real engine for one test file: its own directory, removed afterwards, and a database of its own in the one engine of its test
// process. Tools have an engine of their own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TapeBatch } from '#schemas/topics'
import { connectTape, openTape, type TapeStore } from '#storage/clickhouse/client'
import { TapeBlock } from '#storage/clickhouse/insert'
import { Arrival } from '#storage/clickhouse/insertSequence'
import { startClickhouseServer } from './clickhouseHttpServer.ts'
import { testHome } from './globalSetup.ts'

export interface TestTape {
  store: TapeStore
  dataDir: string
  /** Inserts batches as the writer would, in one insert. */
  insert(batches: readonly TapeBatch[], token?: string): Promise<void>
  close(): Promise<void>
}

/** Only makes databases. The engine ends with this process, and its data is deleted at the end of the run (globalSetup.ts). */
let shared: Promise<TapeStore> | undefined
let made = 0

async function connectShared(home: string): Promise<TapeStore> {
  const dir = await mkdtemp(join(home, 'crossbook-clickhouse-'))
  const { url } = await startClickhouseServer({ dir })
  return connectTape({ url, dataDir: dir })
}

/** Address of a new database. It is not dropped: connections of the engine keep it as their current one. */
async function createDatabase(home: string): Promise<string> {
  shared ??= connectShared(home)
  const engine = await shared
  const name = `tape_${made++}`
  await engine.command(`CREATE DATABASE ${name}`)
  return `${engine.url}/${name}`
}

export async function openTestTape(): Promise<TestTape> {
  const dataDir = await mkdtemp(join(tmpdir(), 'crossbook-tape-'))
  const home = process.env[testHome]
  const store = await openTape({ dataDir, ...(home === undefined ? {} : { url: await createDatabase(home) }) })
  const arrival = new Arrival()
  let inserts = 0
  return {
    store,
    dataDir,
    async insert(batches, token = `test:${inserts++}`) {
      const block = new TapeBlock()
      for (const batch of batches) block.add(batch, arrival)
      await block.insert(store, token)
    },
    async close() {
      await store.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** An empty batch, to be filled by the test. */
export const emptyBatch = (venue: string, outcomeId: string): TapeBatch => ({
  venue,
  outcomeId,
  topOfBook: [],
  trades: [],
  books: [],
})
