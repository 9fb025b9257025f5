// The record of traders as routes read it.
import type { Clock } from '#core/clock'
import type { SmartMoneyTrade } from '#schemas/traders'
import type { TapeStore } from '#storage/clickhouse/client'
import { aheadMs } from '#venues/shared/data/sanityChecks'
import type { TraderRecord } from '../ports.ts'
import type { Backfill } from './backfill.ts'
import { boardRows, refreshLeaderboards } from './leaderboard.ts'
import { progressSql } from './statements/arrivals.ts'
import {
  type Arrival,
  findArrivalSql,
  findWalletSql,
  listScoresSql,
  pendingRow,
  type ScoreLine,
  scoreRow,
} from './statements/scores.ts'
import {
  begunSql,
  type FeedLine,
  lookedSql,
  smartMoneySql,
  smartMoneyTrade,
  takenUpSql,
} from './statements/smartMoney.ts'
import { walletName } from './walletName.ts'
import { hurried } from './withDeadline.ts'

/** A roll-up that has read everything reports so every minute. */
const behindMs = 180_000

/** Read beyond a page: the maximum rows of one trade. */
const spareRows = 8

/** `fillIns`: adds unknown wallets; absent: they stay unknown until they are seen. */
export function createTraderRecord(
  store: Pick<TapeStore, 'rows'>,
  clock: Clock,
  fillIns?: Pick<Backfill, 'take'>,
): TraderRecord {
  const read = hurried(store, clock)
  const board = refreshLeaderboards(async (venues) => {
    const [lines, isBehind] = await Promise.all([
      read<ScoreLine>(listScoresSql, { venues, limit: boardRows }),
      progress(),
    ])
    return lines.map((line) => scoreRow(line, isBehind))
  }, clock)
  let begun: number | null = null
  const progress = async (): Promise<boolean> => {
    const [line] = await read<{ now: number; readUntil: number }>(progressSql)
    return line !== undefined && line.now - line.readUntil > behindMs
  }
  return {
    async freshness() {
      const until = clock.now() + aheadMs
      const [takenUp, looked, isBehind] = await Promise.all([
        read<{ venue: string; at: number }>(takenUpSql, { until }),
        read<{ venue: string; at: number }>(lookedSql, { until }),
        progress(),
      ])
      const byVenue = (lines: readonly { venue: string; at: number }[]) =>
        new Map(lines.map(({ venue, at }) => [venue, at]))
      return { takenUp: byVenue(takenUp), lookedUntil: byVenue(looked), isBehind }
    },

    async since() {
      if (begun === null) {
        const [line] = await read<{ at: number }>(begunSql)
        begun = line === undefined || line.at === 0 ? null : line.at
      }
      return begun
    },

    async findWallet(venue, name) {
      const wallet = walletName(name)
      const [[line], [arrival]] = await Promise.all([
        read<ScoreLine>(findWalletSql, { venue, wallet }),
        read<Arrival>(findArrivalSql, { venue, wallet }),
      ])
      if (arrival === undefined || arrival.trades === 0) return null
      if (line === undefined) return pendingRow(venue, wallet, arrival)
      // All its trades were reverted.
      if (line.trades === 0) return null
      return scoreRow(line, arrival.writtenAt > line.refreshed_at)
    },

    listScores: async ({ venues, limit }) => (await board(venues)).slice(0, limit),

    async listSmartMoney(query) {
      const found: SmartMoneyTrade[] = []
      let { after } = query
      // If rows of a page are reverted or duplicate trades, reading continues after it, so that only the last page is short.
      for (;;) {
        const limit = query.limit - found.length + spareRows
        const { sql, parameters } = smartMoneySql({ ...query, after, limit }, clock.now() + aheadMs)
        const lines = await read<FeedLine>(sql, parameters)
        const isLast = lines.length < limit
        const whole = isLast ? lines : withoutLastTrade(lines)
        const valid = whole.filter(({ gone }) => gone === 0)
        found.push(...valid.filter((line, n) => n === 0 || !isSameTrade(line, valid[n - 1]!)).map(smartMoneyTrade))
        if (isLast || found.length >= query.limit) return found.slice(0, query.limit)
        const last = whole.at(-1)!
        after = { ts: last.ts, tradeId: last.trade_id, venue: last.venue, outcomeId: last.outcome_id }
      }
    },

    fillIn: (venue, wallet) => fillIns?.take(venue, wallet) ?? false,
  }
}

/**
 * A trade may have several rows: its chain dropped and included it again, or two processes wrote it. The rows are adjacent, and a page
 * position must come after all of them. So the last trade is left to the next page, where its rows are complete.
 */
function withoutLastTrade(lines: readonly FeedLine[]): readonly FeedLine[] {
  const whole = lines.filter((line) => !isSameTrade(line, lines.at(-1)!))
  return whole.length === 0 ? lines : whole
}

const isSameTrade = (a: FeedLine, b: FeedLine): boolean =>
  a.ts === b.ts && a.trade_id === b.trade_id && a.venue === b.venue && a.outcome_id === b.outcome_id
