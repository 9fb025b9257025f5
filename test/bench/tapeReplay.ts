// Rows of the tape out over HTTP, compared with tardis-dev: cold in every way of producing lines, in alternation, and warm.
import { readFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { ManualClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { createClickhouseTape } from '#history/clickhouseTape'
import { cacheReplayPages } from '#history/pageCache'
import { type ReplayDeps, startReplay } from '#history/replay'
import type { TapeBatch } from '#schemas/topics'
import type { TapeStore } from '#storage/clickhouse/client'
import { openTestTape, type TestTape } from '#test/support/clickhouse'
import { asPrinted } from '#test/support/replayPages'
import { startHistoryEncoder } from '#workers/rowEncoderWorker'
import { type BenchResult, figure, fullOrShort, median, rateResult } from './bench.ts'
import { cpuMs, engineMs } from './tapeCost.ts'
import { walkedTops } from './tapeRows.ts'
import { tardisCpuMsPerMessage } from './tardisPeer.ts'

const pageRows = fullOrShort(20_000, 200)
const outcomes = 4
const rowsTaped = fullOrShort(400_000, 4_000)
/** A full page begins at each of an outcome's first rows, up to this one. */
const firstRowsMax = fullOrShort(79_000, 790)
const rounds = fullOrShort(5, 1)
const coldCalls = fullOrShort(20, 2)
const warmCalls = fullOrShort(100, 5)
const peerMessages = fullOrShort(300_000, 3_000)

/** Positions from which a full page can be read. The rows themselves are released: a full heap would slow the measured reads. */
async function fill(insert: TestTape['insert']): Promise<{ outcomeId: string; since: number }[]> {
  const { batches } = walkedTops(rowsTaped, outcomes)
  for (const batch of batches) await insert([batch])
  return Array.from({ length: 200 }, (_, n) => {
    const batch = batches[n % batches.length] as TapeBatch
    return { outcomeId: batch.outcomeId, since: batch.topOfBook[(n * 397) % firstRowsMax]?.ts ?? 0 }
  })
}

/** A loopback server with only the replay feature behind it: node:http, no key check, no credits. */
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

interface Place {
  outcomeId: string
  since: number
}

interface Cost {
  /** CPU ms per page: of engine, server and client; of the engine; of the thread that is both server and client. */
  all: number[]
  engine: number[]
  thread: number[]
  wall: number[]
}

/** CPU of the main thread so far, ms. Where Linux does not report it: of the process. */
function threadMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
}

/**
 * Cold: every page is at another position of the tape, read by the engine (its files are in the system's cache, like the peer's slice).
 * `columns`: lines made from the engine's columns, as in service; `printed`: by the engine. Warm: a page of the settled past that was
 * requested before, from the gateway's memory.
 */
export async function benchReplay(): Promise<BenchResult[]> {
  const opened = await openTestTape()
  const lines = startHistoryEncoder()
  try {
    const { store, insert } = opened
    const places = await fill(insert)
    const columns = createClickhouseTape(store, undefined, { lines })
    const printed = createClickhouseTape(store, undefined, { lines: asPrinted })
    const clock = new ManualClock(Date.now())
    const served = {
      columns: await serveReplay(columns),
      printed: await serveReplay(printed),
      warm: await serveReplay({ ...columns, ...cacheReplayPages(columns, clock) }),
    }
    const place = (n: number) => places[n % places.length] as Place
    // The clock does not advance, so the cached page stays fresh.
    clock.advance(Math.max(0, place(0).since + 40 * 86_400_000 - clock.now()))
    let reads = 0
    const ways = {
      columns: { calls: coldCalls, read: () => page(served.columns.url, place(reads++)) },
      printed: { calls: coldCalls, read: () => page(served.printed.url, place(reads++)) },
      csv: { calls: coldCalls, read: () => page(served.columns.url, place(reads++), 'csv') },
      warm: { calls: warmCalls, read: () => page(served.warm.url, place(0)) },
    } as const
    const costs = await inTurn(store, ways)
    for (const { close } of Object.values(served)) await close()
    const peerMs = await tardisCpuMsPerMessage(peerMessages)
    return Object.entries(costs).flatMap(([way, cost]) => figuresOf(way as keyof typeof ways, cost, peerMs))
  } finally {
    await lines.stop()
    await opened.close()
  }
}

/** Each round runs every way once, so that other load affects all alike. The first round warms up. */
async function inTurn<Way extends string>(
  store: TapeStore,
  ways: Record<Way, { calls: number; read(): Promise<void> }>,
): Promise<Record<Way, Cost>> {
  const costs = {} as Record<Way, Cost>
  for (let round = 0; round <= rounds; round++) {
    for (const [way, { calls, read }] of Object.entries(ways) as [Way, (typeof ways)[Way]][]) {
      costs[way] ??= { all: [], engine: [], thread: [], wall: [] }
      const [all, engine, thread] = [cpuMs(store), engineMs(store.enginePid()), threadMs()]
      for (let call = 0; call < calls; call++) {
        const started = performance.now()
        await read()
        if (round > 0) costs[way].wall.push(performance.now() - started)
      }
      if (round === 0) continue
      costs[way].all.push((cpuMs(store) - all) / calls)
      costs[way].engine.push((engineMs(store.enginePid()) - engine) / calls)
      costs[way].thread.push((threadMs() - thread) / calls)
    }
  }
  return costs
}

const words = {
  columns: 'cold NDJSON page',
  printed: 'cold NDJSON page printed by the engine',
  csv: 'cold CSV page',
  warm: 'warm NDJSON page',
} as const

function figuresOf(way: keyof typeof words, { all, engine, thread, wall }: Cost, peerMs: number | null): BenchResult[] {
  const what = `${words[way]} of ${pageRows} rows over HTTP`
  const rate = (pageRows / median(all)) * 1_000
  const whole = `${what}, engine, server and client`
  return [
    peerMs === null
      ? figure('tape.replay', whole, 'rows/s/core', rate)
      : rateResult('tape.replay', whole, 'rows/s/core', rate, 'tardis-dev normalised, cached slice', 1_000 / peerMs),
    figure('tape.replay', `${what}, CPU of the engine`, 'ms', median(engine)),
    figure('tape.replay', `${what}, CPU of the thread of server and client`, 'ms', median(thread)),
    figure('tape.replay', `${what}, p50`, 'ms', median(wall)),
  ]
}

async function page(url: string, { outcomeId, since }: Place, format = 'ndjson'): Promise<void> {
  const query = new URLSearchParams({
    venue: 'polymarket',
    outcomeId,
    kind: 'tob',
    since: String(since),
    until: String(since + 86_400_000),
    limit: String(pageRows),
    format,
  })
  const tail = await download(`${url}?${query}`)
  if (format === 'csv') return
  // Rows of one key are never split: a page may have one more.
  const rows = Number(/"rows":(\d+)}/.exec(tail)?.[1])
  if (!(rows >= pageRows && rows <= pageRows + 2)) throw new Error(`not a full page: ${tail}`)
}

/** Reads a response to its end as cheaply as Node can; returns its last chunk. */
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
