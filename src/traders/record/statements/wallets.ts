// Wallets from their days and from settlements. The result of one market is computed like in src/traders/scores/result.ts, in the same order.
import type { WalletRow } from '#storage/clickhouse/traderInsert'
import { categoryOf, walletScore } from '../../scores/index.ts'

export interface WalletLine {
  venue: string
  wallet: string
  madeFrom: number
  trades: number
  unvalued: number
  usd: number
  markets: number
  activeDays: number
  firstTs: number
  lastTs: number
  settled: number
  won: number
  result: number
  surprise: number
  information: number
  stake: number
  stakeSquared: number
}

/** Units and cost of the larger side, and the position's result. */
const positions = (wallets: string): string => `
    SELECT
      venue, wallet, outcome_id, max(d.market_id) AS market, sum(d.made_from) AS made, sum(d.trades) AS position_trades,
      sum(d.unpriced) AS no_price, sum(d.unvalued) AS no_value, sum(d.usd) AS position_usd,
      minIf(d.first_ts, d.trades > 0) AS begun, max(d.last_ts) AS ended,
      toFloat64(sum(d.buy_units)) AS bu, toFloat64(sum(d.buy_cost)) AS bc, toFloat64(sum(d.sell_units)) AS su, toFloat64(sum(d.sell_cost)) AS sc
    FROM trader_days AS d FINAL
    WHERE (venue, wallet) IN (${wallets})
    GROUP BY venue, wallet, outcome_id`

const settlements = `
    SELECT venue, outcome_id, argMin(s.payout, (s.written_at, s.batch)) AS payout, 1 AS known
    FROM trader_settlements AS s
    GROUP BY venue, outcome_id`

const outcomes = (wallets: string): string => `
  SELECT
    p.venue AS venue, p.wallet AS wallet, market, made, position_trades, no_price, no_value, position_usd, begun, ended, known,
    bu >= su AS long, if(long, bu, su) AS units, if(long, bc, sc) AS cost, units > 0 AND cost > 0 AND cost < units AS counts,
    if(counts, sc - bc + floor((bu - su) * payout / 1000000 + 0.5), 0) AS result,
    if(counts, if(long, bc, bc + floor((su - bu) * (su - sc) / su + 0.5)), 0) AS stake,
    if(counts, units, 0) AS shares,
    if(counts, floor(cost * (units - cost) / units + 0.5), 0) AS spread
  FROM (${positions(wallets)}) AS p
  LEFT JOIN (${settlements}) AS s ON s.venue = p.venue AND s.outcome_id = p.outcome_id`

const markets = (wallets: string): string => `
  SELECT
    venue, wallet, market, sum(made) + sum(known) AS made_from, sum(position_trades) AS market_trades, sum(no_value) AS market_unvalued,
    sum(position_usd) AS market_usd, minIf(begun, position_trades > 0) AS market_begun, max(ended) AS market_ended,
    sum(stake) AS market_stake, sum(shares) AS market_shares, sum(result) AS market_result,
    market_trades > 0 AND min(known) = 1 AND sum(no_price) = 0 AND market_shares > 0 AND market_stake > 0 AS is_settled,
    if(is_settled, floor(market_result * 1000000 / market_shares + 0.5), 0) AS market_surprise,
    if(is_settled, floor(sum(spread) * 1000000 / market_shares + 0.5), 0) AS market_information
  FROM (${outcomes(wallets)})
  GROUP BY venue, wallet, market`

/** `wallets`: a statement of (venue, wallet). `part` of `parts`: a fraction of the wallets at a time. */
export const findWalletSumsSql = (wallets: string, part = 0, parts = 1): string => {
  const some =
    parts === 1 ? wallets : `SELECT venue, wallet FROM (${wallets}) WHERE cityHash64(wallet) % ${parts} = ${part}`
  return `
SELECT w.*, active_days AS activeDays
FROM (
  SELECT
    venue, wallet, sum(made_from) AS madeFrom, sum(market_trades) AS trades, sum(market_unvalued) AS unvalued, sum(market_usd) AS usd,
    countIf(market_trades > 0) AS markets, minIf(market_begun, market_trades > 0) AS firstTs, max(market_ended) AS lastTs,
    countIf(is_settled) AS settled, countIf(is_settled AND market_result > 0) AS won, sumIf(toInt64(market_result), is_settled) AS result,
    sum(toInt64(market_surprise)) AS surprise, sum(toInt64(market_information)) AS information,
    sumIf(toUInt64(market_stake), is_settled) AS stake,
    toFloat64(sumIf(toUInt256(market_stake) * toUInt256(market_stake), is_settled)) AS stakeSquared
  FROM (${markets(some)})
  GROUP BY venue, wallet
) AS w
JOIN (
  SELECT venue, wallet, uniqExactIf(day, d.trades > 0) AS active_days
  FROM trader_days AS d FINAL
  WHERE (venue, wallet) IN (${some})
  GROUP BY venue, wallet
) AS a ON a.venue = w.venue AND a.wallet = w.wallet
FORMAT JSONEachRow`
}

const millionth = 1_000_000

export function walletOf(line: WalletLine): WalletRow {
  const { venue, wallet, madeFrom, trades, markets, settled, won, firstTs, lastTs, activeDays } = line
  const inUsd = line.unvalued === 0
  const { score, factors } = walletScore({ ...line, inUsd })
  const spanMs = lastTs - firstTs
  const volumeUsd = inUsd ? line.usd / millionth : null
  return {
    venue,
    wallet,
    madeFrom,
    score,
    trackRecord: factors?.trackRecord ?? null,
    experience: factors?.experience ?? null,
    scale: factors?.scale ?? null,
    discipline: factors?.discipline ?? null,
    category: trades === 0 ? null : categoryOf({ score, trades, activeDays, spanMs, settled, volumeUsd }),
    trades,
    markets,
    settled,
    won,
    usd: inUsd ? line.usd : null,
    pnl: inUsd ? line.result : null,
    firstTs,
    lastTs,
  }
}
