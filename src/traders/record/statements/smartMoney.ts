// Pages of the feed, newest first, by keyset.

import type { SmartMoneyTrade, WalletCategory } from '#schemas/traders'
import { tradeScoreVersion } from '#schemas/traders'
import type { SqlParameters } from '#storage/clickhouse/client'
import { noPrice } from '#storage/clickhouse/packing'
import { noScore, noUsd } from '#storage/clickhouse/traderInsert'
import type { SmartMoneyQuery } from '../../ports.ts'
import { withdrawnAt } from './days.ts'

interface FeedLine {
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
}

export function smartMoneySql(query: SmartMoneyQuery): { sql: string; parameters: SqlParameters } {
  const { venues, minScore, market, wallet, category, sinceMs, after, limit } = query
  const where = ['f.judged = 1', 'f.venue IN {venues:Array(String)}']
  const parameters: Record<string, string | number | readonly string[]> = { venues, limit }
  const also = (condition: string, values: Record<string, string | number>): void => {
    where.push(condition)
    Object.assign(parameters, values)
  }
  if (minScore !== null) also('f.trade_score >= {minScore:UInt16}', { minScore: Math.ceil(minScore * 10) })
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
SELECT ts, trade_id, f.venue AS venue, outcome_id, market_id, wallet, toString(f.side) AS side, price, size, usd,
  toString(f.category) AS category, wallet_score, trade_score, size_factor, entry_factor, timing_factor
FROM trader_feed AS f
WHERE ${where.join(' AND ')}
  AND (f.trade_id NOT IN (SELECT trade_id FROM withdrawn_trades) OR toInt64(f.ts) + f.recv_delay > toInt64(${withdrawnAt('f')}))
ORDER BY f.ts DESC, f.trade_id DESC, f.venue DESC, f.outcome_id DESC
LIMIT {limit:UInt32}
FORMAT JSONEachRow`
  return { sql, parameters }
}

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
