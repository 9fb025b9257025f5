// The tape from files of days (docs/history.md), read by the embedded engine. They have no coverage: gaps are not known.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type FileKind, FileStore } from '#history/files/fileStore'
import type { BookOf } from '#history/recordedOutcomeId'
import { recordedOutcomeId } from '#history/recordedOutcomeId'
import type { MarketHistory, ReplayPage, ReplayQuery } from '#history/tape'
import { connectTape, type TapeStore } from '#storage/clickhouse/client'
import { BacktestRefusal } from '../runBacktest.ts'

const dayMs = 86_400_000
const kinds = { tob: 'tob', trades: 'trades', l2: 'l2' } as const satisfies Record<FileKind, FileKind>

export interface DayFilesTape extends Pick<MarketHistory, 'replay'> {
  close(): Promise<void>
}

export async function dayFilesTape(folder: string, bookOf: BookOf): Promise<DayFilesTape> {
  const files = new FileStore(resolve(folder))
  const dataDir = await mkdtemp(join(tmpdir(), 'crossbook-backtest-'))
  const store = await connectTape({ dataDir })
  return {
    replay: (query) => replayDay(files, store, bookOf, query),
    async close() {
      await store.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A page is what one day's file has of the outcome within the window; `tie` is the day. */
async function replayDay(files: FileStore, store: TapeStore, bookOf: BookOf, query: ReplayQuery): Promise<ReplayPage> {
  const { venue, kind, sinceMs, untilMs, after, outcomeIds, marketId } = query
  if (kind === 'candles') throw new BacktestRefusal('files of days have no candles')
  const firstDay = Math.floor(sinceMs / dayMs) * dayMs
  const day = after === null ? firstDay : Number(after.tie) + dayMs
  const taped = recordedOutcomeId(bookOf, venue, outcomeIds, marketId)
  if (taped.mirrored) throw new BacktestRefusal(`${venue}: the files of days have the other side of this book`)
  const date = new Date(day).toISOString().slice(0, 10)
  const file = await files.find({ date, venue, kind: kinds[kind] })
  const more = day + dayMs <= untilMs
  const end = { rows: 0, last: { ts: day, tie: String(day) }, more }
  if (file === null) return { chunks: nothing(), end: Promise.resolve(end) }
  const time = kind === 'l2' ? 'recvTs' : 'ts'
  const order = { tob: 'ts, recvTs, seq', trades: 'ts, tradeId', l2: 'recvTs, epoch, seq' }[kind]
  const chunks = await store.stream(
    `SELECT * EXCEPT outcomeId FROM file({path:String}, 'Parquet')
WHERE outcomeId IN {outcomeIds:Array(String)} AND ${time} BETWEEN {since:Int64} AND {until:Int64}
ORDER BY ${order}
SETTINGS output_format_json_quote_64bit_integers = 0
FORMAT JSONEachRow`,
    { path: files.pathOf(file), outcomeIds: [...taped.outcomeIds], since: sinceMs, until: untilMs },
    query.signal,
  )
  return { chunks, end: Promise.resolve(end) }
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A day without a file has no rows.
}
