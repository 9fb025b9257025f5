// Durations, counted in buckets: some tens of nanoseconds each, regardless of readers. Two labels, since nothing here has more. Not a Histogram of
// prom-client: that one takes an object of labels per observation and makes a key of it, and every response and relay is observed.

/** Upper bounds in milliseconds; longer ones go into one more bucket. */
const endsMs = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const

/** Counts per bucket, then the sum in milliseconds. */
type Row = Float64Array

/** Labels are ours (routes, codes, venues, outcomes), so there are few; none comes from callers. */
export class Durations {
  readonly labelNames: readonly [string, string]
  private readonly rows = new Map<string, Map<string | number, Row>>()

  constructor(...labelNames: [string, string]) {
    this.labelNames = labelNames
  }

  observe(first: string, second: string | number, ms: number): void {
    const row = this.rowOf(first, second)
    let bucket = 0
    while (bucket < endsMs.length && ms > endsMs[bucket]!) bucket++
    row[bucket]!++
    row[endsMs.length + 1]! += ms
  }

  /** Prometheus text of a histogram in seconds. */
  text(name: string, help: string): string {
    const [one, two] = this.labelNames
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
    for (const [first, bySecond] of this.rows)
      for (const [second, row] of bySecond) {
        const labels = `${one}="${first}",${two}="${second}"`
        let count = 0
        endsMs.forEach((end, bucket) => {
          count += row[bucket]!
          lines.push(`${name}_bucket{${labels},le="${end / 1_000}"} ${count}`)
        })
        count += row[endsMs.length]!
        lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`)
        lines.push(`${name}_sum{${labels}} ${row[endsMs.length + 1]! / 1_000}`, `${name}_count{${labels}} ${count}`)
      }
    return `${lines.join('\n')}\n`
  }

  private rowOf(first: string, second: string | number): Row {
    let bySecond = this.rows.get(first)
    if (bySecond === undefined) {
      bySecond = new Map()
      this.rows.set(first, bySecond)
    }
    let row = bySecond.get(second)
    if (row === undefined) {
      row = new Float64Array(endsMs.length + 2)
      bySecond.set(second, row)
    }
    return row
  }
}
