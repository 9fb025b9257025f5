// What full depth costs on the tape: recorded sessions of Kalshi through the books of ingest, with full depth recorded and without.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DepthTape } from '#actors/ingest/depthRecorder'
import { IngestBook } from '#actors/ingest/ingestBook'
import { TapeBuffer } from '#actors/ingest/recordBuffer'
import { ASK, BID } from '#core/books/book'
import type { TapeBatch } from '#schemas/topics'
import { TapeBlock } from '#storage/clickhouse/insert'
import { Arrival } from '#storage/clickhouse/insertSequence'
import { sharedFixture } from '#test/support/fixtures'
import type { BookSide } from '#venues/venue'
import { type Bench, type BenchResult, cpuNsPerCall, figure, fullOrShort, isShort } from './bench.ts'
import { bytesARow, withTape } from './tape.ts'
import { cpuMs } from './tapeCost.ts'
import { linesOf, type RecordedLine } from './tapeRows.ts'

const rounds = fullOrShort(8, 2)
const warmUpRounds = fullOrShort(2, 1)
const insertRounds = fullOrShort(4, 1)
const sessionsMax = fullOrShort(Number.POSITIVE_INFINITY, 1)
const stepsMax = fullOrShort(Number.POSITIVE_INFINITY, 5_000)

type Move = [side: BookSide, micros: number, size: number]

interface Step {
  bookId: string
  isSnapshot: boolean
  moves: Move[]
  eventTs: number | null
  recvTs: number
}

function stepOf({ event_type, market_ticker, local_recv_ns, payload_json: payload }: RecordedLine): Step {
  const yes = (price: string, size: string): Move => [BID, Math.round(Number(price) * 1e6), Number(size)]
  const no = (price: string, size: string): Move => [ASK, 1_000_000 - Math.round(Number(price) * 1e6), Number(size)]
  const isSnapshot = event_type === 'orderbook_snapshot'
  const moves = isSnapshot
    ? [
        ...(payload.yes_dollars_fp ?? []).map((level) => yes(...level)),
        ...(payload.no_dollars_fp ?? []).map((level) => no(...level)),
      ]
    : [(payload.side === 'yes' ? yes : no)(payload.price_dollars!, payload.delta_fp!)]
  return {
    bookId: market_ticker,
    isSnapshot,
    moves,
    eventTs: payload.ts_ms ?? null,
    recvTs: Math.floor(local_recv_ns / 1e6),
  }
}

/** Runs all of it once. Returns what was published to the bus, in batches of 100 ms as in service. */
async function play(steps: readonly Step[], withDepth: boolean): Promise<TapeBatch[]> {
  const tape = new TapeBuffer('kalshi')
  let now = steps[0]!.recvTs
  const depth = withDepth ? new DepthTape({ tape, now: () => now }) : null
  const books = new Map<string, IngestBook>()
  const batches: TapeBatch[] = []
  const bus = {
    ready: async () => undefined,
    publish: (topic: string, _key: string, value: unknown) => topic === 'tape' && batches.push(value as TapeBatch),
  }
  let flushed = now
  for (const { bookId, isSnapshot, moves, eventTs, recvTs } of steps) {
    now = recvTs
    let book = books.get(bookId)
    if (book === undefined) {
      book = new IngestBook({
        ...{ venue: 'kalshi', marketId: bookId, tickMicros: null, tape, depth: depth?.open(bookId), beat: { at: 0 } },
        ...{ onDirty: () => undefined, onSynced: () => undefined },
      })
      books.set(bookId, book)
    }
    if (isSnapshot) book.beginSnapshot()
    for (const [side, micros, size] of moves) isSnapshot ? book.set(side, micros, size) : book.add(side, micros, size)
    book.commit(eventTs, recvTs)
    // Encodes the book as publishing would, so that the next change is new to readers.
    book.core()
    if (now - flushed < 100) continue
    flushed = now
    depth?.sweep()
    await tape.flush(bus as never, () => ({}) as never)
  }
  await tape.flush(bus as never, () => ({}) as never)
  return batches
}

async function cpuUsOf(steps: readonly Step[], withDepth: boolean): Promise<number> {
  const taken: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    await play(steps, withDepth)
    const { user, system } = process.cpuUsage(before)
    if (round >= warmUpRounds) taken.push((user + system) / steps.length)
  }
  return taken.sort((a, b) => a - b)[taken.length >> 1]!
}

async function run(): Promise<BenchResult[]> {
  const folder = sharedFixture('kalshi/ws_tape_btc15m')
  if (folder === null) {
    if (isShort) process.stderr.write('tape.depth: skipped, there are no recordings of Kalshi next to the project\n')
    return []
  }
  const steps = readdirSync(folder)
    .sort()
    .slice(0, sessionsMax)
    .flatMap((session) => linesOf(join(folder, session)).map(stepOf))
    .slice(0, stepsMax)
  const [without, withIt] = [await cpuUsOf(steps, false), await cpuUsOf(steps, true)]
  const batches = await play(steps, true)
  const changes = batches.reduce((sum, { depth = [] }) => sum + depth.length, 0)
  const only = (pick: (batch: TapeBatch) => Partial<TapeBatch>): TapeBatch[] =>
    batches.map((batch) => ({ ...batch, topOfBook: [], trades: [], books: [], depth: [], ...pick(batch) }))
  const tops = only(({ topOfBook }) => ({ topOfBook }))
  const depths = only(({ depth }) => (depth === undefined ? {} : { depth }))
  const results: BenchResult[] = [
    figure('tape.depth', 'a change at ingest, without full depth', 'us CPU', without),
    figure('tape.depth', 'a change at ingest, with full depth', 'us CPU', withIt),
  ]
  for (const [name, set] of [
    ['top of book', tops],
    ['full depth', depths],
  ] as const) {
    const encoded = cpuNsPerCall(() => blockOf(set), { calls: 1, rounds: 5 })
    results.push(figure('tape.depth', `${name}: encoded, per change`, 'us CPU', encoded / 1_000 / steps.length))
    results.push(
      ...(await withTape(async ({ store }) => {
        const inserted: number[] = []
        let rows = 0
        for (let round = 0; round < insertRounds; round++) {
          const block = blockOf(set)
          rows = block.rows
          const before = cpuMs(store)
          await block.insert(store, `bench:${round}`)
          inserted.push(cpuMs(store) - before)
          if (round < insertRounds - 1)
            await store.command(`TRUNCATE TABLE ${name === 'full depth' ? 'depth' : 'top_of_book'}`)
        }
        const bytes = await bytesARow(store, name === 'full depth' ? 'depth' : 'top_of_book')
        return [
          figure(
            'tape.depth',
            `${name}: inserted in one batch, per change`,
            'us CPU',
            (Math.min(...inserted) * 1_000) / steps.length,
          ),
          figure('tape.depth', `${name}: ${rows} rows of ${steps.length} changes`, 'bytes/row', bytes),
          figure('tape.depth', `${name}: per change`, 'bytes', (bytes * rows) / steps.length),
        ]
      })),
    )
  }
  results.push(figure('tape.depth', 'share of changes published', '1', changes / steps.length))
  return results
}

function blockOf(batches: readonly TapeBatch[]): TapeBlock {
  const block = new TapeBlock()
  const arrival = new Arrival()
  for (const batch of batches) block.add(batch, arrival)
  return block
}

export const benches: Bench[] = [{ name: 'tape.depth', run }]
