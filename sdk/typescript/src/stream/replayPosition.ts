// Replay position, used to deduplicate frames after a reconnect.
import type { ReplayFrame } from './frames.ts'

type Placed = Extract<ReplayFrame, { at: number }>

export class ReplayPosition {
  /** Time of the last frame, epoch ms. */
  private at: number | null = null
  private firstAt: number | null = null
  /** All frames of that millisecond delivered so far. */
  private told: string[] = []
  /** Frames of that millisecond that are sent again, with counts. Null: none are. */
  private again: Map<string, number> | null = null
  /** Gaps that began earlier are sent again at the beginning. */
  private readonly gaps = new Set<string>()

  /**
   * Returns the time to restart the replay from. One millisecond early, because full-depth changes at `since` itself are sent as the one
   * resulting book.
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
