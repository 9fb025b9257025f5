// One simulated market: its book, its fair price, its last trades. One `step` is one venue message's worth of change.
import { createPrng, createScatter, type Prng } from '../prng.ts'
import { ASK, BID, LabBook, type Level, type Side } from './book.ts'
import { type Grid, type GridName, grids } from './grid.ts'
import { type LabTrade, type PastTrade, TradeLog, tradesKept } from './tradeLog.ts'

export type { LabTrade } from './tradeLog.ts'

export type LabStatus = 'open' | 'closed' | 'resolved'

export interface MarketTruth {
  /** Best first, YES scale. */
  bids: Level[]
  asks: Level[]
  /** When the book last changed, epoch ms. */
  eventTs: number
}

/** Clients' orders resting in this book. */
export interface RestingOrders {
  /** Hundredths of a level that belong to clients. */
  heldAt(market: EngineMarket, side: Side, priceMicros: number): number
  taken(market: EngineMarket, side: Side, priceMicros: number, hundredths: number, trade: number): void
}

/** Called right after each change is applied, so the book it reads is the book of that message. */
export interface MarketListener {
  level(market: EngineMarket, side: Side, index: number, deltaHundredths: number): void
  trade(market: EngineMarket, trade: LabTrade): void
  /** After the last change of one tick. */
  flush(market: EngineMarket): void
}

const LEVELS_MIN = 4
const LEVELS_MAX = 40
/** Grid steps within which a price counts as close to a side's best. */
const aboutSteps = 3
/** Share of minutes with a trade before the lab began; every fifth hour had none. */
const PAST_TRADED = 0.4
/** Level sizes are kept below this many hundredths. */
const SIZE_MAX = 5_000_000

export class EngineMarket {
  readonly id: string
  /** Messages per second of synthetic flow. */
  ratePerSecond: number
  /** Backlog of the flow, in messages. */
  backlog: number
  status: LabStatus = 'open'
  /** Winning side once resolved. */
  result: 'yes' | 'no' | null = null
  statusAtMs = 0
  lastTrade: LabTrade | null = null
  volumeHundredths: number
  eventTs: number
  readonly log: TradeLog
  /** Called after every single change of the book, even within one message's worth: for tests that must see every state. */
  onChange: (() => void) | null = null
  /** Null when the venue takes no orders. */
  resting: RestingOrders | null = null
  readonly book: LabBook
  private anchorMicros: number
  private fairMicros: number
  private readonly random: Prng
  private readonly lotHundredths: number

  constructor(options: {
    id: string
    seed: string
    grid: GridName
    anchorMicros: number
    ratePerSecond: number
    nowMs: number
    status: LabStatus
    result: 'yes' | 'no' | null
    recordedId?: string
    lotHundredths?: number | undefined
  }) {
    this.id = options.id
    this.random = createPrng(`${options.seed}/market/${options.id}`)
    this.book = new LabBook(grids[options.grid])
    this.lotHundredths = options.lotHundredths ?? 1
    this.anchorMicros = options.anchorMicros
    this.fairMicros = options.anchorMicros
    const recorded = options.recordedId !== undefined
    this.ratePerSecond = recorded ? 0 : options.ratePerSecond
    this.status = options.status
    this.result = options.result
    this.eventTs = options.nowMs
    this.statusAtMs = options.nowMs
    this.volumeHundredths = 50_000 + this.random.int(20_000_000)
    this.backlog = this.random.next()
    this.log = new TradeLog(this.pastTrades(`${options.seed}/past/${options.id}`, this.book.grid))
    if (recorded) return
    this.seedTrades(options.nowMs)
    if (options.status === 'open') this.seedBook()
  }

