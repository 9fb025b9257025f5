// Follows numbered rows whose numbers become visible in any order. A missing number is waited for until no transaction that could still
// write it is left: its own had begun before the view in which it was missing.
export interface SequencePage<Row> {
  /** By number. */
  rows: readonly { id: number; row: Row | null }[]
  xmin: bigint
  xmax: bigint
}

/** Maximum missing numbers waited for: most belong to rolled-back transactions. */
export const missingMax = 10_000

export class Sequence {
  /** The highest number seen. */
  after: number
  /** Numbers below it, each with the `xmax` of the view that first missed it. */
  private readonly holes = new Map<number, bigint>()

  constructor(after: number) {
    this.after = after
  }

  get missing(): number[] {
    return [...this.holes.keys()]
  }

  /** New rows, by number. `lost`: more were missing than are waited for. */
  take<Row>({ rows, xmin, xmax }: SequencePage<Row>): { rowsInOrder: Row[]; lost: boolean } {
    const rowsInOrder: Row[] = []
    let lost = false
    for (const { id, row } of rows) {
      if (id <= this.after) {
        if (!this.holes.delete(id)) continue
      } else {
        const from = Math.max(this.after + 1, id - missingMax)
        lost ||= from > this.after + 1
        for (let hole = from; hole < id; hole++) this.holes.set(hole, xmax)
        this.after = id
      }
      if (row !== null) rowsInOrder.push(row)
    }
    for (const [hole, missedAt] of this.holes) if (xmin >= missedAt && missedAt < xmax) this.holes.delete(hole)
    for (const hole of this.holes.keys()) {
      if (this.holes.size <= missingMax) break
      this.holes.delete(hole)
      lost = true
    }
    return { rowsInOrder, lost }
  }
}
