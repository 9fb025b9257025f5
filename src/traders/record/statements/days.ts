// Days of wallets, made anew from their trades: the same rows whenever it is asked, and however often.

import { noPrice } from '#storage/clickhouse/packing'
import { noUsd } from '#storage/clickhouse/traderInsert'

/**
 * When the chain took a trade back for the last time; 0: it did not. A log's name says which it is without its outcome. Mostly the map is empty, and the
 * engine makes it once a statement.
 */
export const withdrawnAt = (row: string): string =>
  `(SELECT mapFromArrays(groupArray(id), groupArray(at)) FROM (
      SELECT concat(w.venue, ' ', w.trade_id) AS id, max(w.at) AS at FROM withdrawn_trades AS w GROUP BY id
    ))[concat(${row}.venue, ' ', ${row}.trade_id)]`

/** `days`: a statement of (venue, wallet, day). */
export const rollDaysSql = (days: string): string => `
INSERT INTO trader_days
  (venue, wallet, day, outcome_id, market_id, made_from, trades, unpriced, unvalued, buy_units, buy_cost, sell_units, sell_cost, usd, first_ts, last_ts)
SELECT
  venue, wallet, toUInt32(intDiv(ts, 86400000)) AS day, outcome_id, max(told.1),
  sum(copies) + countIf(withdrawn > 0),
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
    venue, wallet, ts, trade_id, outcome_id, role, copies, told, withdrawn,
    withdrawn < received AS stands,
    if(told.3 = ${noPrice}, 0, toUInt64(intDiv(toUInt256(told.3) * told.4 + 500000, 1000000))) AS cost
  FROM (
    SELECT
      t.venue AS venue, t.wallet AS wallet, t.ts AS ts, t.trade_id AS trade_id, t.outcome_id AS outcome_id, t.role AS role,
      count() AS copies,
      argMin((t.market_id, t.side, t.price, t.size, t.usd), (t.written_at, t.batch)) AS told,
      max(toInt64(t.ts) + t.recv_delay) AS received,
      toInt64(any(${withdrawnAt('t')})) AS withdrawn
    FROM trader_trades AS t
    WHERE (t.venue, t.wallet) IN (SELECT venue, wallet FROM (${days}))
      AND (t.venue, t.wallet, intDiv(t.ts, 86400000)) IN (${days})
    GROUP BY venue, wallet, ts, trade_id, outcome_id, role
  )
)
GROUP BY venue, wallet, day, outcome_id`