  /** One message's worth of flow. */
  step(atMs: number, listener: MarketListener): void {
    const { random, book } = this
    this.drift()
    const side: Side = random.chance(0.5) ? BID : ASK
    const dice = random.next()
    const fairIndex = book.grid.floorIndex(this.fairMicros)
    const overdue = side === BID ? book.bestBid > fairIndex : book.bestAsk <= fairIndex
    if (book.count(side) < LEVELS_MIN) this.add(side, fairIndex, atMs, listener)
    else if (overdue || dice < 0.08) this.take(side, atMs, listener)
    else if (dice < 0.5 || book.count(side) > LEVELS_MAX) this.cancel(side, atMs, listener)
    else this.add(side, fairIndex, atMs, listener)
  }

  /** Sets a level's total (hundredths) and notifies the listener; the only way a book changes while it is open. */
  setLevel(side: Side, index: number, hundredths: number, atMs: number, listener: MarketListener | null): void {
    const delta = hundredths - this.book.at(side, index)
    if (delta === 0) return
    this.book.set(side, index, hundredths)
    this.eventTs = atMs
    listener?.level(this, side, index, delta)
    this.onChange?.()
  }

  recordTrade(trade: Omit<LabTrade, 'ordinal'>): LabTrade {
    const numbered = this.log.record(trade)
    this.lastTrade = numbered
    this.volumeHundredths += Math.round(trade.size * 100)
    return numbered
  }

  /** The trades still kept in full, oldest first. */
  get trades(): readonly LabTrade[] {
    return this.log.kept
  }

  /** Newest first; includes those from before the lab began. */
  recentTrades(): LabTrade[] {
    return this.log.newest(tradesKept)
  }

  truth(): MarketTruth {
    return { bids: this.book.levels(BID), asks: this.book.levels(ASK), eventTs: this.eventTs }
  }

  /** The mid, or the final price. Micros. */
  midMicros(): number {
    if (this.result !== null) return this.result === 'yes' ? 1_000_000 : 0
    const bid = this.book.bestBidMicros()
    const ask = this.book.bestAskMicros()
    if (bid === null || ask === null) return bid ?? ask ?? this.fairMicros
    return Math.round((bid + ask) / 2)
  }

  /** Sets the fair value: the flow trades the book there message by message. */
  aimAt(priceMicros: number): void {
    this.anchorMicros = priceMicros
    this.fairMicros = priceMicros
  }

  /** Both sides are quoted, and the price lies between them or next to them. */
  isAbout(priceMicros: number): boolean {
    const { book } = this
    const index = book.grid.floorIndex(priceMicros)
    return (
      book.count(BID) >= LEVELS_MIN &&
      book.count(ASK) >= LEVELS_MIN &&
      Math.abs(index - book.bestBid) <= aboutSteps &&
      Math.abs(index + 1 - book.bestAsk) <= aboutSteps
    )
  }

  /** Micros of the newest trade by then, or of the fair price when none is known. */
  priceAt(atMs: number): number {
    return this.log.priceAt(atMs) ?? this.fairMicros
  }

  private pastTrades(name: string, grid: Grid): PastTrade {
    const scatter = createScatter(name)
    return (minute) => {
      if (Math.floor(minute / 60) % 5 === 0 || scatter(minute, 0) >= PAST_TRADED) return null
      const atMs = minute * 60_000 + Math.floor(scatter(minute, 1) * 60_000)
      return {
        priceMicros: this.pastMicros(atMs, grid),
        size: (1 + Math.floor(scatter(minute, 2) * 50)) * 10,
        takerBuysYes: scatter(minute, 3) < 0.5,
        atMs,
      }
    }
  }

  /** A price this market may have had; smooth, repeatable, ending near today's anchor. */
  private pastMicros(atMs: number, grid: Grid): number {
    const days = atMs / 86_400_000
    const phase = this.anchorMicros / 50_000
    const swing =
      Math.sin(days / 3 + phase) * 0.05 + Math.sin(days * 1.7 + phase * 2) * 0.02 + Math.sin(days * 24) * 0.004
    const price = this.anchorMicros + swing * 2 * Math.min(this.anchorMicros, 1_000_000 - this.anchorMicros)
    return grid.prices[Math.max(0, grid.floorIndex(price))]!
  }

