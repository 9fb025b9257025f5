// Recordings of real sockets, played as captures through the same code as `crossbook replay-raw`. The books are compared with an
// independent computation here, which shares nothing with the adapters.
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sharedFixture } from '#test/support/fixtures'
import { frameOf, readRecording, recordingsIn, type TapeEvent } from '#test/support/kalshiTape'
import { replayFolder, temporaryFolder } from '#test/support/raw/capturedLab'
import { captureOf, type Levels, type RecordedFrame } from '#test/support/raw/recordedCapture'
import { isLong } from '#test/support/shortRuns'

let folder: string
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
})
afterEach(() => remove())

const rowsOf = (venue: string, name: string): Record<string, unknown>[] =>
  readFileSync(fileURLToPath(new URL(`../venues/${venue}/fixtures/${name}.jsonl`, import.meta.url)), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const countBy = (rows: readonly Record<string, unknown>[], idOf: (row: Record<string, unknown>) => unknown) => {
  const counts: Record<string, number> = {}
  for (const row of rows) counts[String(idOf(row))] = (counts[String(idOf(row))] ?? 0) + 1
  return counts
}

describe('frames in the project', () => {
  it('Polymarket: whole books and trades of February 2026', async () => {
    type Side = { price: string; size: string }[]
    const side = (levels: Side, sign: 1 | -1) =>
      levels
        .map(({ price, size }) => ({ price: Number(price), size: Number(size) }))
        .filter(({ size }) => size > 0)
        .sort((a, b) => sign * (a.price - b.price))
    const books = rowsOf('polymarket', 'polymarket_book')
    const trades = rowsOf('polymarket', 'polymarket_trade')
    // The time of a book is that of its last change; they all came upon subscription.
    const at = Math.max(...[...books, ...trades].map(({ timestamp }) => Number(timestamp)))
    const frames = [...books, ...trades].map((row): RecordedFrame => {
      const text = JSON.stringify(row)
      if (row.event_type !== 'book') return { at, text }
      const [bids, asks] = [side(row.bids as Side, -1), side(row.asks as Side, 1)]
      return { at, text, book: { bookId: String(row.asset_id), bids, asks } }
    })
    const bookIds = [...new Set([...books, ...trades].map((row) => String(row.asset_id)))]
    await captureOf(folder, 'polymarket', bookIds, frames)
    const report = await replayFolder(folder)
    expect(report).toMatchObject({ frames: frames.length, framesUnplayed: 0, first: null })
    expect(report.books).toMatchObject({ equal: new Set(books.map((row) => row.asset_id)).size, notes: books.length })
    expect(Object.fromEntries(report.final.trades)).toEqual(countBy(trades, ({ asset_id }) => asset_id))
  }, 60_000)

  it('Kalshi: public trades of February 2026', async () => {
    const rows = rowsOf('kalshi', 'kalshi_trade')
    const tickerOf = (row: Record<string, unknown>) => (row.msg as Record<string, unknown>).market_ticker
    const frames = rows.map((row) => ({
      at: Number((row.msg as { ts: number }).ts) * 1_000,
      text: JSON.stringify(row),
    }))
    await captureOf(folder, 'kalshi', [...new Set(rows.map((row) => String(tickerOf(row))))], frames)
    const report = await replayFolder(folder)
    expect(report).toMatchObject({ frames: rows.length, first: null, books: { notes: 0 } })
    expect(Object.fromEntries(report.final.trades)).toEqual(countBy(rows, tickerOf))
  }, 60_000)
})

const tape = sharedFixture('kalshi/ws_tape_btc15m')
const absent = 'needs ../shared/fixtures/kalshi, which is not next to this checkout'
/** All, in full, in the long form; otherwise the beginning of the first one. */
const eventsMax = isLong ? Number.POSITIVE_INFINITY : 4_000
/** A book is compared after this many of its frames. */
const comparedEvery = 50

/** The recorder requested NO prices of NO levels; we request YES prices, in which the venue would have sent the same. */
function inYesPrices(event: TapeEvent): TapeEvent {
  const flip = (price: unknown): string => (1 - Number(price)).toFixed(4)
  const { kind, payload } = event
  if (kind === 'orderbook_delta' && payload.side === 'no')
    return { ...event, payload: { ...payload, price_dollars: flip(payload.price_dollars) } }
  if (kind !== 'orderbook_snapshot' || payload.no_dollars_fp === undefined) return event
  const no = (payload.no_dollars_fp as [string, string][]).map(([price, size]) => [flip(price), size])
  return { ...event, payload: { ...payload, no_dollars_fp: no } }
}

/** A book computed by addition, in hundredths of contracts and ten-thousandths of dollars. */
class Sum {
  private readonly sides = { yes: new Map<number, number>(), no: new Map<number, number>() }

  take({ kind, payload }: TapeEvent): void {
    const units = (price: unknown): number => Math.round(Number(price) * 10_000)
    const hundredths = (size: unknown): number => Math.round(Number(size) * 100)
    if (kind === 'orderbook_snapshot') {
      for (const side of ['yes', 'no'] as const) {
        const levels = (payload[`${side}_dollars_fp`] ?? []) as [string, string][]
        this.sides[side] = new Map(levels.map(([price, size]) => [units(price), hundredths(size)]))
      }
    } else if (kind === 'orderbook_delta') {
      const side = this.sides[payload.side as 'yes' | 'no']
      const price = units(payload.price_dollars)
      side.set(price, (side.get(price) ?? 0) + hundredths(payload.delta_fp))
    }
  }

  levels(): Levels {
    const best = (side: Map<number, number>) => [...side].filter(([, size]) => size > 0).sort(([a], [b]) => b - a)
    return {
      bids: best(this.sides.yes).map(([price, size]) => ({ price: price / 10_000, size: size / 100 })),
      asks: best(this.sides.no).map(([price, size]) => ({ price: (10_000 - price) / 10_000, size: size / 100 })),
    }
  }
}

/** Up to the first pause longer than ingest waits, as shortly before a market is settled. */
function untilSilent(events: readonly TapeEvent[]): readonly TapeEvent[] {
  const end = events.findIndex(({ recvNs }, at) => at > 0 && recvNs - events[at - 1]!.recvNs > 8e9)
  return end < 0 ? events : events.slice(0, end)
}

describe.skipIf(tape === null)(`Kalshi's BTC tape (${tape === null ? absent : 'books of every change'})`, () => {
  for (const path of tape === null ? [] : recordingsIn(tape).slice(0, isLong ? undefined : 1))
    it(`${path.split('/').at(-1)}: every book is the sum of its changes`, async () => {
      const recording = readRecording(path)
      const events = recording.events.filter(({ kind }) => kind !== 'ticker').slice(0, eventsMax)
      let notes = 0
      let played = 0
      // Each market on a connection of its own: an ended market is silent, and ingest gives up a connection on which all are.
      for (const [ticker, ofMarket] of Map.groupBy(events, (event) => event.ticker)) {
        const sum = new Sum()
        let sid = 0
        const frames = untilSilent(ofMarket).map((event, at): RecordedFrame => {
          // Numbers start again with a subscription.
          if (event.kind === 'orderbook_snapshot' && (sid === 0 || event.seq === 1)) sid++
          sum.take(event)
          const frame = {
            at: Math.floor(event.recvNs / 1e6),
            text: frameOf(inYesPrices(event), sid, 'wire').toString(),
          }
          const levels = sum.levels()
          // A match arrives as several changes: between them the sum is crossed, and no reader is shown that.
          const isCrossed = (levels.bids[0]?.price ?? 0) >= (levels.asks[0]?.price ?? 1)
          if ((at + 1) % comparedEvery !== 0 || isCrossed) return frame
          return { ...frame, book: { bookId: ticker, ...levels } }
        })
        const own = join(folder, ticker)
        await mkdir(own)
        await captureOf(own, 'kalshi', [ticker], frames)
        const report = await replayFolder(own)
        expect(report, ticker).toMatchObject({ first: null, framesUnplayed: 0 })
        expect(report.books, ticker).toMatchObject({ equal: 1, different: 0 })
        notes += report.books.notes
        played += frames.length
      }
      expect(played).toBeGreaterThan(events.length * 0.98)
      expect(notes).toBeGreaterThan(eventsMax === Number.POSITIVE_INFINITY ? 500 : 50)
    }, 300_000)
})
