// Benches of the tape: bytes per row, rows per second inserted, rows per second read over HTTP. The embedded engine is a separate process,
// so CPU is the sum of both: what one core would have to do in total.
import type { TapeBatch, TopOfBookRow } from '#schemas/topics'
import type { TapeStore } from '#storage/clickhouse/client'
import { TapeBlock } from '#storage/clickhouse/insert'
import { Arrival } from '#storage/clickhouse/insertSequence'
import { openTestTape, type TestTape } from '#test/support/clickhouse'
import { type Bench, type BenchResult, costResult, figure, fullOrShort, median, rateResult } from './bench.ts'
import { cpuMs } from './tapeCost.ts'
import { benchReplay } from './tapeReplay.ts'
import { type RowSet, recordedTops, walkedTops } from './tapeRows.ts'

const batchRows = fullOrShort(100_000, 2_000)
const smallBatchRows = fullOrShort(10_000, 500)
const sessions = fullOrShort(Number.POSITIVE_INFINITY, 1)
const walkedRows = fullOrShort(500_000, 5_000)

export async function withTape<T>(run: (tape: TestTape) => Promise<T>): Promise<T> {
  const tape = await openTestTape()
  try {
    return await run(tape)
  } finally {
    await tape.close()
  }
}

/** CPU milliseconds per call, median of the rounds after a warm-up round. /proc counts in steps of 10 ms, so a round has many calls. */
async function measure(
  store: TapeStore,
  work: (call: number) => Promise<void>,
  calls: number,
  rounds = fullOrShort(5, 1),
): Promise<number> {
  const taken: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const before = cpuMs(store)
    for (let call = 0; call < calls; call++) await work(call)
    if (round > 0) taken.push((cpuMs(store) - before) / calls)
  }
  return median(taken)
}

// ── bytes a row

/** What one would write first: the engine's defaults. */
const plainTable = `CREATE TABLE plain (venue LowCardinality(String), outcome_id String, ts UInt64, recv_ts UInt64,
  bid Nullable(Float64), bid_size Float64, ask Nullable(Float64), ask_size Float64, arrival UInt64)
  ENGINE = MergeTree PARTITION BY toYYYYMM(toDateTime(intDiv(ts, 1000), 'UTC')) ORDER BY (venue, outcome_id, ts)`

const plainColumns = ['venue', 'outcome_id', 'ts', 'recv_ts', 'bid', 'bid_size', 'ask', 'ask_size', 'arrival']

export const bytesARow = async (store: TapeStore, table: string): Promise<number> => {
  await store.command(`OPTIMIZE TABLE ${table} FINAL`)
  const [size] = await store.rows<{ bytes: number }>(
    `SELECT sum(bytes_on_disk) / sum(rows) AS bytes FROM system.parts WHERE active AND table = {table:String} FORMAT JSONEachRow`,
    { table },
  )
  return size?.bytes ?? Number.NaN
}

async function benchSize(): Promise<BenchResult[]> {
  const sets = [recordedTops(sessions), walkedTops(walkedRows, 20)].filter((set): set is RowSet => set !== null)
  const results: BenchResult[] = []
  for (const set of sets) {
    results.push(
      await withTape(async ({ store, insert }) => {
        await insert(set.batches)
        await store.command(plainTable)
        await store.command(`INSERT INTO plain SELECT venue, outcome_id, t.ts, t.ts + recv_delay,
          if(bid = 65535, NULL, (bid * 100 + bid_fine) / 1e6), (bid_size * 10000 + bid_size_fine) / 1e6,
          if(ask = 65535, NULL, (ask * 100 + ask_fine) / 1e6), (ask_size * 10000 + ask_size_fine) / 1e6,
          rowNumberInAllBlocks() FROM top_of_book AS t`)
        const ours = (await bytesARow(store, 'top_of_book')) + (await minutesShare(store, set.rows))
        const peer = await bytesARow(store, 'plain')
        return costResult(
          'tape.size',
          `top of book, ${set.name}, ${set.rows} rows`,
          'bytes/row',
          ours,
          'default LZ4 floats',
          peer,
        )
      }),
    )
  }
  return results
}

/** The minute prices are part of the cost of a row. */
async function minutesShare(store: TapeStore, rows: number): Promise<number> {
  await store.command('OPTIMIZE TABLE middle_by_minute FINAL')
  const [size] = await store.rows<{ bytes: number }>(
    "SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND table = 'middle_by_minute' FORMAT JSONEachRow",
  )
  return (size?.bytes ?? 0) / rows
}

// ── rows in

function jsonRows(batches: readonly TapeBatch[]): Buffer {
  const line = ({ venue, outcomeId, ts, recvTs, bidMicros, bidSize, askMicros, askSize }: TopOfBookRow) =>
    JSON.stringify({
      venue,
      outcome_id: outcomeId,
      ts,
      recv_ts: recvTs,
      bid: bidMicros === null ? null : bidMicros / 1e6,
      bid_size: bidSize,
      ask: askMicros === null ? null : askMicros / 1e6,
      ask_size: askSize,
      arrival: 0,
    })
  return Buffer.from(`${batches.flatMap(({ topOfBook }) => topOfBook.map(line)).join('\n')}\n`)
}

async function benchInsert(): Promise<BenchResult[]> {
  return withTape(async ({ store }) => {
    await store.command(plainTable)
    const arrival = new Arrival()
    let token = 0
    const ours = (set: RowSet) => async () => {
      const block = new TapeBlock()
      for (const batch of set.batches) block.add(batch, arrival)
      await block.insert(store, `bench:${token++}`)
    }
    const json = (set: RowSet) => async () => {
      await store.insert(
        { table: 'plain', columns: plainColumns, format: 'JSONEachRow', within: null },
        jsonRows(set.batches),
        `bench:${token++}`,
      )
    }
    const results: BenchResult[] = []
    // Both write the same way; merging comes later and costs both the same. `sustained` below includes it.
    await store.command('SYSTEM STOP MERGES')
    for (const [rows, calls] of [
      [smallBatchRows, fullOrShort(10, 1)],
      [batchRows, fullOrShort(3, 1)],
    ] as const) {
      const set = walkedTops(rows, 20)
      const mine = await measure(store, ours(set), calls)
      const peer = await measure(store, json(set), calls)
      results.push(
        rateResult(
          'tape.insert',
          `${rows} rows an insert, from row objects to acknowledgement`,
          'rows/s/core',
          (set.rows / mine) * 1_000,
          'JSONEachRow',
          (set.rows / peer) * 1_000,
        ),
      )
    }
    await store.command('SYSTEM START MERGES')
    const set = walkedTops(batchRows, 20)
    const sustained = await measure(store, ours(set), fullOrShort(5, 1))
    results.push(
      figure(
        'tape.insert',
        `${batchRows} rows an insert, sustained with merges`,
        'rows/s/core',
        (set.rows / sustained) * 1_000,
      ),
    )
    return results
  })
}

export const benches: Bench[] = [
  { name: 'tape.size', run: benchSize },
  { name: 'tape.insert', run: benchInsert },
  { name: 'tape.replay', run: benchReplay },
]
