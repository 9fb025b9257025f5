// The state that one connection keeps for one asset (token id).
import type { BookWriter } from '../../venue.ts'
import { wordsOf } from './asciiWords.ts'
import { HashState } from './hashState.ts'
import { RecentChanges } from './recentChanges.ts'

/** What a connection knows about one asset's book beyond its levels. Times are the venue's, epoch ms. */
export class AssetState {
  readonly id: string
  /** Time of the snapshot the book is based on; −∞ before one. Older changes are already included. */
  baseTs = Number.NEGATIVE_INFINITY
  /** Newest change or snapshot seen. */
  lastTs = Number.NEGATIVE_INFINITY
  /** Event time of our last commit to the book: a different value there means that a snapshot was written elsewhere. */
  committedTs: number | null = null
  /** False until a snapshot of ours (or one found in the book) is the base, and again once the book broke. */
  based = false
  /** This connection has sent a snapshot or a change for it. */
  isFed = false
  lastTradeTs = Number.NEGATIVE_INFINITY
  tickMicros = -1
  /** Consecutive `best_bid_ask` events that disagreed with the book. */
  bestMismatches = 0
  /** The `receive` round in which this asset was last touched, so that each frame checks it once. */
  touchedBy = -1
  /** The applier's findings and decisions in that round. */
  book: BookWriter | undefined = undefined
  mode = 0
  lastRow = 0
  /** The asset that followed this one last time. */
  follower: AssetState | null = null
  readonly recent = new RecentChanges()
  readonly hashes = new HashState()
  /** The id's bytes as doubles for comparison eight at a time; the last one overlaps. */
  readonly words: Float64Array
  /** Bytes of the condition id last checked on this asset's frames, in the same form; initially empty. */
  marketWords = new Float64Array(0)

  constructor(id: string) {
    this.id = id
    this.words = wordsOf(id)
  }
}
