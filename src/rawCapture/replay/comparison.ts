// Compares the results of a replay with those recorded in the capture.
import type { BookUpdate, TapeBatch } from '#schemas/topics'
import { stateOf, TradeDigest } from '../digests.ts'
import type { BookState, NoteLine } from '../lines.ts'
import type { Place } from '../readCapture.ts'

/**
 * A book becomes stale by a timer, which a busy process runs late: live or stale, the same state is looked for within this time of the note,
 * ms. Levels depend on messages only, and are compared exactly.
 */
const timerSlackMs = 2_000

export interface Difference {
  /** The note that disagrees; null: there is none. */
  place: Place | null
  /** Epoch ms; null: at the end. */
  at: number | null
  what: string
  recorded: string
  replayed: string
}

interface Published {
  events: number
  mono: number
  state: BookState
}

interface Waiting {
  note: Extract<NoteLine, { type: 'book' }>
  mono: number
  at: number
  place: Place
}

interface Tally {
  equal: number
  different: number
  /** It was live, and is not here: the capture begins after its first message. */
  unknown: number
}

export class Comparison {
  readonly books = new Map<string, Tally>()
  readonly trades = new Map<string, 'equal' | 'different' | 'unknown'>()
  /** Notes of books. */
  notes = 0
  first: Difference | null = null
  /** The beginning is missing: a book that is not live here is not a difference. */
  private isPartial = false
  private published = new Map<string, Published[]>()
  private waiting: Waiting[] = []
  private tape = new Map<string, { digest: TradeDigest; digests: string[] }>()
  private tapeNotes = new Map<string, { count: number; digest: string; at: number; place: Place }>()

  /** A new ingest replays from here on. */
  begin(isPartial: boolean): void {
    this.settle(Number.POSITIVE_INFINITY)
    this.isPartial = isPartial
    this.published = new Map()
    this.tape = new Map()
    this.tapeNotes = new Map()
  }

  publish(update: BookUpdate, events: number, mono: number): void {
    const states = this.published.get(update.marketId) ?? []
    this.published.set(update.marketId, states)
    // The newest before the window is what held at its beginning.
    while (states.length > 1 && states[1]!.mono < mono - 2 * timerSlackMs) states.shift()
    states.push({ events, mono, state: stateOf(update) })
  }

  taped({ outcomeId, trades }: TapeBatch): void {
    if (trades.length === 0) return
    const known = this.tape.get(outcomeId) ?? { digest: new TradeDigest(), digests: [''] }
    this.tape.set(outcomeId, known)
    for (const trade of trades) {
      known.digest.add(trade)
      known.digests.push(known.digest.digest)
    }
  }

  bookNote(note: Extract<NoteLine, { type: 'book' }>, { mono, at }: { mono: number; at: number }, place: Place): void {
    this.notes++
    const state = this.published.get(note.bookId)?.findLast(({ events }) => events <= note.events)?.state
    const waiting = { note, mono, at, place }
    if (isSame(note, state)) this.count(note.bookId, 'equal')
    else if (note.state === 'live' && state?.state === 'live') this.differ(waiting, state)
    else this.waiting.push(waiting)
  }

  tradesNote(note: Extract<NoteLine, { type: 'trades' }>, at: number, place: Place): void {
    this.tapeNotes.set(note.outcomeId, { count: note.count, digest: note.digest, at, place })
  }

  /** Compares the notes that had to wait until then. */
  settle(mono: number): void {
    while (this.waiting.length > 0 && this.waiting[0]!.mono + timerSlackMs < mono) {
      const waiting = this.waiting.shift()!
      const { note } = waiting
      const states = this.published.get(note.bookId) ?? []
      const found = states.find(
        (each, i) =>
          isSame(note, each.state) && (states[i + 1]?.mono ?? Number.POSITIVE_INFINITY) >= waiting.mono - timerSlackMs,
      )
      if (found !== undefined) this.count(note.bookId, 'equal')
      else if (this.isPartial && !wasLive(states, note.events)) this.count(note.bookId, 'unknown')
      else this.differ(waiting, states.at(-1)?.state)
    }
  }

  /** `isWhole`: the ingest was stopped, so that the capture's last counts are final. */
  end(isWhole: boolean): void {
    this.settle(Number.POSITIVE_INFINITY)
    for (const [outcomeId, { count, digest, at, place }] of this.tapeNotes) {
      const known = this.tape.get(outcomeId)
      const isEqual = known?.digests[count] === digest && (!isWhole || known.digest.count === count)
      if (isEqual) this.trades.set(outcomeId, this.trades.get(outcomeId) ?? 'equal')
      else if (this.isPartial) this.trades.set(outcomeId, this.trades.get(outcomeId) ?? 'unknown')
      else {
        this.trades.set(outcomeId, 'different')
        const [recorded, replayed] = [`${count} trades`, `${known?.digest.count ?? 0} trades`]
        this.note({ place, at, what: `trades of ${outcomeId}`, recorded, replayed })
      }
    }
    const isSilent = this.notes === 0 && this.tapeNotes.size === 0
    if (!isWhole || this.isPartial || isSilent) return
    for (const [outcomeId, { digest }] of this.tape) {
      if (this.tapeNotes.has(outcomeId)) continue
      this.trades.set(outcomeId, 'different')
      const replayed = `${digest.count} trades`
      this.note({ place: null, at: null, what: `trades of ${outcomeId}`, recorded: 'none', replayed })
    }
  }

  private count(bookId: string, kind: keyof Tally): void {
    const tally = this.books.get(bookId) ?? { equal: 0, different: 0, unknown: 0 }
    this.books.set(bookId, tally)
    tally[kind]++
  }

  private differ({ note, at, place }: Waiting, state: BookState | undefined): void {
    this.count(note.bookId, 'different')
    const replayed = state === undefined ? 'no book' : textOf(state)
    this.note({ place, at, what: `book ${note.bookId}`, recorded: textOf(note), replayed })
  }

  private note(difference: Difference): void {
    this.first ??= difference
  }
}

const wasLive = (states: readonly Published[], by: number): boolean =>
  states.some(({ events, state }) => events <= by && state.state === 'live')

/** Two stale states are equal, regardless of their last content. */
const isSame = (note: BookState, state: BookState | undefined): boolean =>
  state !== undefined && note.state === state.state && (note.state === 'stale' || note.levels === state.levels)

const textOf = ({ state, reason, bid, ask, levels }: BookState): string =>
  state === 'stale'
    ? `stale (${reason ?? 'no reason'})`
    : `bid ${bid ?? 'none'}, ask ${ask ?? 'none'}, levels ${levels}`
