// A trader record in memory that implements the port.
import type { SmartMoneyTrade, TraderScore } from '#schemas/traders'
import type { SmartMoneyQuery, TraderRecord } from '#traders/index'
import type { Freshness } from '#traders/ports'

export const walletA = `0x${'a'.repeat(40)}`
export const walletB = `0x${'b'.repeat(40)}`

export const scoreOf = (venue: string, wallet: string, score: number | null): TraderScore => ({
  venue,
  wallet,
  displayName: null,
  score,
  scoreVersion: score === null ? null : 'w1',
  factors: score === null ? null : { trackRecord: 50, experience: 60, scale: 70, discipline: 80 },
  category: score === null ? null : 'smart',
  stats: {
    ...{ walletAgeDays: 12, marketsTraded: 3, totalVolumeUsd: 0, winRate: null, realizedPnlUsd: -4.5 },
    ...{ firstSeen: '2026-09-01T00:00:00.000Z', lastSeen: '2026-09-20T00:00:00.000Z', depositFirstAt: null },
  },
  refreshedAt: score === null ? null : '2026-09-20T12:00:00.000Z',
  refreshState: score === null ? 'pending' : 'current',
  asOf: '2026-09-20T12:00:00.000Z',
  provenance: { source: 'archive' },
  ...(score === null ? { note: 'Fewer than twenty settled markets.' } : {}),
})

export const smartTrade = (ts: number, tradeId: string, more: Partial<SmartMoneyTrade> = {}): SmartMoneyTrade => ({
  ...{ venue: 'polymarket', marketId: 'm1', outcomeId: 'o1', tradeId, ts, wallet: walletA },
  ...{ side: 'buy', price: 0.4, amount: 100, usdSize: 40 },
  tradeScore: 70,
  tradeFactors: { walletScore: 80, size: 50, entry: null, timing: 60 },
  scoreVersion: 't1',
  walletScoreAtTrade: 80,
  categoryAtTrade: 'smart',
  ...more,
})

export class MemoryRecord implements TraderRecord {
  scores: TraderScore[] = []
  trades: SmartMoneyTrade[] = []
  failure: Error | null = null
  readonly queries: SmartMoneyQuery[] = []
  readonly filledIn: string[] = []
  hasCapacity = true

  async findWallet(venue: string, wallet: string): Promise<TraderScore | null> {
    if (this.failure !== null) throw this.failure
    return this.scores.find((row) => row.venue === venue && row.wallet === wallet) ?? null
  }

  async listScores({ venues, limit }: { venues: readonly string[]; limit: number }): Promise<TraderScore[]> {
    if (this.failure !== null) throw this.failure
    return this.scores
      .filter(({ venue, score }) => venues.includes(venue) && score !== null)
      .sort((a, b) => b.score! - a.score!)
      .slice(0, limit)
  }

  async listSmartMoney(query: SmartMoneyQuery): Promise<SmartMoneyTrade[]> {
    if (this.failure !== null) throw this.failure
    this.queries.push(query)
    const { venues, minScore, market, wallet, category, sinceMs, after, limit } = query
    const isBehind = (row: SmartMoneyTrade): boolean =>
      after === null ||
      row.ts < after.ts ||
      (row.ts === after.ts &&
        (row.tradeId < after.tradeId || (row.tradeId === after.tradeId && row.venue < after.venue)))
    const order = (a: SmartMoneyTrade, b: SmartMoneyTrade): number =>
      b.ts - a.ts || (a.tradeId < b.tradeId ? 1 : a.tradeId > b.tradeId ? -1 : a.venue < b.venue ? 1 : -1)
    return this.trades
      .filter((row) => venues.includes(row.venue) && row.tradeScore >= (minScore ?? 0) && row.ts >= (sinceMs ?? 0))
      .filter((row) => (market ?? row.marketId) === row.marketId && (wallet ?? row.wallet) === row.wallet)
      .filter((row) => (category ?? row.categoryAtTrade) === row.categoryAtTrade && isBehind(row))
      .sort(order)
      .slice(0, limit)
  }

  fresh: Freshness = { takenUp: new Map(), lookedUntil: new Map(), isBehind: false }
  async freshness(): Promise<Freshness> {
    return this.fresh
  }

  begunAt: number | null = Date.parse('2026-09-01T00:00:00Z')
  async since(): Promise<number | null> {
    return this.begunAt
  }

  fillIn(venue: string, wallet: string): boolean {
    this.filledIn.push(`${venue} ${wallet}`)
    return this.hasCapacity
  }
}
