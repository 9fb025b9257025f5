// One pass over a venue's figures: what is due is collected part by part, and each part is written separately. A failed part does not
// affect the others.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { type CollectedMetric, dueMetrics, isHistoryComplete, nextDueInMs } from '#marketData/venueMetrics/index'
import {
  type MetricPart,
  type MetricProgress,
  metricParts,
  type NewMetric,
} from '#storage/postgres/venueMetrics/jobLease'
import type { PublishedMetric } from '#venues/venue'
import type { PollResult } from './step.ts'

/** The reads and writes of one pass for one venue. Reads end with the signal. */
export interface GatherPorts {
  /** Takes or renews the job; null while another process has it. */
  hold(): Promise<MetricProgress | null>
  release(): Promise<void>
  /** False: another process has the job. */
  write(gathered: CollectedMetric, metrics: readonly NewMetric[]): Promise<boolean>
  /** Absent: the venue publishes nothing about itself. */
  fetchPublished?: ((signal: AbortSignal) => Promise<PublishedMetric[]>) | undefined
  /** Null: no walk of the venue's list has ended recently. */
  countOpen(): Promise<number | null>
  /** Absent: no queryable tape, or no trades on it. `since`: of days that are still counted. */
  tape?: {
    since(signal: AbortSignal): Promise<string | null>
    count(day: string, signal: AbortSignal): Promise<number | null>
  }
}

/** Per read: well within the lease. */
export const readWithinMs = 60_000

export interface GatherOptions {
  venue: string
  ports: GatherPorts
  clock: Clock
  log: Log
  stopped: AbortSignal
}

export async function gather({ venue, ports, clock, log, stopped }: GatherOptions): Promise<PollResult> {
  const failed = new Set<MetricPart>()
  const isDone = (): boolean => stopped.aborted || failed.size === metricParts.length
  try {
    let tapedSince: string | null | undefined
    while (!isDone()) {
      const progress = await ports.hold()
      if (progress === null) return { kind: 'elsewhere' }
      if (tapedSince === undefined && isHistoryComplete(progress, clock.now())) tapedSince = await readTapedSince()
      const available = { isPublished: ports.fetchPublished !== undefined, tapedSince }
      const next = dueMetrics(progress, available, clock.now()).find(({ part }) => !failed.has(part))
      if (next === undefined) break
      const metrics = await attempt(next.part, () => collect(next))
      if (metrics === null) failed.add(next.part)
      else if (!(await ports.write(next, metrics))) return { kind: 'elsewhere' }
    }
  } finally {
    await ports.release().catch((err: unknown) => log.warn({ venue, err }, 'failed to release a job of venue metrics'))
  }
  return failed.size === 0 ? { kind: 'complete', waitMs: nextDueInMs(clock.now()) } : { kind: 'incomplete' }

  /** Null: not now. */
  async function collect({ part, day }: CollectedMetric): Promise<NewMetric[] | null> {
    if (part === 'venue') return await withinTime((signal) => ports.fetchPublished!(signal))
    if (part === 'catalog') {
      const open = await ports.countOpen()
      return open === null
        ? null
        : [{ metric: 'catalogOpenMarkets', value: open, unit: 'MARKETS', scope: 'catalog', read: 'catalog' }]
    }
    const trades = await withinTime((signal) => ports.tape!.count(day, signal))
    // A day that was not recorded can never be counted.
    return trades === null
      ? []
      : [{ metric: 'tapedTrades', value: trades, unit: 'TRADES', scope: 'tape', read: 'tape' }]
  }

  async function readTapedSince(): Promise<string | null | undefined> {
    if (ports.tape === undefined || failed.has('tape')) return undefined
    const since = await attempt('tape', () =>
      withinTime((signal) => ports.tape!.since(signal)).then((day) => ({ day })),
    )
    return since?.day
  }

  /** Null for a failure: it is logged, and retried by a later pass. */
  async function attempt<T>(part: MetricPart, work: () => Promise<T | null>): Promise<T | null> {
    try {
      return await work()
    } catch (err) {
      failed.add(part)
      if (!stopped.aborted) log.warn({ venue, part, err }, 'failed to collect figures of a venue; will retry')
      return null
    }
  }

  async function withinTime<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController()
    const timer = clock.after(readWithinMs, () => late.abort(new Error(`no answer within ${readWithinMs} ms`)))
    try {
      return await read(AbortSignal.any([stopped, late.signal]))
    } finally {
      timer.cancel()
    }
  }
}
