// Retention of tape rows. The TTL belongs to the table, so that every process reads the same; what had expired before a change is recorded,
// since a longer TTL brings nothing back.
import type { Log } from '#core/log'
import { type RetainedTable, retainedTables } from '#schemas/history'
import type { TapeStore } from './client.ts'

/** Epoch ms. */
const ageColumns: Readonly<Record<RetainedTable, string>> = {
  top_of_book: 'ts',
  trades: 'ts',
  books: 'ts',
  depth: 'recv_ts',
  // A stretch is written again while it lasts: the newest.
  arbitrage: 'last_seen',
}

/** -1: a TTL not in this program's form, so it is unknown what it deletes. */
const livesSql = `
SELECT name, multiIf(NOT match(engine_full, ' TTL '), 0, match(engine_full, 'toIntervalDay\\\\(\\\\d+\\\\)'),
  toInt32(extract(engine_full, 'toIntervalDay\\\\((\\\\d+)\\\\)')), -1) AS days
FROM system.tables
WHERE database = currentDatabase() AND name IN (${retainedTables.map((name) => `'${name}'`).join(', ')})`

/** What a table with such a TTL may have deleted by now, by the engine's clock, which decides. */
const untilOf = (days: string): string =>
  `toUInt64(greatest(0, toUnixTimestamp64Milli(now64(3)) - if(${days} < 0, 0, ${days} * 86400000)))`

const expiredSql = `
SELECT name, max(at) AS until FROM (
  SELECT name, until AS at FROM tape_expiry
  UNION ALL
  SELECT name, ${untilOf('days')} AS at FROM (${livesSql}) WHERE days != 0
)
GROUP BY name FORMAT JSONEachRow`

/** Merges that began before a change still use the previous TTL. */
const settlesMs = 60_000

/** Up to when rows of a table may have expired, epoch ms; absent: nothing ever did. */
export type Expired = ReadonlyMap<RetainedTable, number>

export async function findExpired(store: Pick<TapeStore, 'rows'>): Promise<Expired> {
  const rows = await store.rows<{ name: RetainedTable; until: number }>(expiredSql)
  return new Map(rows.map(({ name, until }) => [name, until]))
}

/** Days; null: forever; undefined: unchanged. Changes only what differs. */
export async function applyRetention(
  store: Pick<TapeStore, 'rows' | 'command'>,
  wanted: ReadonlyMap<RetainedTable, number | null | undefined>,
  log: Log,
): Promise<RetainedTable[]> {
  const lives = await store.rows<{ name: RetainedTable; days: number }>(`${livesSql} FORMAT JSONEachRow`)
  const changed: RetainedTable[] = []
  for (const { name, days } of lives) {
    const wantedDays = wanted.get(name)
    if (days < 0 && wantedDays === undefined)
      log.warn({ table: name }, 'the table has a time to live of another form: coverage can promise none of its rows')
    if (wantedDays === undefined || (wantedDays ?? 0) === days) continue
    if (days !== 0)
      await store.command(
        `INSERT INTO tape_expiry (name, until) SELECT '${name}', ${untilOf(String(days))} + ${settlesMs}`,
      )
    await store.command(`ALTER TABLE ${name} ${lifeOf(name, wantedDays)}`)
    log.info({ table: name, days: wantedDays, before: days }, 'the time to live of a table of the tape was changed')
    changed.push(name)
  }
  return changed
}

const lifeOf = (name: RetainedTable, days: number | null): string =>
  days === null
    ? 'REMOVE TTL'
    : `MODIFY TTL toDateTime(intDiv(${ageColumns[name]}, 1000), 'UTC') + INTERVAL ${days} DAY`
