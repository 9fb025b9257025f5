// Score rows as readers get them.
import { type RefreshState, type TraderScore, type WalletCategory, walletScoreVersion } from '#schemas/traders'
import { noScore, noUsd } from '#storage/clickhouse/traderInsert'
import { settledMin } from '../../scores/index.ts'

export interface ScoreLine {
  venue: string
  wallet: string
  refreshed_at: number
  score: number
  track_record: number
  experience: number
  scale: number
  discipline: number
  category: WalletCategory | 'none'
  trades: number
  markets: number
  settled: number
  won: number
  usd: number
  pnl: number
  first_ts: number
  last_ts: number
}

const columns = `venue, wallet, refreshed_at, score, track_record, experience, scale, discipline, toString(w.category) AS category, trades, markets,
  settled, won, usd, pnl, first_ts, last_ts`

export const findWalletSql = `
SELECT ${columns}
FROM trader_wallets AS w FINAL
WHERE w.venue = {venue:String} AND w.wallet = {wallet:String}
FORMAT JSONEachRow`

/** What is stored of the wallet, seen or reported, rolled up or not. */
export const findArrivalSql = `
SELECT count() AS trades, max(written_at) AS writtenAt, min(ts) AS firstTs, max(ts) AS lastTs
FROM (
  SELECT t.written_at AS written_at, t.ts AS ts FROM trader_trades AS t WHERE t.venue = {venue:String} AND t.wallet = {wallet:String}
  UNION ALL
  SELECT t.written_at AS written_at, t.ts AS ts FROM trader_told AS t WHERE t.venue = {venue:String} AND t.wallet = {wallet:String}
)
FORMAT JSONEachRow`

export interface Arrival {
  trades: number
  writtenAt: number
  firstTs: number
  lastTs: number
}

export const listScoresSql = `
SELECT ${columns}
FROM trader_wallets AS w FINAL
WHERE w.venue IN {venues:Array(String)} AND w.score != ${noScore} AND w.trades > 0
ORDER BY w.score DESC, w.venue, w.wallet
LIMIT {limit:UInt32}
FORMAT JSONEachRow`

const dayMs = 86_400_000
const iso = (ms: number): string => new Date(ms).toISOString()
const scoreOf = (tenths: number): number | null => (tenths === noScore ? null : tenths / 10)
const hundredths = (value: number): number => Math.round(value * 100) / 100

/** `isBehind`: the roll-up has not read everything stored. */
export function scoreRow(line: ScoreLine, isBehind: boolean): TraderScore {
  const score = scoreOf(line.score)
  const refreshState: RefreshState = score === null ? 'pending' : isBehind ? 'stale' : 'current'
  const missing = settledMin - line.settled
  return {
    venue: line.venue,
    wallet: line.wallet,
    displayName: null,
    score,
    scoreVersion: score === null ? null : walletScoreVersion,
    factors:
      score === null
        ? null
        : {
            trackRecord: scoreOf(line.track_record),
            experience: scoreOf(line.experience),
            scale: scoreOf(line.scale),
            discipline: scoreOf(line.discipline),
          },
    category: line.category === 'none' ? null : line.category,
    stats: {
      walletAgeDays: hundredths((line.refreshed_at - line.first_ts) / dayMs),
      marketsTraded: line.markets,
      totalVolumeUsd: line.usd === noUsd ? null : line.usd / 1_000_000,
      winRate: line.settled === 0 ? null : line.won / line.settled,
      realizedPnlUsd: line.pnl === -noUsd || line.settled === 0 ? null : line.pnl / 1_000_000,
      firstSeen: iso(line.first_ts),
      lastSeen: iso(line.last_ts),
      depositFirstAt: null,
    },
    refreshedAt: score === null ? null : iso(line.refreshed_at),
    refreshState,
    asOf: iso(line.refreshed_at),
    provenance: { source: 'archive' },
    ...(score === null
      ? {
          note: `a score needs ${settledMin} settled markets in the record: ${missing} ${missing === 1 ? 'is' : 'are'} missing`,
        }
      : {}),
  }
}

/** For a wallet that was seen and is not rolled up yet. */
export function pendingRow(venue: string, wallet: string, { writtenAt, firstTs, lastTs }: Arrival): TraderScore {
  return {
    venue,
    wallet,
    displayName: null,
    score: null,
    scoreVersion: null,
    factors: null,
    category: null,
    stats: {
      walletAgeDays: hundredths((writtenAt - firstTs) / dayMs),
      marketsTraded: null,
      totalVolumeUsd: null,
      winRate: null,
      realizedPnlUsd: null,
      firstSeen: iso(firstTs),
      lastSeen: iso(lastTs),
      depositFirstAt: null,
    },
    refreshedAt: null,
    refreshState: 'pending',
    asOf: iso(writtenAt),
    provenance: { source: 'archive' },
    note: 'its trades are recorded but not rolled up yet',
  }
}
