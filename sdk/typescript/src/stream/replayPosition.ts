// Replay position, used to deduplicate frames after a reconnect.
import type { ReplayFrame } from './frames.ts'

type Placed = Extract<ReplayFrame, { at: number }>

export class ReplayPosition {
  /** Time of the last frame, epoch ms. */
  private at: number | null = null
  private firstAt: number | null = null
  /** All frames of that millisecond delivered so far. */
  private delivered: string[] = []
  /** Frames of that millisecond that are sent again, with counts. Null: none are. */
  private repeated: Map<string, number> | null = null
  /** Gaps that began earlier are sent again at the beginning. */
  private readonly gaps = new Set<string>()

  /**
   * Returns the time to restart the replay from. One millisecond early, because full-depth changes at `since` itself are sent as the one
   * resulting book.
   */
  resume(since: string | number): string | number {
    this.repeated = new Map()
    for (const frameKey of this.delivered) this.repeated.set(frameKey, (this.repeated.get(frameKey) ?? 0) + 1)
    return this.at === null || this.at === this.firstAt ? since : this.at - 1
  }

  isNew(frame: Placed): boolean {
    const frameKey = frameKeyOf(frame)
    if (frame.type === 'replayGap') {
      const isNew = !this.gaps.has(frameKey)
      this.gaps.add(frameKey)
      return isNew
    }
    if (this.repeated !== null && this.at !== null && frame.at < this.at) return false
    if (frame.at !== this.at) {
      this.firstAt ??= frame.at
      this.at = frame.at
      this.delivered = []
      this.repeated = null
    }
    const left = this.repeated?.get(frameKey) ?? 0
    this.repeated?.set(frameKey, left - 1)
    if (left > 0) return false
    this.delivered.push(frameKey)
    return true
  }
}

const frameKeyOf = ({ venue, marketId, data }: Placed): string => JSON.stringify([venue, marketId, data])
