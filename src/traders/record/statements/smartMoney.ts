// Pages of the feed, newest first, by keyset.

import type { SmartMoneyTrade, WalletCategory } from '#schemas/traders'
import { tradeScoreVersion } from '#schemas/traders'
import type { SqlParameters } from '#storage/clickhouse/client'
import { noPrice } from '#storage/clickhouse/columnBuffers'
import { noScore, noUsd } from '#storage/clickhouse/traderInsert'
import type { SmartMoneyQuery } from '../../ports.ts'
import { withdrawnAt } from './days.ts'

export interface FeedLine {
  ts: number
  trade_id: string
  venue: string
  outcome_id: string
  market_id: string
  wallet: string
  side: 'buy' | 'sell'
  price: number
  size: number
  usd: number
  category: WalletCategory | 'none'
  wallet_score: number
  trade_score: number
  size_factor: number
  entry_factor: number
  timing_factor: number
  gone: 0 | 1
}

/** Trades with such a score are so rare that sorting all of them is faster than finding a page of them in time order. */
const rareScore = 90

/**
 * One page. Of the rows of one trade on it, the one received last comes first: it is the one that returned after a chain reverted it. (Over all rows
 * that order would require sorting the whole table.) Reverted trades are looked up for the page alone (`gone`): checking every row scanned cost more
 * than all else. `until`: rows dated later were written before such trades were rejected.
 */
export function smartMoneySql(query: SmartMoneyQuery, until: number): { sql: string; parameters: SqlParameters } {
  const { venues, minScore, market, wallet, category, sinceMs, after, limit } = query
  // Unscored trades have no score, which is beyond all scores.
  const where = [
    'f.trade_score BETWEEN {minScore:UInt16} AND 1000',
    'f.venue IN {venues:Array(String)}',
    'f.ts <= {until:UInt64}',
  ]
  const parameters: Record<string, string | number | readonly string[]> = {
    venues,
    limit,
    until,
    // Tenths: 42.1 times ten is slightly more than 421.
    minScore: Math.ceil(Math.round((minScore ?? 0) * 1_000) / 100),
  }
  const also = (condition: string, values: Record<string, string | number>): void => {
    where.push(condition)
    Object.assign(parameters, values)
  }
  if (market !== null) also('f.market_id = {market:String}', { market })
  if (wallet !== null) also('f.wallet = {wallet:String}', { wallet })
  if (category !== null) also('f.category = {category:String}', { category })
  if (sinceMs !== null) also('f.ts >= {sinceMs:UInt64}', { sinceMs })
  if (after !== null)
    also(
      'f.ts <= {afterTs:UInt64} AND (f.ts, f.trade_id, f.venue, f.outcome_id) < ({afterTs:UInt64}, {afterId:String}, {afterVenue:String}, {afterOutcome:String})',
      { afterTs: after.ts, afterId: after.tradeId, afterVenue: after.venue, afterOutcome: after.outcomeId },
    )
  const sql = `
SELECT *, toInt64(p.ts) + p.recv_delay <= toInt64(${withdrawnAt('p')}) AS gone
FROM (
  SELECT ts, trade_id, venue, outcome_id, market_id, wallet, toString(f.side) AS side, recv_delay, price, size, usd,
    toString(f.category) AS category, wallet_score, trade_score, size_factor, entry_factor, timing_factor
  FROM trader_feed AS f
  WHERE ${where.join(' AND ')}
  ORDER BY f.ts DESC, f.trade_id DESC, f.venue DESC, f.outcome_id DESC
  LIMIT {limit:UInt32}
) AS p
ORDER BY ts DESC, trade_id DESC, venue DESC, outcome_id DESC, recv_delay DESC, trade_score DESC
SETTINGS optimize_use_projections = ${market !== null || wallet !== null || (minScore ?? 0) >= rareScore ? 1 : 0}
FORMAT JSONEachRow`
  return { sql, parameters }
}

/**
 * When the first trade was recorded; 0: none was. It is among the oldest: what was read first was traded before, and what came later is mostly
 * younger.
 */
export const begunSql = `
SELECT min(toInt64(ts) + recv_delay) AS at
FROM (SELECT ts, recv_delay FROM trader_feed ORDER BY ts LIMIT 100000)
FORMAT JSONEachRow`

/** For each venue among the newest trades, when its last was recorded: a quiet venue is not searched through the whole table. */
export const takenUpSql = `
SELECT venue, max(toInt64(ts) + recv_delay) AS at
FROM (SELECT venue, ts, recv_delay FROM trader_feed AS f WHERE f.ts <= {until:UInt64} ORDER BY f.ts DESC LIMIT 20000)
GROUP BY venue
FORMAT JSONEachRow`

/** Up to when a venue's trades are here, as far as it is read. `until`: marks from a clock that was ahead are ignored. */
export const lookedSql = `
SELECT venue, max(l.at) AS at
FROM trader_looks AS l
WHERE l.at <= {until:UInt64}
GROUP BY venue
FORMAT JSONEachRow`

const scoreOf = (tenths: number): number | null => (tenths === noScore ? null : tenths / 10)

export function smartMoneyTrade(line: FeedLine): SmartMoneyTrade {
  const walletScore = scoreOf(line.wallet_score)
  return {
    venue: line.venue,
    marketId: line.market_id,
    outcomeId: line.outcome_id,
    tradeId: line.trade_id,
    ts: line.ts,
    wallet: line.wallet,
    side: line.side,
    price: line.price === noPrice ? null : line.price / 1_000_000,
    amount: line.size / 1_000_000,
    usdSize: line.usd === noUsd ? null : line.usd / 1_000_000,
    tradeScore: line.trade_score / 10,
    tradeFactors: {
      walletScore,
      size: scoreOf(line.size_factor),
      entry: scoreOf(line.entry_factor),
      timing: scoreOf(line.timing_factor),
    },
    scoreVersion: tradeScoreVersion,
    walletScoreAtTrade: walletScore,
    categoryAtTrade: line.category === 'none' ? null : line.category,
  }
}
