// Days of wallets, recomputed from their trades: the same rows whenever and however often.

import { noPrice } from '#storage/clickhouse/columnBuffers'
import { noUsd } from '#storage/clickhouse/traderInsert'

/**
 * When the chain last reverted a trade; 0: never. A log's id identifies it without its outcome. Usually the map is empty, and the engine builds it
 * once per statement.
 */
export const withdrawnAt = (row: string): string =>
  `(SELECT mapFromArrays(groupArray(id), groupArray(at)) FROM (
      SELECT concat(w.venue, ' ', w.trade_id) AS id, max(w.at) AS at FROM withdrawn_trades AS w GROUP BY id
    ))[concat(${row}.venue, ' ', ${row}.trade_id)]`

/** The valid reading of a wallet, the period it covers, and how many there were. */
const readings = (wallets: string): string => `
    SELECT
      venue, wallet, argMin(r.batch, (r.written_at, r.batch)) AS standing, argMin(r.since, (r.written_at, r.batch)) AS told_since,
      argMin(r.until, (r.written_at, r.batch)) AS told_until, uniqExact(r.batch) AS readings
    FROM trader_told AS r
    WHERE (r.venue, r.wallet) IN (${wallets})
    GROUP BY venue, wallet`

/** One row per trade that was seen; void if its chain reverted it, or if its venue reported the wallet's trades in that period. */
const seen = (days: string, wallets: string): string => `
    SELECT
      s.venue AS venue, s.wallet AS wallet, ts, outcome_id, told, copies + if(withdrawn > 0, 1, 0) AS made, readings,
      withdrawn < received AND NOT (ts > told_since AND ts <= told_until) AS stands
    FROM (
      SELECT
        t.venue AS venue, t.wallet AS wallet, t.ts AS ts, t.trade_id AS trade_id, t.outcome_id AS outcome_id, t.role AS role,
        count() AS copies,
        argMin((t.market_id, t.side, t.price, t.size, t.usd), (t.written_at, t.batch)) AS told,
        max(toInt64(t.ts) + t.recv_delay) AS received,
        toInt64(any(${withdrawnAt('t')})) AS withdrawn
      FROM trader_trades AS t
      WHERE (t.venue, t.wallet) IN (${wallets})
        AND (t.venue, t.wallet, intDiv(t.ts, 86400000)) IN (${days})
      GROUP BY venue, wallet, ts, trade_id, outcome_id, role
    ) AS s
    LEFT JOIN (${readings(wallets)}) AS r ON r.venue = s.venue AND r.wallet = s.wallet`

/** One row per trade that the venue reported. */
const reportedTrades = (days: string, wallets: string): string => `
    SELECT
      t.venue AS venue, t.wallet AS wallet, t.ts AS ts, t.outcome_id AS outcome_id, (t.market_id, t.side, t.price, t.size, t.usd) AS told, toUInt64(1) AS made,
      readings, t.batch = standing AS stands
    FROM trader_told AS t
    JOIN (${readings(wallets)}) AS r ON r.venue = t.venue AND r.wallet = t.wallet
    WHERE (t.venue, t.wallet) IN (${wallets})
      AND (t.venue, t.wallet, intDiv(t.ts, 86400000)) IN (${days})`

/** `days`: a statement of (venue, wallet, day). */
export function rollDaysSql(days: string): string {
  const wallets = `SELECT venue, wallet FROM (${days})`
  return `
INSERT INTO trader_days
  (venue, wallet, day, outcome_id, market_id, made_from, trades, unpriced, unvalued, buy_units, buy_cost, sell_units, sell_cost, usd, first_ts, last_ts)
SELECT
  venue, wallet, toUInt32(intDiv(ts, 86400000)) AS day, outcome_id, max(told.1),
  sum(made) + max(readings),
  countIf(stands),
  countIf(stands AND told.3 = ${noPrice}),
  countIf(stands AND told.5 = ${noUsd}),
  sumIf(told.4, stands AND told.2 = 'buy'),
  sumIf(cost, stands AND told.2 = 'buy'),
  sumIf(told.4, stands AND told.2 = 'sell'),
  sumIf(cost, stands AND told.2 = 'sell'),
  sumIf(told.5, stands AND told.5 != ${noUsd}),
  minIf(ts, stands),
  maxIf(ts, stands)
FROM (
  SELECT
    venue, wallet, ts, outcome_id, told, made, readings, stands,
    if(told.3 = ${noPrice}, 0, toUInt64(intDiv(toUInt256(told.3) * told.4 + 500000, 1000000))) AS cost
  FROM (${seen(days, wallets)}
    UNION ALL${reportedTrades(days, wallets)}
  )
)
GROUP BY venue, wallet, day, outcome_id`
}
