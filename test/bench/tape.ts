// Benches of the tape: bytes a row, rows a second in, rows a second out over HTTP.
//
// The embedded engine is another process, so CPU is that of both: what one core would have to do for the whole of it.
import { readFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { createClickhouseTape } from '#history/clickhouseTape'
import { cacheReplayPages } from '#history/pageCache'
import { type ReplayDeps, startReplay } from '#history/replay'
import { ManualClock } from '#lib/clock'
import { createCursorCodec } from '#lib/cursor'
import type { TapeBatch, TopOfBookRow } from '#schemas/topics'
import { Arrival } from '#storage/clickhouse/arrival'
import type { TapeStore } from '#storage/clickhouse/client'
import { TapeBlock } from '#storage/clickhouse/insert'
import { openTestTape, type TestTape } from '#test/support/clickhouse'
import { type Bench, type BenchResult, costResult, figure, median, rateResult } from './bench.ts'
import { type RowSet, recordedTops, walkedTops } from './tapeRows.ts'
import { tardisCpuMsPerMessage } from './tardisPeer.ts'

const batchRows = 100_000
const smallBatchRows = 10_000
const pageRows = 20_000

/** CPU milliseconds of this process and of the engine's so far. Where /proc is missing, the engine's part is wall time. */
export function cpuMs(store: TapeStore): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + engineMs(store.enginePid())
}

export function engineMs(pid: number | null): number {
  try {
    const [, , , , , , , , , , , user, system] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(user) + Number(system)) * 10
  } catch {
    return performance.now()
  }
}

export async function withTape<T>(run: (tape: TestTape) => Promise<T>): Promise<T> {
  const tape = await openTestTape()
  try {
    return await run(tape)
  } finally {
    await tape.close()
  }
}

/** CPU milliseconds per call, median of the rounds after one that warms up. The clock of /proc ticks in 10 ms: many calls a round. */
async function measure(
  store: TapeStore,
  work: (call: number) => Promise<void>,
  calls: number,
  rounds = 5,
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

/** What one would write without thinking: the engine's defaults. */
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
  const sets = [recordedTops(), walkedTops(500_000, 20)].filter((set): set is RowSet => set !== null)
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

/** The minute prices are part of what a row costs. */
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
    // Both write the same way; merging comes later and is the same work for both. `sustained` below has it in.
    await store.command('SYSTEM STOP MERGES')
    for (const [rows, calls] of [
      [smallBatchRows, 10],
      [batchRows, 3],
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
    const sustained = await measure(store, ours(set), 5)
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

// ── rows out

/** Places from which a full page can be read. The rows themselves are let go: a heap full of them would slow the measured reads. */
async function fill(insert: TestTape['insert']): Promise<{ outcomeId: string; since: number }[]> {
  const { batches } = walkedTops(400_000, 4)
  for (const batch of batches) await insert([batch])
  return Array.from({ length: 200 }, (_, n) => {
    const batch = batches[n % batches.length] as TapeBatch
    return { outcomeId: batch.outcomeId, since: batch.topOfBook[(n * 397) % 79_000]?.ts ?? 0 }
  })
}

/** A loopback server with the replay feature alone behind it: node:http, no key check, no credits. */
async function serveReplay(tape: ReplayDeps['tape']): Promise<{ url: string; close(): Promise<void> }> {
  const catalog = { findOutcomes: async () => [], findMarket: async () => null }
  const deps = { tape, catalog, cursors: createCursorCodec(Buffer.alloc(32, 7)), serves: () => true }
  const server = createServer((request, response) => {
    const params = Object.fromEntries(new URL(request.url ?? '/', 'http://bench').searchParams)
    startReplay(deps, params, { historyFloorMs: null }, new AbortController().signal).then(
      ({ chunks }) => pipeline(chunks, response),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Cold: every page another place of the tape, read by the engine (its files lie in the system's cache, as the peer's slice does).
 * Warm: a page of the settled past that was asked for before, from the gateway's memory. CPU is that of engine, server and client.
 */
async function benchReplay(): Promise<BenchResult[]> {
  return withTape(async ({ store, insert }) => {
    const places = await fill(insert)
    const tape = createClickhouseTape(store)
    const clock = new ManualClock(Date.now())
    const [cold, warm] = [await serveReplay(tape), await serveReplay({ ...tape, ...cacheReplayPages(tape, clock) })]
    const wall = { cold: [] as number[], warm: [] as number[] }
    const page = async (which: 'cold' | 'warm', { outcomeId, since }: { outcomeId: string; since: number }) => {
      const query = new URLSearchParams({
        venue: 'polymarket',
        outcomeId,
        kind: 'tob',
        since: String(since),
        until: String(since + 86_400_000),
        limit: String(pageRows),
      })
      const started = performance.now()
      const tail = await download(`${{ cold, warm }[which].url}?${query}`)
      wall[which].push(performance.now() - started)
      // Rows of one key are never parted: a page may end with one more.
      const rows = Number(/"rows":(\d+)}/.exec(tail)?.[1])
      if (!(rows >= pageRows && rows <= pageRows + 2)) throw new Error(`not a full page: ${tail}`)
    }
    const place = (n: number) => places[n % places.length] as (typeof places)[number]
    // The clock stands: the kept page stays fresh.
    clock.advance(Math.max(0, place(0).since + 40 * 86_400_000 - clock.now()))
    for (let i = 0; i < 2; i++) await page('warm', place(0))
    let reads = 0
    const coldMs = await measure(store, () => page('cold', place(reads++)), 20)
    const warmMs = await measure(store, () => page('warm', place(0)), 200)
    await cold.close()
    await warm.close()
    const peerMs = await tardisCpuMsPerMessage(300_000)
    const perCore = (which: 'cold' | 'warm', cpuMsPerPage: number): BenchResult => {
      const metric = `${which} ${pageRows}-row page over HTTP, engine, server and client`
      const rate = (pageRows / cpuMsPerPage) * 1_000
      return peerMs === null
        ? figure('tape.replay', metric, 'rows/s/core', rate)
        : rateResult('tape.replay', metric, 'rows/s/core', rate, 'tardis-dev normalised, cached slice', 1_000 / peerMs)
    }
    const p50 = (which: 'cold' | 'warm') =>
      figure('tape.replay', `${which} ${pageRows}-row page over HTTP, p50`, 'ms', median(wall[which]))
    return [perCore('cold', coldMs), perCore('warm', warmMs), p50('cold'), p50('warm')]
  })
}

/** Reads an answer to its end as cheaply as Node can; returns its last piece. */
function download(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      let last: Buffer = Buffer.alloc(0)
      response.on('data', (chunk: Buffer) => {
        last = chunk
      })
      response.on('end', () => resolve(last.subarray(-200).toString()))
      response.on('error', reject)
    }).on('error', reject)
  })
}

export const benches: Bench[] = [
  { name: 'tape.size', run: benchSize },
  { name: 'tape.insert', run: benchInsert },
  { name: 'tape.replay', run: benchReplay },
]
