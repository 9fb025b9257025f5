// What a replay of one run found.
import type { BookUpdate } from '#schemas/topics'
import type { Comparison, Difference } from './comparison.ts'

export interface ReplayReport {
  venue: string
  run: string
  files: number
  /** Lines of all kinds. */
  lines: number
  /** Given to the ingest. */
  frames: number
  /** Frames for which it had no connection open. */
  framesUnplayed: number
  requests: number
  /** Requests of the ingest that the capture has no answer to. */
  unanswered: number
  unansweredUrls: string[]
  /** Captured answers that were not requested here. */
  answersUnused: number
  /** Books by the worst of their `notes`; without notes the capture says nothing about them. `unknown`: could not be compared. */
  books: { equal: number; different: number; unknown: number; notes: number }
  /** Outcomes by their trades. */
  trades: { equal: number; different: number; unknown: number }
  first: Difference | null
  /** Lines that the capture could not write. */
  dropped: number
  /** Parts whose beginning is missing. */
  partial: number
  /** The process was killed while it wrote. */
  torn: boolean
  /** What the replay holds at its end. */
  final: { books: ReadonlyMap<string, BookUpdate>; trades: ReadonlyMap<string, number> }
}

type Compared = Pick<ReplayReport, 'books' | 'trades' | 'first'>

export function countCompared({ books: tallies, trades: outcomes, notes, first }: Comparison): Compared {
  const books = { equal: 0, different: 0, unknown: 0, notes }
  for (const { equal, different } of tallies.values())
    books[different > 0 ? 'different' : equal > 0 ? 'equal' : 'unknown']++
  const trades = { equal: 0, different: 0, unknown: 0 }
  for (const kind of outcomes.values()) trades[kind]++
  return { books, trades, first }
}
