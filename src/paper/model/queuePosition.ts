// How much of the venue's size at an order's price is ahead of it. A trade and the book update that reflects it arrive in either order:
//
//   trade first:  the queue shrinks by the trade; the later decrease of the level is explained by it and has no further effect.
//   book first:   the decrease counts as a cancel, and a part of it is taken from ahead. A trade within `pairingMs` explains it: what was
//                 taken for it is put back, and the queue shrinks by the trade.
//
// In both cases the queue shrinks by the trade once, and never by the same size again as a cancel.

/** Time within which a trade and the decrease of the level that reflects it are paired. */
export const pairingMs = 500

interface Decrease {
  at: number
  /** Not explained by a trade so far. */
  size: number
  /** What was taken from ahead for `size`. */
  taken: number
}

export class QueuePosition {
  ahead: number
  /** Oldest first; a trade may still explain them. */
  private decreases: Decrease[] = []
  /** Oldest first; the decreases that reflect them may still come. */
  private traded: { at: number; size: number }[] = []

  constructor(levelSize: number) {
    this.ahead = levelSize
  }

  /** To the end of the level: after a gap. */
  requeue(levelSize: number): void {
    this.ahead = levelSize
    this.decreases = []
    this.traded = []
  }

  /** The level shrank by `size`. */
  decreased(size: number, levelAfter: number, at: number, cancelShareAhead: number): void {
    dropOld(this.traded, at)
    dropOld(this.decreases, at)
    const left = this.explainByTrades(size)
    const canceled = Math.round(left * partAhead(cancelShareAhead, this.ahead, levelAfter + size))
    // What is ahead is part of the level.
    const taken = Math.min(this.ahead, Math.max(canceled, this.ahead - levelAfter))
    this.ahead -= taken
    if (left > 0 || taken > 0) this.decreases.push({ at, size: left, taken })
  }

  /** A trade at our price. The result is what was left of it behind the queue. */
  tradedAt(size: number, at: number): number {
    dropOld(this.traded, at)
    dropOld(this.decreases, at)
    const left = this.putBack(size)
    if (left > 0) this.traded.push({ at, size: left })
    const reached = Math.max(0, size - this.ahead)
    this.ahead = Math.max(0, this.ahead - size)
    return reached
  }

  /** The result is what no trade explains. */
  private explainByTrades(size: number): number {
    let left = size
    while (left > 0 && this.traded.length > 0) {
      const trade = this.traded[0]!
      const part = Math.min(left, trade.size)
      trade.size -= part
      left -= part
      if (trade.size === 0) this.traded.shift()
    }
    return left
  }

  /** The newest decreases first. The result is what no decrease reflects so far. */
  private putBack(size: number): number {
    let left = size
    while (left > 0 && this.decreases.length > 0) {
      const last = this.decreases.at(-1)!
      const part = Math.min(left, last.size)
      const returned = part === last.size ? last.taken : Math.round((last.taken * part) / last.size)
      this.ahead += returned
      last.taken -= returned
      last.size -= part
      left -= part
      if (last.size === 0) this.decreases.pop()
    }
    return left
  }
}

function dropOld(entries: { at: number }[], at: number): void {
  let old = 0
  while (old < entries.length && at - entries[old]!.at > pairingMs) old++
  if (old > 0) entries.splice(0, old)
}

/**
 * The part of a cancelled size that is taken from ahead. A contract ahead has the weight `cancelShareAhead`, one behind the rest of 1: at
 * one half every contract of the level is cancelled equally likely; at 0 none ahead is while there are some behind.
 */
function partAhead(cancelShareAhead: number, ahead: number, levelBefore: number): number {
  const weightAhead = cancelShareAhead * ahead
  const weightBehind = (1 - cancelShareAhead) * Math.max(0, levelBefore - ahead)
  return weightAhead === 0 ? 0 : weightAhead / (weightAhead + weightBehind)
}
