// Rows that the roll-up has not read yet, by the insert that wrote them.

/** Tables whose rows are read by insert. */
export type Backfilled = 'trader_trades' | 'trader_told' | 'trader_settlements'

/** Batches written since then, oldest first, and the engine's time. */
export const findBatchesSql = (table: Backfilled) => `
SELECT batch, count() AS rows, max(written_at) AS writtenAt
FROM ${table}
WHERE written_at >= {since:UInt64}
GROUP BY batch
ORDER BY writtenAt, batch
FORMAT JSONEachRow`

/** The engine's clock, the read position, and how many trades chains have reverted so far. */
export const progressSql = `
SELECT
  toUnixTimestamp64Milli(now64(3)) AS now,
  (SELECT max(at) FROM trader_progress WHERE name = 'roll-up') AS readUntil,
  (SELECT count() FROM withdrawn_trades) AS withdrawn
FORMAT JSONEachRow`

export const saveProgressSql = (at: number): string =>
  `INSERT INTO trader_progress (name, at) VALUES ('roll-up', ${at})`

/** `wallets`: a statement of (venue, wallet). */
export const countWalletsSql = (wallets: string): string =>
  `SELECT uniqExact(venue, wallet) AS wallets FROM (${wallets}) FORMAT JSONEachRow`

/** Which trades a pass covers. */
export interface Fresh {
  /** Epoch ms, on the engine's clock: every one of the batches was written since then. */
  since: number
  batches: readonly number[]
}

/** Rows of a table that came with these batches. The bound lets the engine skip everything else. */
const broughtBy = ({ since, batches }: Fresh): string => `written_at >= ${since} AND batch IN (${batches.join(', ')})`

/** (venue, wallet, day) of the inserted rows. */
export const backfilledDaysSql = (fresh: Fresh): string =>
  `SELECT venue, wallet, intDiv(ts, 86400000) FROM trader_trades WHERE ${broughtBy(fresh)}`

/** (venue, wallet, day) of wallets with new readings: these also change how seen trades count. */
export const reportedDaysSql = (fresh: Fresh): string =>
  `SELECT venue, wallet, intDiv(ts, 86400000) FROM trader_told WHERE ${broughtBy(fresh)}
   UNION ALL SELECT venue, wallet, intDiv(ts, 86400000) FROM trader_trades
   WHERE (venue, wallet) IN (SELECT venue, wallet FROM trader_told WHERE ${broughtBy(fresh)})`

/** (venue, wallet, day) of what chains reverted: hundreds at most. */
export const daysWithdrawnSql = `SELECT venue, wallet, intDiv(ts, 86400000) FROM trader_trades
   WHERE (venue, trade_id) IN (SELECT venue, trade_id FROM withdrawn_trades)`

/** (venue, wallet) of all participants in what was settled. */
export const walletsSettledSql = (fresh: Fresh): string =>
  `SELECT venue, wallet FROM trader_days
   WHERE (venue, outcome_id) IN (SELECT venue, outcome_id FROM trader_settlements WHERE ${broughtBy(fresh)})`

/** (venue, wallet) from (venue, wallet, day). */
export const walletsOfDays = (days: string): string => `SELECT venue, wallet FROM (${days})`
