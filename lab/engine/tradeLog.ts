// A market's trade history: the newest trades in full, those of a day as minutes, and the ninety days before the lab began, regenerated on
// every read. Candles are built only from it, so that they agree with the trades.
//
//   past (by minute, repeatable) ─► trades kept in full ─► now
//                                   minutes of a day ─► now
export interface LabTrade {
  /** Increasing within the market, from 1. */
  ordinal: number
  priceMicros: number
  /** Contracts or shares. */
  size: number
  takerBuysYes: boolean
  atMs: number
}

/** What was traded from `startMs` on, for the requested duration. */
export interface LabBar {
  startMs: number
  openMicros: number
  highMicros: number
  lowMicros: number
  closeMicros: number
  hundredths: number
}

/** The market's trade in one minute before the lab began; null when there was none. */
export type PastTrade = (minute: number) => Omit<LabTrade, 'ordinal'> | null

export const tradesKept = 500
const minuteMs = 60_000
/** Minutes of its own time a market remembers: earlier ones appear neither as trades nor as candles. */
const minutesKept = 1_440
const pastMinutes = 90 * 1_440

export class TradeLog {
  /** Oldest first. */
  readonly kept: LabTrade[] = []
  private readonly minutes: LabBar[] = []
  private lastOrdinal = 0
  /** The past ends before this minute; null for a market that has none. */
  private pastEnd: number | null = null
  private readonly pastTrade: PastTrade

  constructor(pastTrade: PastTrade) {
    this.pastTrade = pastTrade
  }

  /** Starts the past: ninety days of it, up to the minute of `beganMs`. */
  begin(beganMs: number): void {
    this.pastEnd = Math.floor(beganMs / minuteMs)
    this.lastOrdinal = pastMinutes
  }

  record(trade: Omit<LabTrade, 'ordinal'>): LabTrade {
    const numbered = { ordinal: ++this.lastOrdinal, ...trade }
    this.kept.push(numbered)
    if (this.kept.length > tradesKept * 2) this.kept.splice(0, tradesKept)
    const minute = barOf(numbered)
    const open = this.minutes.at(-1)
    if (open?.startMs === minute.startMs) extend(open, minute)
    else this.minutes.push(minute)
    if (this.minutes.length > minutesKept * 2) this.minutes.splice(0, minutesKept)
    return numbered
  }

  /** Newest first, both ends of the window included. */
  read({ fromMs, toMs, most }: { fromMs: number; toMs: number; most: number }): LabTrade[] {
    const found: LabTrade[] = []
    for (let i = this.kept.length - 1; i >= 0 && found.length < most; i--) {
      const trade = this.kept[i]!
      if (trade.atMs >= fromMs && trade.atMs <= toMs) found.push(trade)
    }
    const { first, last } = this.past(fromMs, toMs + 1)
    for (let minute = last; minute >= first && found.length < most; minute--) {
      const trade = this.pastAt(minute)
      if (trade !== null && trade.atMs >= fromMs && trade.atMs <= toMs) found.push(trade)
    }
    return found
  }

  /** Newest first. */
  newest(most: number): LabTrade[] {
    return this.read({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, most })
  }

  /** Price of the newest trade by then; null when there was none. */
  priceAt(atMs: number): number | null {
    const [kept] = this.read({ fromMs: this.kept[0]?.atMs ?? atMs, toMs: atMs, most: 1 })
    if (kept !== undefined) return kept.priceMicros
    const minute = this.minutes.findLast(({ startMs }) => startMs + minuteMs <= atMs)
    return minute?.closeMicros ?? this.read({ fromMs: 0, toMs: atMs, most: 1 })[0]?.priceMicros ?? null
  }

  /** Oldest first: buckets of whole minutes that start in the window, without empty ones. */
  bars(fromMs: number, beforeMs: number, stepMs: number): LabBar[] {
    const bars: LabBar[] = []
    const add = (part: LabBar) => {
      const open = bars.at(-1)
      const startMs = Math.floor(part.startMs / stepMs) * stepMs
      if (open?.startMs === startMs) extend(open, part)
      else bars.push({ ...part, startMs })
    }
    const { first, last } = this.past(fromMs, beforeMs)
    for (let minute = first; minute <= last; minute++) {
      const trade = this.pastAt(minute)
      if (trade !== null) add(barOf(trade))
    }
    for (const minute of this.minutes) if (minute.startMs >= fromMs && minute.startMs < beforeMs) add(minute)
    return bars
  }

  private past(fromMs: number, beforeMs: number): { first: number; last: number } {
    if (this.pastEnd === null) return { first: 0, last: -1 }
    const first = Math.max(this.pastEnd - pastMinutes, Math.floor(fromMs / minuteMs))
    return { first, last: Math.min(this.pastEnd, Math.ceil(beforeMs / minuteMs)) - 1 }
  }

  private pastAt(minute: number): LabTrade | null {
    const trade = this.pastTrade(minute)
    return trade === null ? null : { ordinal: minute - this.pastEnd! + pastMinutes + 1, ...trade }
  }
}

const barOf = ({ priceMicros, size, atMs }: LabTrade): LabBar => ({
  startMs: Math.floor(atMs / minuteMs) * minuteMs,
  openMicros: priceMicros,
  highMicros: priceMicros,
  lowMicros: priceMicros,
  closeMicros: priceMicros,
  hundredths: Math.round(size * 100),
})

function extend(bar: LabBar, next: LabBar): void {
  bar.highMicros = Math.max(bar.highMicros, next.highMicros)
  bar.lowMicros = Math.min(bar.lowMicros, next.lowMicros)
  bar.closeMicros = next.closeMicros
  bar.hundredths += next.hundredths
}
