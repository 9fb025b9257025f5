// How long a trade takes from its block to its reader: the median of the newest measurements.
const measuresMax = 31

export class Latency {
  private readonly measures: number[] = []

  /** Returns the median, ms, never below zero: blocks have whole seconds and clocks differ. */
  note(ms: number): number {
    this.measures.push(Math.max(0, ms))
    if (this.measures.length > measuresMax) this.measures.shift()
    return this.measures.toSorted((a, b) => a - b)[Math.floor(this.measures.length / 2)]!
  }
}
