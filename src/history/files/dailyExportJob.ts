// Maintains the files of days for which the tape is complete: makes missing ones, one at a time, and deletes the oldest.
//
//   mark passed the day, plus a delay ─► each venue and kind: made once ─► kept `days` days and `bytesMax` bytes
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { RetainedTable } from '#schemas/history'
import { recordsDepth, takeoverMarker } from '#schemas/topics'
import type { TapeStore } from '#storage/clickhouse/client'
import { findExpired } from '#storage/clickhouse/retention'
import { findWatermark } from '#storage/clickhouse/watermark'
import { dayMs, makeFile } from './exportDay.ts'
import { type FileKind, type FileName, FileStore, fileKinds } from './fileStore.ts'

/** How often to look for missing files. */
export const filesEveryMs = 15 * 60_000
/** The first check, soon after writers report progress, so that a process that is stopped over midnight or restarted often still makes its files. */
export const filesAfterMs = 60_000
/** A venue may report a day's rows this much later, such as a trade read with the next poll. */
export const lateMs = 30 * 60_000

const tapedSinceSql = `SELECT venue, min(at) AS since, minIf(at, reason = '${recordsDepth}') AS depthSince
FROM coverage WHERE outcome_id != '${takeoverMarker}' GROUP BY venue FORMAT JSONEachRow`

const tableOf: Readonly<Record<FileKind, RetainedTable>> = { tob: 'top_of_book', trades: 'trades', l2: 'depth' }

/** Epoch ms. `depth`: null where full depth was never taped. */
interface TapedSince {
  rows: number
  depth: number | null
}

export interface KeepFilesOptions {
  store: Pick<TapeStore, 'rows' | 'file'>
  /** Of the files. */
  root: string
  venues: readonly string[]
  days: number
  bytesMax: number
  clock: Clock
  log: Log
}

export interface DailyExporter {
  /** Runs one round now; concurrent calls share it. */
  round(): Promise<void>
  stop(): Promise<void>
}

export function startDailyExport({ store, root, venues, days, bytesMax, clock, log }: KeepFilesOptions): DailyExporter {
  const shelf = new FileStore(root)
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | null = null

  async function completeDays(): Promise<string[]> {
    const mark = await findWatermark(store, clock.now())
    if (mark === null) return []
    const today = Math.floor(clock.now() / dayMs) * dayMs
    return Array.from({ length: days }, (_, i) => today - (i + 1) * dayMs)
      .filter((since) => since + dayMs + lateMs <= mark)
      .map((since) => new Date(since).toISOString().slice(0, 10))
  }

  /** Since when each venue is taped. */
  async function tapedSince(): Promise<Map<string, TapedSince>> {
    const rows = await store.rows<{ venue: string; since: number; depthSince: number }>(tapedSinceSql, {}, signal)
    return new Map(
      rows.map(({ venue, since, depthSince }) => [venue, { rows: since, depth: depthSince === 0 ? null : depthSince }]),
    )
  }

  async function make(name: FileName): Promise<void> {
    if (signal.aborted || (await shelf.find(name)) !== null) return
    try {
      const made = await makeFile(name, { store, shelf, now: () => clock.now(), signal })
      if (made !== 'elsewhere') log.info({ ...name, made }, 'the file of a day')
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, ...name }, 'failed to make a daily file; will retry')
    }
  }

  /** Keeps the newest that fit. */
  async function retain(): Promise<void> {
    const oldest = new Date(clock.now() - (days + 1) * dayMs).toISOString().slice(0, 10)
    for (const date of await shelf.dates()) if (date < oldest) await shelf.removeDay(date)
    let bytes = 0
    for (const file of await shelf.list()) {
      bytes += file.size
      if (bytes <= bytesMax) continue
      if (file.date > (await shelf.floor())) await shelf.setFloor(file.date)
      await shelf.remove(file)
    }
    await shelf.sweep(clock.now())
  }

  async function run(): Promise<void> {
    try {
      const complete = await completeDays()
      const since = complete.length === 0 ? new Map<string, TapedSince>() : await tapedSince()
      const floor = await shelf.floor()
      const expired = await findExpired(store)
      for (const date of complete.filter((day) => day > floor)) {
        const end = Date.parse(date) + dayMs
        for (const venue of venues) {
          const taped = since.get(venue)
          for (const kind of fileKinds) {
            const from = kind === 'l2' ? taped?.depth : taped?.rows
            // A day whose rows may have partly expired has no complete file.
            const isKept = Date.parse(date) >= (expired.get(tableOf[kind]) ?? 0)
            if (isKept && (from ?? Number.POSITIVE_INFINITY) < end) await make({ date, venue, kind })
          }
        }
      }
      await retain()
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'failed to maintain the daily files; will retry')
    }
  }

  const round = (): Promise<void> => {
    running ??= run().finally(() => {
      running = null
    })
    return running
  }
  const timers: Timer[] = [clock.after(filesAfterMs, () => void round()), clock.every(filesEveryMs, () => void round())]
  return {
    round,
    async stop() {
      for (const timer of timers) timer.cancel()
      stopping.abort()
      await running
    },
  }
}
