// The record of traders as routes read it.
import type { Clock } from '#lib/clock'
import type { SmartMoneyTrade } from '#schemas/traders'
import type { TapeStore } from '#storage/clickhouse/client'
import type { TraderRecord } from '../ports.ts'
import { boardRows, keepBoards } from './board.ts'
import type { FillIns } from './fillIns.ts'
import { hurried } from './hurried.ts'
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
import { type FeedLine, smartMoneySql, smartMoneyTrade } from './statements/smartMoney.ts'
import { walletName } from './walletName.ts'

/** A roll-up that reads all there is says so every minute. */
const behindMs = 180_000

/** `fillIns`: who takes up wallets that nobody knows; absent: they stay unknown until they are seen. */
export function createTraderRecord(
  store: Pick<TapeStore, 'rows'>,
  clock: Clock,
  fillIns?: Pick<FillIns, 'take'>,
): TraderRecord {
  const read = hurried(store, clock)
  const board = keepBoards(async (venues) => {
    const [lines, [progress]] = await Promise.all([
      read<ScoreLine>(listScoresSql, { venues, limit: boardRows }),
      read<{ now: number; readUntil: number }>(progressSql),
    ])
    const isBehind = progress !== undefined && progress.now - progress.readUntil > behindMs
    return lines.map((line) => scoreRow(line, isBehind))
  }, clock)
  return {
    async findWallet(venue, asked) {
      const wallet = walletName(asked)
      const [[line], [arrival]] = await Promise.all([
        read<ScoreLine>(findWalletSql, { venue, wallet }),
        read<Arrival>(findArrivalSql, { venue, wallet }),
      ])
      if (arrival === undefined || arrival.trades === 0) return null
      if (line === undefined) return pendingRow(venue, wallet, arrival)
      // All its trades were taken back.
      if (line.trades === 0) return null
      return scoreRow(line, arrival.writtenAt > line.refreshed_at)
    },

    listScores: async ({ venues, limit }) => (await board(venues)).slice(0, limit),

    async listSmartMoney(query) {
      const found: SmartMoneyTrade[] = []
      let { after } = query
      // Where trades of a page were taken back, or written down twice, it goes on behind it, so that only the last page is short.
      for (;;) {
        const limit = query.limit - found.length
        const { sql, parameters } = smartMoneySql({ ...query, after, limit })
        const lines = await read<FeedLine>(sql, parameters)
        const standing = lines.filter(({ gone }) => gone === 0)
        found.push(...standing.filter((line, n) => !isTwin(line, standing[n - 1])).map(smartMoneyTrade))
        const last = lines.at(-1)
        if (last === undefined || lines.length < limit || found.length >= query.limit) return found
        after = { ts: last.ts, tradeId: last.trade_id, venue: last.venue, outcomeId: last.outcome_id }
      }
    },

    fillIn: (venue, wallet) => fillIns?.take(venue, wallet) ?? false,
  }
}

/** Two processes may have written one trade. They stand beside each other, and whatever comes behind a page comes behind both. */
const isTwin = (line: FeedLine, before: FeedLine | undefined): boolean =>
  before !== undefined &&
  line.ts === before.ts &&
  line.trade_id === before.trade_id &&
  line.venue === before.venue &&
  line.outcome_id === before.outcome_id
