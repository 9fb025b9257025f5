// Numbers the rows of one outcome that arrived in the same millisecond, so that (ts, receive time, number) is a total order.

/** Outcomes tracked. Only the newest millisecond of each matters, so a silent outcome may be evicted. */
const outcomesMax = 50_000
/** The column's maximum. Further rows in one millisecond share the last number; readers page over ties. */
const seqMax = 65_535

export class Arrival {
  private readonly newest = new Map<string, { recvTs: number; next: number }>()

  /** `key` identifies venue and outcome. */
  next(key: string, recvTs: number): number {
    const seen = this.newest.get(key)
    if (seen !== undefined && seen.recvTs === recvTs) {
      const seq = seen.next
      if (seq < seqMax) seen.next = seq + 1
      return seq
    }
    if (seen !== undefined) {
      seen.recvTs = recvTs
      seen.next = 1
    } else {
      if (this.newest.size >= outcomesMax) this.forgetOlder(recvTs)
      this.newest.set(key, { recvTs, next: 1 })
    }
    return 0
  }

  private forgetOlder(recvTs: number): void {
    for (const [key, { recvTs: last }] of this.newest) if (last !== recvTs) this.newest.delete(key)
    if (this.newest.size >= outcomesMax) this.newest.clear()
  }
}
