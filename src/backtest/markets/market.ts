// Markets of a backtest: their rows of the catalog, which books their outcomes read, what they charge, and how they ended.
import { ONE } from '#core/price'
import type { PaperFeeModel } from '#paper/accounts/fees'
import type { Market } from '#schemas/market'

export interface BacktestOutcome {
  outcomeId: string
  label: string
  /** Index of its book among the feeds of the run. */
  feed: number
  /** The feed is the other side's: bids here are one minus its asks. */
  mirrored: boolean
}

export interface BacktestMarket {
  venue: string
  /** As it was named for the run. */
  requested: string
  market: Market
  outcomes: BacktestOutcome[]
  fees: PaperFeeModel
  /** Symbol of what it pays in. */
  currency: string
  settlement: Settlement | null
}

export interface Settlement {
  /** Payout of a contract in micros, by outcome id. */
  payouts: ReadonlyMap<string, number>
  /** Epoch ms; null: not known, so that nothing settles within the run. */
  at: number | null
}

/** A taped book. */
export interface Feed {
  venue: string
  /** Of the tape. */
  outcomeIds: readonly string[]
  catalogMarketId: string | undefined
}

/** How a resolved market paid, from its row; null while it is not known to be resolved. */
export function settlementOfRow({ status, outcomes, resolutionDate }: Market): Settlement | null {
  if (status !== 'resolved') return null
  const payouts = new Map<string, number>()
  for (const { outcomeId, price } of outcomes) if (price !== null) payouts.set(outcomeId, Math.round(price * ONE))
  if (payouts.size === 0) return null
  return { payouts, at: resolutionDate === undefined ? null : Date.parse(resolutionDate) }
}

/** Fields of `sourceMetadata` that describe rules of the market. Everything else may contain what was not known at the time. */
const rules: ReadonlySet<string> = new Set([
  ...['fees', 'feeSchedule', 'feesEnabled', 'marketType', 'collateral', 'negRisk', 'executionModel', 'priceGrid'],
  ...[
    'tickSize',
    'orderMinSize',
    'minimumTickSize',
    'orderPriceMinTickSize',
    'decimals',
    'series',
    'exchange',
    'chainId',
  ],
])

const unknown = {
  price: null,
  bestBid: null,
  bestAsk: null,
  priceChange1m: null,
  priceChange5m: null,
  priceChange15m: null,
  priceChange1h: null,
  priceChange6h: null,
  priceChange24h: null,
  priceChange7d: null,
  priceChange30d: null,
  coverage: null,
} as const

/** The row as a strategy may see it at that time: without anything that became known later. `prices`: by outcome id, now. */
export function rowAt(
  { market, settlement }: BacktestMarket,
  atMs: number,
  prices: (outcomeId: string) => { price: number | null; bid: number | null; ask: number | null },
): Market {
  const { volume24hSource: _source, resolutionDate, ...row } = market
  const isResolved = settlement?.at != null && settlement.at <= atMs
  const isPast = resolutionDate !== undefined && Date.parse(resolutionDate) <= atMs
  return {
    ...row,
    // The date of a market that resolved later than now may be that of its result.
    ...(resolutionDate !== undefined && (isPast || market.status === 'active') ? { resolutionDate } : {}),
    status: isResolved ? 'resolved' : 'active',
    volume24h: null,
    volume: null,
    liquidity: null,
    openInterest: null,
    outcomes: market.outcomes.map(({ outcomeId, marketId, label }) => {
      const now = prices(outcomeId)
      const paid = isResolved ? settlement!.payouts.get(outcomeId) : undefined
      return {
        ...{ outcomeId, marketId, label },
        ...unknown,
        price: paid === undefined ? now.price : paid / ONE,
        bestBid: now.bid,
        bestAsk: now.ask,
      }
    }),
    sourceMetadata: Object.fromEntries(Object.entries(market.sourceMetadata).filter(([name]) => rules.has(name))),
  }
}
