// The fast path for the three most frequent frames: one pass over the bytes, checking every assumption about field order and form. False means
// "unknown form": the handler was not called, and the caller takes the JSON path. Both paths call it with equal values.
import { ascii, Scanner, TextTable } from './bytes.ts'
import { isLevelPrice } from './price.ts'
import { type DeltaHandler, DeltaScanner } from './scanDelta.ts'

/**
 * Receives a frame's content once its form is verified. Prices in micros as on the wire (the handler knows the sid's scale).
 */
export interface FrameHandler extends DeltaHandler {
  /** Levels flat: price, size, price, size … The arrays belong to the caller: copy what must be kept. */
  snapshot(
    sid: number,
    seq: number,
    ticker: string,
    known: boolean,
    yes: readonly number[],
    no: readonly number[],
  ): void
  trade(trade: FrameTrade): void
}

export interface FrameTrade {
  tradeId: string
  ticker: string
  yesMicros: number
  count: number
  takerSide: 'yes' | 'no' | 'unknown'
  tsMs: number
}

const snapshotHead = ascii('{"type":"orderbook_snapshot","sid":')
const tradeHead = ascii('{"type":"trade","sid":')
const seqKey = ascii(',"seq":')
const msgTicker = ascii(',"msg":{"market_ticker":"')
const msgTradeId = ascii(',"msg":{"trade_id":"')
const marketId = ascii(',"market_id":"')
const tsMs = ascii(',"ts_ms":')
const close = ascii('}}')
const yesLevels = ascii(',"yes_dollars_fp":[')
const noLevels = ascii(',"no_dollars_fp":[')
const levelOpen = ascii('["')
const levelMid = ascii('","')
const levelClose = ascii('"]')
const tradeTicker = ascii(',"market_ticker":"')
const yesPrice = ascii(',"yes_price_dollars":"')
const noPrice = ascii('","no_price_dollars":"')
const countKey = ascii('","count_fp":"')
const takerSide = ascii('","taker_side":"')
const takerOutcome = ascii(',"taker_outcome_side":"')
const takerBook = ascii(',"taker_book_side":"')
const tsNumber = ascii(',"ts":')
const COMMA = 44
const QUOTE = 34
const CLOSE_BRACKET = 93
/** Offset of the type's first letter: `{"type":"o…` or `{"type":"t…`. */
const typeAt = 9
/** `orderbook_d…` or `orderbook_s…`. */
const kindAt = 19
/** Slots for ids by their bytes: four per book on a socket. */
const textSlots = 1_024

/** One per session: it owns the buffers that levels are read into. */
export class FrameScanner {
  private readonly at = new Scanner()
  private readonly deltas = new DeltaScanner(textSlots)
  private readonly texts = new TextTable(textSlots)
  private readonly yes: number[] = []
  private readonly no: number[] = []

  scan(frame: Uint8Array, handler: FrameHandler): boolean {
    const kind = frame[typeAt]
    if (kind === 111) return frame[kindAt] === 100 ? this.deltas.scan(frame, handler) : this.snapshot(frame, handler)
    return kind === 116 ? this.trade(frame, handler) : false
  }

  private snapshot(frame: Uint8Array, handler: FrameHandler): boolean {
    const { at, yes, no } = this
    at.start(frame)
    if (!at.expect(snapshotHead)) return false
    const sid = at.integer()
    if (sid < 0 || !at.expect(seqKey)) return false
    const seq = at.integer()
    if (seq < 0 || !at.expect(msgTicker)) return false
    const ticker = at.text(this.texts)
    if (ticker === null || !at.expect(marketId)) return false
    const known = at.peek() !== QUOTE
    if (!at.skipText()) return false
    yes.length = 0
    no.length = 0
    if (at.expect(yesLevels) && !this.levels(yes)) return false
    if (at.expect(noLevels) && !this.levels(no)) return false
    if (!at.expect(close) || !at.atEnd()) return false
    handler.snapshot(sid, seq, ticker, known, yes, no)
    return true
  }

  private levels(into: number[]): boolean {
    const { at } = this
    if (at.expectByte(CLOSE_BRACKET)) return true
    for (;;) {
      if (!at.expect(levelOpen)) return false
      const micros = at.micros()
      if (!isLevelPrice(micros) || !at.expect(levelMid)) return false
      const size = at.double()
      if (!(size >= 0) || !at.expect(levelClose)) return false
      into.push(micros, size)
      if (at.expectByte(CLOSE_BRACKET)) return true
      if (!at.expectByte(COMMA)) return false
    }
  }

  /** Documented layout; no current capture of a public trade frame is available, older ones take the JSON path. */
  private trade(frame: Uint8Array, handler: FrameHandler): boolean {
    const { at } = this
    at.start(frame)
    if (!at.expect(tradeHead) || at.integer() < 0) return false
    if (at.expect(seqKey) && at.integer() < 0) return false
    if (!at.expect(msgTradeId)) return false
    const tradeId = at.text()
    if (tradeId === null || tradeId === '' || !at.expect(tradeTicker)) return false
    const ticker = at.text(this.texts)
    if (ticker === null || !at.expect(yesPrice)) return false
    const yesMicros = at.micros()
    if (yesMicros < 0 || !at.expect(noPrice) || at.micros() < 0 || !at.expect(countKey)) return false
    const count = at.double()
    if (!(count >= 0) || !at.expect(takerSide)) return false
    const oldSide = at.text(this.texts)
    if (oldSide === null) return false
    let outcomeSide: string | null = null
    let bookSide: string | null = null
    if (at.expect(takerOutcome)) {
      outcomeSide = at.text(this.texts)
      if (outcomeSide === null) return false
    }
    if (at.expect(takerBook)) {
      bookSide = at.text(this.texts)
      if (bookSide === null) return false
    }
    if (!at.expect(tsNumber)) return false
    const seconds = at.integer()
    if (seconds < 0 || seconds > 8.64e12 || !at.expect(tsMs)) return false
    const ms = at.integer()
    if (ms < 0 || !at.expect(close) || !at.atEnd()) return false
    handler.trade({
      tradeId,
      ticker,
      yesMicros,
      count,
      takerSide: takerOutcomeSide(outcomeSide, bookSide, oldSide),
      tsMs: ms,
    })
    return true
  }
}

/** Which outcome the taker bought: the current field, else the book side (bid is yes, ask is no), else the deprecated one. */
export function takerOutcomeSide(
  outcomeSide: string | null | undefined,
  bookSide: string | null | undefined,
  oldSide: string | null | undefined,
): 'yes' | 'no' | 'unknown' {
  if (outcomeSide === 'yes' || outcomeSide === 'no') return outcomeSide
  if (bookSide === 'bid') return 'yes'
  if (bookSide === 'ask') return 'no'
  return oldSide === 'yes' || oldSide === 'no' ? oldSide : 'unknown'
}
