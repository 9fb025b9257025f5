// One live book of a probe: levels by price, as the socket's session writes them.
import { BID, type BookSide, type BookSnapshot, type BookWriter } from '#venues/venue'

export class ProbeBook implements BookWriter {
  readonly bookId: string
  synced = false
  eventTs: number | null = null
  snapshots = 0
  changes = 0
  leftOut = 0
  private readonly sides = [new Map<number, number>(), new Map<number, number>()] as const
  private inSnapshot = false
  private onCommit: () => void

  constructor(bookId: string, onCommit: () => void) {
    this.bookId = bookId
    this.onCommit = onCommit
  }

  beginSnapshot(): void {
    for (const side of this.sides) side.clear()
    this.inSnapshot = true
  }

  abandonSnapshot(): void {
    this.inSnapshot = false
    this.synced = false
  }

  accepts(eventTs: number | null): boolean {
    return eventTs === null || this.eventTs === null || eventTs >= this.eventTs
  }

  /** A change that is not applied shows as no change. */
  refused(): void {
    this.leftOut++
  }

  set(side: BookSide, priceMicros: number, size: number): boolean {
    if (!(size >= 0) || !Number.isFinite(priceMicros)) return false
    if (size === 0) this.sides[side].delete(priceMicros)
    else this.sides[side].set(priceMicros, size)
    return true
  }

  add(side: BookSide, priceMicros: number, delta: number): number {
    const total = (this.sides[side].get(priceMicros) ?? 0) + delta
    if (total <= 1e-9) this.sides[side].delete(priceMicros)
    else this.sides[side].set(priceMicros, total)
    return total
  }

  bestBidMicros = (): number | null => this.levels(BID)[0]?.[0] ?? null
  bestAskMicros = (): number | null => this.levels(1)[0]?.[0] ?? null

  copyLevels(side: BookSide, max: number, prices: Int32Array, sizes: Float64Array): number {
    const levels = this.synced ? this.levels(side).slice(0, max) : []
    for (const [at, [price, size]] of levels.entries()) {
      prices[at] = price
      sizes[at] = size
    }
    return levels.length
  }

  commit(eventTs: number | null): void {
    this.eventTs = eventTs ?? this.eventTs
    if (this.inSnapshot) {
      this.inSnapshot = false
      this.synced = true
      this.snapshots++
    } else this.changes++
    this.onCommit()
  }

  snapshot(recvTs: number): BookSnapshot {
    const [bids, asks] = [this.levels(BID), this.levels(1)]
    const rest = { eventTs: this.eventTs, lastTradeMicros: null, isNegRisk: null, tickMicros: null }
    return { bookId: this.bookId, bids, asks, recvTs, ...rest }
  }

  /** Best first. */
  private levels(side: BookSide): [number, number][] {
    return [...this.sides[side]].sort(([a], [b]) => (side === BID ? b - a : a - b))
  }
}
