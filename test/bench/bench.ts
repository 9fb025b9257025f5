// What a bench is and how figures are measured: CPU time, warmed up, several rounds, the median.

/** One figure next to its peer, both measured in the same run. Peer fields are null where nothing comparable can run here. */
export interface BenchResult {
  bench: string
  metric: string
  value: number
  unit: string
  peer: string | null
  peerValue: number | null
  /** How many times better than the peer: above 1 is faster, smaller or more. */
  ratio: number | null
}

export interface Bench {
  name: string
  run(): Promise<BenchResult[]>
}

export interface MeasureOptions {
  /** Calls per round; at least about 50 ms of work. */
  calls: number
  rounds?: number
}

const defaultRounds = 7

/** True for `npm run bench:short`: every bench runs at a small size, to find out whether it still runs. */
export const isShort = process.env.CROSSBOOK_BENCH_SHORT === '1'

/** A size, a number of rounds or a duration: of the full form, or of the short one. */
export const fullOrShort = (full: number, short: number): number => (isShort ? short : full)

/** CPU nanoseconds per call, median of the rounds; the first round only warms up. */
export function cpuNsPerCall(work: (call: number) => unknown, options: MeasureOptions): number {
  const calls = fullOrShort(options.calls, Math.ceil(options.calls / 100))
  const rounds = fullOrShort(options.rounds ?? defaultRounds, 1)
  const taken: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const before = process.cpuUsage()
    for (let call = 0; call < calls; call++) sink = work(call)
    const { user, system } = process.cpuUsage(before)
    if (round > 0) taken.push(((user + system) * 1_000) / calls)
  }
  return median(taken)
}

/** Keeps results observable, so that the engine cannot optimise the work away. */
export let sink: unknown

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? NaN
}

/** Lower is better. */
export function costResult(
  bench: string,
  metric: string,
  unit: string,
  value: number,
  peer: string,
  peerValue: number,
): BenchResult {
  return {
    bench,
    metric,
    value: round(value),
    unit,
    peer,
    peerValue: round(peerValue),
    ratio: round(peerValue / value),
  }
}

/** Higher is better. */
export function rateResult(
  bench: string,
  metric: string,
  unit: string,
  value: number,
  peer: string,
  peerValue: number,
): BenchResult {
  return {
    bench,
    metric,
    value: round(value),
    unit,
    peer,
    peerValue: round(peerValue),
    ratio: round(value / peerValue),
  }
}

/** A figure without a peer. */
export function figure(bench: string, metric: string, unit: string, value: number): BenchResult {
  return { bench, metric, value: round(value), unit, peer: null, peerValue: null, ratio: null }
}

/** Four significant digits. */
const round = (value: number): number => Number(value.toPrecision(4))
