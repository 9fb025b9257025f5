// Orders with known lifetimes in the recorded Kalshi tapes. Every delta there is one change of one order: an order of an unusual size can be
// followed from its `+s` to its `-s` at one price. Trades were not recorded, but the ticker has the traded volume (both sides counted) up to
// its own time: a second is solved when exactly one set of decreases at the best prices adds up to it.
//
// A probe is placed just before the order it copies, so that it has the same position in the queue; the original is right behind it. The
// model sees the whole tape, and the probe ends when the original was cancelled.
import type { PaperLevel } from '#paper/model/index'
import { type TapeEvent as RecordedEvent, readRecording, recordingsIn } from '#test/support/kalshiTape'
import { type EvaluationTape, noFill, type Outcome, type Probe, type TapeEvent, withFill } from './tape.ts'

interface Delta {
  at: number
  /** ISO, microseconds. */
  ts: string
  isBid: boolean
  /** Micros of YES. */
  price: number
  /** Hundredths of a contract. */
  change: number
  isBest: boolean
  /** Position of the price among the side's levels, 0 = best. */
  depth: number
}

/** Deltas of one moment and side. */
interface Change {
  ts: string
  at: number
  isBid: boolean
  deltas: Delta[]
  isTrade: boolean
}

interface Interval {
  from: number
  to: number
}

const millionthsPerHundredth = 10_000
/** Other deltas of the same size at the same price this long before an order make it ambiguous. */
const uniqueMs = 30_000
const lifetimeMinMs = 250
/** Orders further from the best price are left out: they hardly ever fill. */
const depthMax = 2
/** A probe whose original filled works this much longer. */
const afterFillMs = 10_000
/** One tape for each market of each recording. */
export function* kalshiTapes(folder: string): Generator<EvaluationTape> {
  for (const path of recordingsIn(folder)) {
    const { name, events } = readRecording(path)
    for (const ticker of new Set(events.map((event) => event.ticker)))
      yield tapeOf(
        `${name} ${ticker}`,
        events.filter((event) => event.ticker === ticker),
      )
  }
}

function tapeOf(name: string, recorded: readonly RecordedEvent[]): EvaluationTape {
  const changes: Change[] = []
  const marks: { ts: string; hundredths: number }[] = []
  const books: { change: Change | null; event: TapeEvent }[] = []
  /** Newest change of the YES bids and of the NO bids. */
  const newest: [Change | null, Change | null] = [null, null]
  let bids: readonly PaperLevel[] = []
  let asks: readonly PaperLevel[] = []
  let lastAt = 0
  for (const { kind, payload, recvNs } of recorded) {
    if (kind === 'ticker') {
      marks.push({ ts: isoOf(payload.time), hundredths: hundredthsOf(payload.volume_fp) })
      continue
    }
    let change: Change | null = null
    if (kind === 'orderbook_snapshot') {
      bids = readSide(payload.yes_dollars_fp, true)
      asks = readSide(payload.no_dollars_fp, false)
      // Snapshots have no time of the venue.
      lastAt = Math.max(lastAt, Math.floor(recvNs / 1e6) - 1_000)
    } else {
      const isBid = payload.side === 'yes'
      const delta = readDelta(payload, isBid, isBid ? bids : asks)
      if (isBid) bids = withDelta(bids, delta)
      else asks = withDelta(asks, delta)
      lastAt = Math.max(lastAt, delta.at)
      change = newest[isBid ? 0 : 1]
      if (change?.ts === delta.ts) change.deltas.push(delta)
      else {
        change = { ts: delta.ts, at: lastAt, isBid, deltas: [delta], isTrade: false }
        changes.push(change)
        newest[isBid ? 0 : 1] = change
      }
    }
    books.push({ change, event: { kind: 'book', book: { seq: books.length, at: lastAt, isLive: true, bids, asks } } })
  }
  const solved = solve(changes, marks)
  const { probes, truth } = followOrders(changes, solved)
  return { name, events: withTrades(books), probes, takers: [], truth }
}

/** Best first. */
const readSide = (levels: unknown, isBid: boolean): PaperLevel[] =>
  ((levels ?? []) as [dollars: string, size: string][])
    .map(([price, size]) => [microsOf(price, isBid), hundredthsOf(size) * millionthsPerHundredth] as const)
    .sort(([a], [b]) => (isBid ? b - a : a - b))

function withDelta(levels: readonly PaperLevel[], { isBid, price, change }: Delta): PaperLevel[] {
  const after = [...levels]
  const found = after.findIndex(([each]) => (isBid ? each <= price : each >= price))
  const at = found < 0 ? after.length : found
  const isKnown = after[at]?.[0] === price
  const size = (isKnown ? after[at]![1] : 0) + change * millionthsPerHundredth
  after.splice(at, isKnown ? 1 : 0, ...(size > 0 ? [[price, size] as const] : []))
  return after
}

function readDelta(payload: Record<string, unknown>, isBid: boolean, levels: readonly PaperLevel[]): Delta {
  const price = microsOf(String(payload.price_dollars), isBid)
  const better = levels.findIndex(([each]) => (isBid ? each <= price : each >= price))
  const depth = better < 0 ? levels.length : better
  return {
    at: Number(payload.ts_ms),
    ts: isoOf(payload.ts),
    isBid,
    price,
    change: hundredthsOf(payload.delta_fp),
    isBest: levels[0]?.[0] === price,
    depth,
  }
}