  private drift(): void {
    const edgeDistance = Math.min(this.anchorMicros, 1_000_000 - this.anchorMicros)
    const pull = (this.anchorMicros - this.fairMicros) * 0.002
    this.fairMicros += pull + (this.random.next() - 0.5) * edgeDistance * 0.02
    this.fairMicros = Math.min(985_000, Math.max(15_000, this.fairMicros))
  }

  private size(): number {
    const { random } = this
    if (random.chance(0.6)) return (1 + random.int(50)) * 1000
    return this.lots(100 + random.int(80_000))
  }

  /** Rounds down to whole lots. */
  private lots(hundredths: number): number {
    return hundredths - (hundredths % this.lotHundredths)
  }

  /** Near the touch most of the time; never at or beyond the other side's best. */
  private add(side: Side, fairIndex: number, atMs: number, listener: MarketListener): void {
    const { book, random } = this
    const last = book.grid.prices.length - 1
    const away = Math.floor(-Math.log(1 - random.next()) * 4)
    const index =
      side === BID
        ? Math.max(0, Math.min(fairIndex - away, book.bestAsk - 1))
        : Math.min(last, Math.max(fairIndex + 1 + away, book.bestBid + 1))
    if (side === BID ? index >= book.bestAsk : index <= book.bestBid) {
      this.cancel(side === BID ? ASK : BID, atMs, listener)
      return
    }
    const total = book.at(side, index) + this.size()
    this.setLevel(side, index, total > SIZE_MAX ? 1000 + this.held(side, index) : total, atMs, listener)
  }

  private cancel(side: Side, atMs: number, listener: MarketListener): void {
    const { book, random } = this
    const index = book.nthIndex(side, random.int(book.count(side)))
    if (index < 0) return
    const held = this.held(side, index)
    const size = book.at(side, index) - held
    const keep = random.chance(0.5) ? 0 : this.lots(Math.floor(size * random.next()))
    this.setLevel(side, index, held + keep, atMs, listener)
  }

  private take(side: Side, atMs: number, listener: MarketListener): void {
    const { book, random } = this
    const index = side === BID ? book.bestBid : book.bestAsk
    const resting = book.at(side, index)
    if (resting === 0) return
    const taken = random.chance(0.6)
      ? resting
      : Math.max(this.lotHundredths, this.lots(Math.floor(resting * random.next())))
    const trade = this.recordTrade({
      priceMicros: book.grid.prices[index]!,
      size: taken / 100,
      takerBuysYes: side === ASK,
      atMs,
    })
    this.resting?.taken(this, side, trade.priceMicros, taken, trade.ordinal)
    this.setLevel(side, index, resting - taken, atMs, listener)
    listener.trade(this, trade)
  }

  private held(side: Side, index: number): number {
    return this.resting?.heldAt(this, side, this.book.grid.prices[index]!) ?? 0
  }

  private seedBook(): void {
    const { book, random } = this
    const fairIndex = Math.max(1, Math.min(book.grid.prices.length - 3, book.grid.floorIndex(this.fairMicros)))
    for (const side of [BID, ASK] as const) {
      let index = side === BID ? fairIndex - random.int(2) : fairIndex + 1 + random.int(2)
      for (let n = 0; n < 14 && index >= 0 && index < book.grid.prices.length; n++) {
        book.set(side, index, this.size() * (1 + random.int(5)))
        index += (side === BID ? -1 : 1) * (1 + random.int(3))
      }
    }
  }

  private seedTrades(nowMs: number): void {
    const { random } = this
    const count = 20 + random.int(20)
    this.log.begin(nowMs - count * 45_000 - 40_000)
    for (let n = count; n > 0; n--) {
      const atMs = nowMs - n * 45_000 - random.int(40_000)
      this.recordTrade({
        priceMicros: this.pastMicros(atMs, this.book.grid),
        size: this.size() / 100,
        takerBuysYes: random.chance(0.5),
        atMs,
      })
    }
  }
}
