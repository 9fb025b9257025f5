// How far the reader of a replay is, and what of a replay that is asked for again was told before.
import type { ReplayFrame } from './frames.ts'

type Placed = Extract<ReplayFrame, { at: number }>

export class ReplayPosition {
  /** Of the last frame, epoch ms. */
  private at: number | null = null
  private firstAt: number | null = null
  /** Everything told of that millisecond. */
  private told: string[] = []
  /** What is told of that millisecond once more, and how often. Null: nothing is. */
  private again: Map<string, number> | null = null
  /** Gaps that began earlier are told at the beginning again. */
  private readonly gaps = new Set<string>()

  /**
   * The replay begins once more: since when. A millisecond early, because of full depth what happened at `since` itself is told as the one
   * book that stood then.
   */
  resume(since: string | number): string | number {
    this.again = new Map()
    for (const said of this.told) this.again.set(said, (this.again.get(said) ?? 0) + 1)
    return this.at === null || this.at === this.firstAt ? since : this.at - 1
  }

  isNew(frame: Placed): boolean {
    const said = saidIn(frame)
    if (frame.type === 'replayGap') {
      const isNew = !this.gaps.has(said)
      this.gaps.add(said)
      return isNew
    }
    if (this.again !== null && this.at !== null && frame.at < this.at) return false
    if (frame.at !== this.at) {
      this.firstAt ??= frame.at
      this.at = frame.at
      this.told = []
      this.again = null
    }
    const left = this.again?.get(said) ?? 0
    this.again?.set(said, left - 1)
    if (left > 0) return false
    this.told.push(said)
    return true
  }
}

const saidIn = ({ venue, marketId, data }: Placed): string => JSON.stringify([venue, marketId, data])
