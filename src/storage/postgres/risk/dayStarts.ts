// Where the loss of a day is counted from: the first figures of an account that were known on that day (UTC).
import type { Queryable } from '../pool.ts'

export interface DayStart {
  venue: string
  /** USD, realised and marked, decimal string; below zero: lost. */
  pnl: string
}

/** Figures that are stored already stay. Returns all of the day. */
export async function keepDayStarts(
  db: Queryable,
  { accountId, at, starts }: { accountId: string; at: Date; starts: readonly DayStart[] },
): Promise<DayStart[]> {
  if (starts.length > 0)
    await db.query(
      `INSERT INTO risk_day_starts (account_id, day, venue, pnl, at)
       SELECT $1::uuid, ($2::timestamptz AT TIME ZONE 'UTC')::date, s.venue, s.pnl, $2::timestamptz
       FROM json_to_recordset($3::json) AS s (venue text, pnl numeric) ORDER BY s.venue
       ON CONFLICT DO NOTHING`,
      [accountId, at, JSON.stringify(starts)],
    )
  const { rows } = await db.query<DayStart>(
    `SELECT venue, trim_scale(pnl)::text AS pnl FROM risk_day_starts
     WHERE account_id = $1 AND day = ($2::timestamptz AT TIME ZONE 'UTC')::date`,
    [accountId, at],
  )
  return rows
}

/** Accounts with a limit of their daily loss. */
export async function findDailyLossAccounts(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT DISTINCT account_id AS id FROM risk_limits WHERE kind = 'dailyLoss' ORDER BY 1`,
  )
  return rows.map(({ id }) => id)
}

/** Of days more than a week before that of `at`. */
export async function pruneDayStarts(db: Queryable, at: Date): Promise<void> {
  await db.query(`DELETE FROM risk_day_starts WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date - 7`, [at])
}
