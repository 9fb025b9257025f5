// How far the reader of a replay is, and what of a replay that is asked for again was told before.
import type { ReplayFrame } from './frames.ts'

type Placed = Extract<ReplayFrame, { at: number }>
type PlacedBook = Extract<Placed, { type: 'snapshot' | 'update' }>

export class ReplayPlace {
  /** Of the last frame, epoch ms. */
  at: number | null = null
  /** Everything told of that millisecond, and of each market the last book. */
  private told: Placed[] = []
  private readonly books = new Map<string, PlacedBook>()
  /** What is told of that millisecond once more, and how often. Null: nothing is. */
  private again: Map<string, number> | null = null
  /** Gaps that began earlier are told at the beginning again. */
  private readonly gaps = new Set<string>()

  /** The replay begins once more, at the same millisecond. */
  resume(): void {
    this.again = new Map()
    for (const frame of this.told) this.again.set(saidIn(frame), (this.again.get(saidIn(frame)) ?? 0) + 1)
  }

  isNew(frame: Placed): boolean {
    if (frame.type === 'replayGap') return this.isNewGap(frame)
    if (frame.at !== this.at) {
      this.at = frame.at
      this.told = []
      this.again = null
    }
    if (this.again !== null && this.wasTold(frame, this.again)) return false
    this.told.push(frame)
    if (frame.type !== 'trade') this.books.set(marketOf(frame), frame)
    return true
  }

  /** A market of full depth begins with the book that stood then. */
  private wasTold(frame: Placed, again: Map<string, number>): boolean {
    const said = saidIn(frame)
    const left = again.get(said) ?? 0
    again.set(said, left - 1)
    if (left > 0) return true
    const last = frame.type === 'snapshot' ? this.books.get(marketOf(frame)) : undefined
    return last !== undefined && saidIn(last) === said
  }

  private isNewGap(frame: Placed): boolean {
    const said = saidIn(frame)
    if (this.gaps.has(said)) return false
    this.gaps.add(said)
    return true
  }
}

const marketOf = ({ venue, marketId }: Placed): string => JSON.stringify([venue, marketId])
const saidIn = ({ venue, marketId, data }: Placed): string => JSON.stringify([venue, marketId, data])
