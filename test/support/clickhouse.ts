// A tape on the real engine for one test file: own directory, own process, removed afterwards.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TapeBatch } from '#schemas/topics'
import { openTape, type TapeStore } from '#storage/clickhouse/client'
import { TapeBlock } from '#storage/clickhouse/insert'
import { Arrival } from '#storage/clickhouse/insertSequence'

export interface TestTape {
  store: TapeStore
  dataDir: string
  /** Inserts batches as the writer would, in one insert. */
  insert(batches: readonly TapeBatch[], token?: string): Promise<void>
  close(): Promise<void>
}

export async function openTestTape(): Promise<TestTape> {
  const dataDir = await mkdtemp(join(tmpdir(), 'crossbook-tape-'))
  const store = await openTape({ dataDir })
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
