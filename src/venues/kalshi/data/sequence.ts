// The sequence numbers of one subscription (sid). One counter for everything on it: deltas and snapshots of all its markets, and the `ok`
// answers to its updates (observed 2026-07-01 and 2026-08-07). Pure bookkeeping; the session acts on the verdicts.
//
//   in order ──(number skipped)──► lost ──(snapshot no older than anything seen)──► in order, base taken from that snapshot
//
// While lost the base does not move: only a snapshot can re-establish what the numbers count from.

/**
 * `next`: apply it. `duplicate`: seen or older, ignore. `gap`: a number was just skipped, every book of the sid is unsafe. `gap_rebased`:
 * the same, but this frame is itself a snapshot, so its own book (and the numbering) is safe again. `lost`: still waiting.
 */
export type Verdict = 'next' | 'duplicate' | 'gap' | 'gap_rebased' | 'lost'

export class Sequence {
  private last = 0
  private highest = 0
  private lost = false

  get isLost(): boolean {
    return this.lost
  }

  /** A frame that builds on earlier ones: a delta or an acknowledgement. */
  take(seq: number): Verdict {
    if (!this.lost && seq === this.last + 1) return this.accept(seq)
    if (!this.lost && seq <= this.last) return 'duplicate'
    if (seq <= this.highest) return 'duplicate'
    this.highest = seq
    if (this.lost) return 'lost'
    this.lost = true
    return 'gap'
  }

  /**
   * A self-contained frame. `awaited`: its book has none or an unsafe one, so a snapshot that repeats the current number (a venue
   * answering get_snapshot without consuming one) still counts. One older than anything seen is never accepted: it would turn the book
   * back.
   */
  takeSnapshot(seq: number, awaited: boolean): Verdict {
    if (this.lost) return seq >= this.highest ? this.accept(seq) : 'duplicate'
    if (seq === this.last + 1 || (awaited && seq === this.last)) return this.accept(seq)
    if (seq <= this.last) return 'duplicate'
    this.accept(seq)
    return 'gap_rebased'
  }

  private accept(seq: number): 'next' {
    this.last = seq
    this.highest = seq
    this.lost = false
    return 'next'
  }
}
