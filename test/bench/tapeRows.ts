// Top-of-book rows to measure the tape with: rebuilt from the Kalshi recordings where they are next to the project, else seeded ones.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { TapeBatch, TopOfBookRow } from '#schemas/topics'
import { sharedFixture } from '#test/support/fixtures'

export interface RowSet {
  name: string
  batches: TapeBatch[]
  rows: number
}

export interface RecordedLine {
  event_type: string
  market_ticker: string
  local_recv_ns: number
  sequence_number: number
  payload_json: {
    ts_ms?: number
    side?: 'yes' | 'no'
    price_dollars?: string
    delta_fp?: string
    yes_dollars_fp?: [string, string][]
    no_dollars_fp?: [string, string][]
  }
}

/** Every change of the best prices or their sizes in eight recorded sessions; null without the recordings. */
export function recordedTops(sessions = Number.POSITIVE_INFINITY): RowSet | null {
  const folder = sharedFixture('kalshi/ws_tape_btc15m')
  if (folder === null) return null
  const byOutcome = new Map<string, TapeBatch>()
  let rows = 0
  for (const session of readdirSync(folder).sort().slice(0, sessions)) {
    for (const row of topsOf(linesOf(join(folder, session)))) {
      const batch = byOutcome.get(row.outcomeId) ?? {
        venue: row.venue,
        outcomeId: row.outcomeId,
        topOfBook: [],
        trades: [],
        books: [],
      }
      byOutcome.set(row.outcomeId, batch)
      batch.topOfBook.push(row)
      rows += 1
    }
  }
  return { name: 'kalshi recordings', batches: [...byOutcome.values()], rows }
}

/** Of one session, in order of arrival. */
export function linesOf(folder: string): RecordedLine[] {
  const files = readdirSync(folder).filter((file) => /^orderbook_(delta|snapshot)\./.test(file))
  return files
    .flatMap((file) =>
      gunzipSync(readFileSync(join(folder, file)))
        .toString()
        .split('\n'),
    )
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedLine)
    .sort((a, b) => a.local_recv_ns - b.local_recv_ns || a.sequence_number - b.sequence_number)
}

/** Micros → hundredths of a contract. A plain map: this builds the input of a bench and is not measured. */
type Side = Map<number, number>

function* topsOf(lines: readonly RecordedLine[]): Generator<TopOfBookRow> {
  const books = new Map<string, { yes: Side; no: Side; last: string }>()
  for (const { event_type, market_ticker: outcomeId, local_recv_ns, payload_json: payload } of lines) {
    const recvTs = Math.floor(local_recv_ns / 1e6)
    if (event_type === 'orderbook_snapshot') {
      const side = (levels: [string, string][] = []): Side =>
        new Map(levels.map(([price, size]) => [Math.round(Number(price) * 1e6), Math.round(Number(size) * 100)]))
      books.set(outcomeId, { yes: side(payload.yes_dollars_fp), no: side(payload.no_dollars_fp), last: '' })
    }
    const book = books.get(outcomeId)
    if (book === undefined) continue
    if (payload.side !== undefined) {
      const side = book[payload.side]
      const price = Math.round(Number(payload.price_dollars) * 1e6)
      const size = (side.get(price) ?? 0) + Math.round(Number(payload.delta_fp) * 100)
      if (size > 0) side.set(price, size)
      else side.delete(price)
    }
    const bid = Math.max(-1, ...book.yes.keys())
    const no = Math.max(-1, ...book.no.keys())
    const top = {
      bidMicros: bid < 0 ? null : bid,
      bidSize: (book.yes.get(bid) ?? 0) / 100,
      askMicros: no < 0 ? null : 1_000_000 - no,
      askSize: (book.no.get(no) ?? 0) / 100,
    }
    const text = JSON.stringify(top)
    if (text === book.last) continue
    book.last = text
    yield { venue: 'kalshi', outcomeId, ts: payload.ts_ms ?? recvTs, recvTs, ...top }
  }
}

/** A seeded walk: `outcomes` books, prices moving by whole ticks, sizes to the hundredth, about 50 ms from venue to us. */
export function walkedTops(rows: number, outcomes: number, seed = 1): RowSet {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const batches = Array.from({ length: outcomes }, (_, n): TapeBatch => {
    const outcomeId = `${'7609685506957707988752292799815261013613462912345678901234567890123456789'}${1000 + n}`
    return { venue: 'polymarket', outcomeId, topOfBook: [], trades: [], books: [] }
  })
  for (const batch of batches) {
    let ts = 1_790_000_000_000
    let middle = 300_000 + Math.floor(random() * 40) * 10_000
    let bidSize = 100
    let askSize = 100
    for (let i = 0; i < rows / outcomes; i++) {
      ts += Math.floor(random() ** 4 * 400)
      const what = random()
      if (what < 0.05) middle += random() < 0.5 ? -10_000 : 10_000
      middle = Math.min(950_000, Math.max(50_000, middle))
      if (what < 0.5) bidSize = Math.round(random() ** 3 * 500_000) / 100
      else askSize = Math.round(random() ** 3 * 500_000) / 100
      batch.topOfBook.push({
        venue: batch.venue,
        outcomeId: batch.outcomeId,
        ts,
        recvTs: ts + 40 + Math.floor(random() ** 2 * 30),
        bidMicros: middle - 10_000,
        bidSize,
        askMicros: middle + 10_000,
        askSize,
      })
    }
  }
  return {
    name: `seeded walk (seed ${seed})`,
    batches,
    rows: batches.reduce((sum, { topOfBook }) => sum + topOfBook.length, 0),
  }
}
