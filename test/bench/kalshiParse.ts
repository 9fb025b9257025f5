// Kalshi's socket frames, from bytes to book: the session as ingest runs it, compared with JSON.parse and sorted arrays.

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { LiveBook } from '#core/books/liveBook'
import { parseMicros } from '#core/price'
import { type FrameHandler, FrameScanner } from '#venues/kalshi/data/scan'
import { KalshiSession } from '#venues/kalshi/data/session'
import type { FeedSink } from '#venues/venue'
import { sharedFixture } from '../support/fixtures.ts'
import { deltaFrame, seededRandom, snapshotFrame } from '../support/kalshiFeed.ts'
import { type Bench, fullOrShort, rateResult } from './bench.ts'
import { SortedArraysPeer } from './bookPeers.ts'
import { sideBySide, type World } from './sideBySide.ts'

const bench = 'kalshiParse'
const ticker = 'KXBTC15M-26MAY140045-45'
const recording = 'kalshi/ws_tape_btc15m/20260514T0438Z/orderbook_delta.h04.ndjson.gz'
const framesMax = fullOrShort(20_000, 500)
const T = 1_790_000_000_000

/** Deltas in wire format, numbered from 2: of the recorded session where it is available, else a random walk of the same shape. */
function deltas(): { frames: Buffer[]; source: string } {
  const path = sharedFixture(recording)
  if (path === null) return { frames: randomDeltas(), source: 'random walk' }
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n')
  const frames: Buffer[] = []
  for (const line of lines) {
    if (frames.length === framesMax || line === '') break
    const { market_ticker, price_dollars, delta_fp, side, ts_ms } = JSON.parse(line).payload_json
    frames.push(
      Buffer.from(
        JSON.stringify(deltaFrame(2, frames.length + 2, market_ticker, side, price_dollars, delta_fp, ts_ms)),
      ),
    )
  }
  return { frames, source: 'recorded BTC tape' }
}

function randomDeltas(): Buffer[] {
  const random = seededRandom(7)
  return Array.from({ length: framesMax }, (_, i) => {
    const cents = 1 + Math.floor(random() * 49)
    const delta = ((random() - 0.5) * 200).toFixed(2)
    return Buffer.from(
      JSON.stringify(
        deltaFrame(2, i + 2, ticker, random() < 0.5 ? 'yes' : 'no', (cents / 100).toFixed(4), delta, T + i),
      ),
    )
  })
}

/** Deep and wide enough that no delta of the list makes a level negative or the book crossed. */
const start = (): Buffer => {
  const levels = Array.from({ length: 499 }, (_, i): [string, string] => [
    ((i + 1) / 1_000).toFixed(4),
    '1000000000.00',
  ])
  return Buffer.from(JSON.stringify(snapshotFrame(2, 1, ticker, levels, levels.slice(0, 400))))
}

const ignore = (): void => undefined

function session(scanner: boolean): World {
  const book = new LiveBook({ venue: 'kalshi', marketId: ticker, tickMicros: 1_000, onDirty: ignore })
  let broken = 0
  const feed: FeedSink = {
    send: ignore,
    unseeded: ignore,
    book: () => book,
    broken: () => broken++,
    refused: ignore,
    failed: ignore,
    malformed: ignore,
    trade: ignore,
    lastTrade: ignore,
    tickSize: ignore,
    marketStatus: ignore,
  }
  const made = new KalshiSession(feed, { yesPrice: false, scanner })
  made.subscribe([ticker])
  made.receive(start(), T)
  return {
    receiveAll(frames) {
      for (const frame of frames) made.receive(frame, T)
    },
    check(frames) {
      const { scanned, parsed, gaps, ignored, malformed } = made.counts
      const applied = (scanner ? scanned : parsed) - 1
      if (broken > 0 || gaps > 0 || ignored > 0 || malformed > 0 || applied < frames)
        throw new Error(`the bench did not apply its frames: ${JSON.stringify({ broken, ...made.counts })}`)
    },
  }
}

/** JSON.parse, a number per level, splice into sorted arrays, sequence checked. */
function peer(): World {
  const book = new SortedArraysPeer()
  const sizes = new Map<string, number>()
  let last = 0
  const apply = (side: 'yes' | 'no', price: string, change: number): void => {
    const key = side + price
    const size = (sizes.get(key) ?? 0) + change
    sizes.set(key, size)
    const micros = parseMicros(price) ?? 0
    book.set(side === 'yes' ? 0 : 1, side === 'yes' ? micros : 1_000_000 - micros, size)
  }
  for (const side of ['yes', 'no'] as const)
    for (let i = 1; i < (side === 'yes' ? 500 : 401); i++) apply(side, (i / 1_000).toFixed(4), 1e9)
  const receive = (frame: Buffer): void => {
    const { seq, msg } = JSON.parse(frame.toString('utf8'))
    if (seq !== last + 1 && last !== 0) throw new Error('gap')
    last = seq
    apply(msg.side, msg.price_dollars, Number(msg.delta_fp))
    book.bestMicros(0)
  }
  return {
    receiveAll(frames) {
      for (const frame of frames) receive(frame)
    },
  }
}

const noListener: FrameHandler = { delta: ignore, snapshot: ignore, trade: ignore }

/** Frames are parsed without a listener. */
function scanOnly(): World {
  const scanner = new FrameScanner()
  return {
    receiveAll(frames) {
      for (const frame of frames) if (!scanner.scan(frame, noListener)) throw new Error('not scanned')
    },
  }
}

/** Keeps results observable, so that the engine cannot optimise the work away. */
let sink: unknown

const parseOnly = (): World => ({
  receiveAll(frames) {
    for (const frame of frames) sink = JSON.parse(frame.toString('utf8'))
    if (sink === undefined) throw new Error('not parsed')
  },
})

async function run() {
  const { frames, source } = deltas()
  const kept = frames.filter((frame) => withinStart(frame)).map(renumbered)
  // Parsing alone runs first: after sessions have run, the scanner would be compiled for two kinds of listeners.
  const read = sideBySide({ scanOnly, parseOnly }, { frames: kept })
  const ns = sideBySide({ scanned: () => session(true), parsed: () => session(false), plain: peer }, { frames: kept })
  const rate = (each: number): number => 1e9 / each
  const metric = `delta from bytes to committed book (${source})`
  const plainName = 'JSON.parse + sorted arrays'
  return [
    rateResult(bench, `delta read (${source})`, 'frames/s', rate(read.scanOnly), 'JSON.parse', rate(read.parseOnly)),
    rateResult(bench, `${metric}, scanner`, 'frames/s', rate(ns.scanned), plainName, rate(ns.plain)),
    rateResult(bench, `${metric}, JSON path with schema`, 'frames/s', rate(ns.parsed), plainName, rate(ns.plain)),
  ]
}

/** The starting book keeps bids below 0.5 and asks above 0.6: deltas outside would cross the book and measure something else. */
function withinStart(frame: Buffer): boolean {
  const { msg } = JSON.parse(frame.toString())
  return Number(msg.price_dollars) < (msg.side === 'yes' ? 0.5 : 0.4)
}

const renumbered = (frame: Buffer, i: number): Buffer =>
  Buffer.from(
    frame
      .toString()
      .replace(/"seq":\d+/, `"seq":${i + 2}`)
      .replace(/"market_ticker":"[^"]*"/, `"market_ticker":"${ticker}"`),
  )

export const benches: Bench[] = [{ name: bench, run }]
