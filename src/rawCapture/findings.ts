// The results of the captured messages, as notes in the capture: the books that were published and the trades on the tape.
//
// Not every book is noted: each at most once in `noteMs`, at once when it becomes live or stale, and its last state in any case.
import type { Clock, Timer } from '#core/clock'
import { type BookUpdate, type TapeBatch, type TopicName, type TopicValues, unwatchedReason } from '#schemas/topics'
import { stateOf, TradeDigest } from './digests.ts'
import type { Journal } from './journal.ts'
import type { BookState } from './lines.ts'

const noteMs = 1_000
/** Notes are written for so many books in a row, so that they do not delay frames. */
const notesPerRound = 500

interface Noted {
  state: 'live' | 'stale'
  at: number
}

export class Findings {
  private readonly noted = new Map<string, Noted>()
  private readonly waiting = new Map<string, { events: number; state: BookState }>()
  private readonly trades = new Map<string, TradeDigest>()
  private readonly grown = new Set<string>()
  private isStopping = false
  private readonly journal: Pick<Journal, 'events' | 'note'>
  private readonly clock: Clock
  private readonly timer: Timer

  constructor(journal: Pick<Journal, 'events' | 'note'>, clock: Clock) {
    this.journal = journal
    this.clock = clock
    this.timer = clock.every(noteMs, () => this.noteWaiting(notesPerRound))
  }

  take<T extends TopicName>(topic: T, value: TopicValues[T]): void {
    if (topic === 'books') this.takeBook(value as BookUpdate)
    else if (topic === 'tape') this.takeTape(value as TapeBatch)
  }

  /** Later books are not noted: the ingest ends them all. */
  lastBooks(): void {
    this.noteWaiting(Number.POSITIVE_INFINITY)
    this.isStopping = true
  }

  stop(): void {
    this.timer.cancel()
    this.noteTrades(Number.POSITIVE_INFINITY)
  }

  private takeBook(update: BookUpdate): void {
    const { marketId, staleReason } = update
    // That one reader no longer gets it does not affect the book.
    if (this.isStopping || staleReason === unwatchedReason) return
    const last = this.noted.get(marketId)
    const state = stateOf(update)
    this.waiting.set(marketId, { events: this.journal.events, state })
    if (last?.state !== state.state || this.clock.monotonic() - last.at >= noteMs) this.noteBook(marketId)
  }

  private takeTape({ outcomeId, trades }: TapeBatch): void {
    if (trades.length === 0) return
    const digest = this.trades.get(outcomeId) ?? new TradeDigest()
    this.trades.set(outcomeId, digest)
    for (const trade of trades) digest.add(trade)
    this.grown.add(outcomeId)
  }

  private noteWaiting(max: number): void {
    let left = max
    for (const bookId of this.waiting.keys()) {
      if (left-- <= 0) break
      this.noteBook(bookId)
    }
    this.noteTrades(max)
  }

  private noteTrades(max: number): void {
    let left = max
    for (const outcomeId of this.grown) {
      if (left-- <= 0) break
      this.grown.delete(outcomeId)
      const { count, digest } = this.trades.get(outcomeId)!
      this.journal.note({ type: 'trades', outcomeId, count, digest })
    }
  }

  private noteBook(bookId: string): void {
    const { events, state } = this.waiting.get(bookId)!
    this.waiting.delete(bookId)
    this.noted.set(bookId, { state: state.state, at: this.clock.monotonic() })
    this.journal.note({ type: 'book', events, ...state })
  }
}
