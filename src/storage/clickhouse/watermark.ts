// Progress of the tape's writers. Each periodically reports the time up to which everything it received is on the tape; the slowest live
// one counts.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { TapeStore } from './client.ts'
import type { InsertTarget } from './deduplication.ts'
import { RowBinary } from './rowBinary.ts'

/** Reporting interval of a writer. */
export const progressEveryMs = 10_000
/** A writer that has not reported for this long counts as dead: its rows are lost, or another one writes them. */
export const watermarkTtlMs = 10 * 60_000
/** What ingest had received but not handed over by then. */
export const handOverMs = 5_000
/**
 * Over Kafka no writer sees what waits in other partitions: only rows received this long ago count, as long as the rows being read are
 * younger.
 */
export const kafkaLagMs = 10 * 60_000

const target: InsertTarget = { table: 'tape_progress', columns: ['writer', 'until', 'at'], within: null }
/** Of a writer that stopped with nothing left to write. */
export const allWritten = Number.MAX_SAFE_INTEGER

export interface ProgressOptions {
  store: Pick<TapeStore, 'insert'>
  clock: Clock
  log: Log
  writer: string
  /** Epoch ms: everything received before is on the tape. */
  until(): number
}

/** Repeating a token changes nothing. */
export async function insertProgress(
  store: Pick<TapeStore, 'insert'>,
  { writer, until, at }: { writer: string; until: number; at: number },
  token: string,
): Promise<void> {
  const out = new RowBinary()
  out.text(writer)
  out.reserve(16)
  out.uint64(until)
  out.uint64(at)
  await store.insert(target, out.finish(), token)
}

export interface Progress {
  /** Reports now, in addition to the schedule. */
  report(): Promise<void>
  stop(complete: boolean): Promise<void>
}

/** Reports every `progressEveryMs`. `stop`: `complete` if nothing is left to write. */
export function publishWatermark({ store, clock, log, writer, until }: ProgressOptions): Progress {
  let written = 0
  let writing: Promise<void> | null = null
  const write = async (value: number): Promise<void> => {
    try {
      await insertProgress(store, { writer, until: value, at: clock.now() }, `${writer}/progress:${written++}`)
    } catch (error) {
      log.debug({ err: error }, 'failed to write the watermark; will retry')
    }
  }
  const report = (): Promise<void> => {
    writing ??= write(until()).finally(() => {
      writing = null
    })
    return writing
  }
  const timer = clock.every(progressEveryMs, () => void report())
  return {
    report,
    async stop(complete) {
      timer.cancel()
      await writing
      if (complete) await write(allWritten)
    },
  }
}

const watermarkSql = `
SELECT minIf(until, at > {alive:UInt64} AND until < ${allWritten}) AS slowest, max(if(until < ${allWritten}, until, at)) AS newest,
  toUInt32(countIf(at > {alive:UInt64} AND until < ${allWritten})) AS living, toUInt32(count()) AS writers
FROM tape_progress FINAL
FORMAT JSONEachRow`

/** Null: no writer has ever reported. If none is live: the last value reported. */
export async function findWatermark(store: Pick<TapeStore, 'rows'>, nowMs: number): Promise<number | null> {
  const [line] = await store.rows<{ slowest: number; newest: number; living: number; writers: number }>(watermarkSql, {
    alive: nowMs - watermarkTtlMs,
  })
  if (line === undefined || line.writers === 0) return null
  return line.living > 0 ? line.slowest : line.newest
}