/** Marks the changes that were trades; the result are the times in which they are known. */
function solve(changes: readonly Change[], marks: readonly { ts: string; hundredths: number }[]): Interval[] {
  const solved: Interval[] = []
  let next = 0
  let before: { ts: string; hundredths: number } | null = null
  for (const mark of marks) {
    if (before !== null && mark.ts <= before.ts) continue
    const within: Change[] = []
    for (; next < changes.length && changes[next]!.ts <= mark.ts; next++) within.push(changes[next]!)
    const twice = before === null ? Number.NaN : mark.hundredths - before.hundredths
    const candidates = within.filter(({ deltas }) => deltas[0]!.isBest && deltas.every(({ change }) => change < 0))
    const chosen = twice % 2 === 0 ? onlySet(candidates.map(takenBy), twice / 2) : null
    if (before !== null && chosen !== null) {
      for (const index of chosen) candidates[index]!.isTrade = true
      const interval = { from: Date.parse(`${before.ts}Z`), to: Date.parse(`${mark.ts}Z`) }
      const last = solved.at(-1)
      if (last?.to === interval.from) last.to = interval.to
      else solved.push(interval)
    }
    before = mark
  }
  return solved
}

const takenBy = ({ deltas }: Change): number => deltas.reduce((sum, { change }) => sum - change, 0)

/** The only set of parts with this total; null: none, or several. */
function onlySet(parts: readonly number[], total: number): number[] | null {
  // For every part, the number of ways (0, 1, several) to each sum with the parts before it.
  const ways = [new Uint8Array(total + 1)]
  ways[0]![0] = 1
  for (const part of parts) {
    const before = ways.at(-1)!
    const after = before.slice()
    for (let sum = part; sum <= total; sum++)
      if (before[sum - part]! > 0) after[sum] = Math.min(2, after[sum]! + before[sum - part]!)
    if (after[total]! > 1) return null
    ways.push(after)
  }
  if (ways.at(-1)![total] !== 1) return null
  const chosen: number[] = []
  let left = total
  for (let i = parts.length - 1; i >= 0; i--) {
    if (ways[i]![left]! > 0) continue
    chosen.push(i)
    left -= parts[i]!
  }
  return chosen
}

/** Each trade just before the book that reflects its first part. */
function withTrades(books: readonly { change: Change | null; event: TapeEvent }[]): TapeEvent[] {
  const events: TapeEvent[] = []
  const reported = new Set<Change>()
  for (const { change, event } of books) {
    if (change?.isTrade === true && !reported.has(change)) {
      reported.add(change)
      change.deltas.forEach(({ price, change: size, isBid }, n) => {
        events.push({
          kind: 'trade',
          trade: {
            id: `${change.ts} ${n}`,
            at: change.at,
            price,
            size: -size * millionthsPerHundredth,
            takerSide: isBid ? 'sell' : 'buy',
          },
        })
      })
    }
    events.push(event)
  }
  return events
}

function followOrders(changes: readonly Change[], solved: readonly Interval[]) {
  const byOrder = new Map<string, { delta: Delta; change: Change }[]>()
  for (const change of changes) {
    for (const delta of change.deltas) {
      const key = `${delta.isBid} ${delta.price} ${Math.abs(delta.change)}`
      const list = byOrder.get(key) ?? []
      list.push({ delta, change })
      byOrder.set(key, list)
    }
  }
  const probes: Probe[] = []
  const truth = new Map<string, Outcome>()
  for (const list of byOrder.values()) {
    list.forEach(({ delta, change }, n) => {
      const end = list[n + 1]
      const earlier = list[n - 1]
      if (delta.change < 0 || end === undefined || end.delta.change > 0) return
      if (earlier !== undefined && change.at - earlier.change.at < uniqueMs) return
      if (delta.depth > depthMax || end.change.at - change.at < lifetimeMinMs) return
      const until = end.change.at
      if (!solved.some(({ from, to }) => from <= change.at && until <= to)) return
      const id = `order-${probes.length}`
      const size = delta.change * millionthsPerHundredth
      const side = delta.isBid ? 'buy' : 'sell'
      const { price } = delta
      const isFilled = end.change.isTrade
      probes.push({
        order: { id, side, price, size, timeInForce: 'GTC', expiresAt: null, postOnly: false },
        placedAt: change.at - 1,
        endsAt: isFilled ? until + afterFillMs : until - 1,
      })
      truth.set(id, isFilled ? withFill(noFill, until, price, size) : noFill)
    })
  }
  probes.sort((a, b) => a.placedAt - b.placedAt)
  return { probes, truth }
}

/** NO bids are YES asks. */
const microsOf = (dollars: string, isBid: boolean): number => {
  const micros = Math.round(Number(dollars) * 1_000_000)
  return isBid ? micros : 1_000_000 - micros
}

const hundredthsOf = (fixedPoint: unknown): number => Math.round(Number(fixedPoint) * 100)

/** With six digits of a second and no zone, so that texts compare as times. */
function isoOf(value: unknown): string {
  const [seconds = '', fraction = ''] = String(value).replace('Z', '').split('.')
  return `${seconds}.${fraction.padEnd(6, '0')}`
}
