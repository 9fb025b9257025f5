// A fill of a backtest, in the forms of the fill tape and of the portfolio.
import type { Fill } from '#schemas/executions'
import type { PortfolioFill } from '#schemas/portfolio'
import { moneyText } from '../account/money.ts'
import { type BacktestExecution, decimalOfMicros, isoOf } from './execution.ts'

export interface BacktestFill {
  id: number
  execution: BacktestExecution
  /** As ordered: of the order's own outcome. Micros and millionths of a contract. */
  price: number
  size: number
  /** Before fees, dollars × 10¹². */
  cash: bigint
  fee: bigint
  liquidity: 'taker' | 'maker'
  evidence: { bookSeq: number; tradeIds: readonly string[] }
  /** Epoch ms. */
  at: number
}

export const fillRow = (fill: BacktestFill): Fill => ({
  fillId: String(fill.id),
  executionId: fill.execution.id,
  venue: fill.execution.venue,
  fill: {
    side: fill.execution.order!.isBuy ? 'buy' : 'sell',
    price: decimalOfMicros(fill.price),
    size: decimalOfMicros(fill.size),
    fee: moneyText(fill.fee),
    liquidity: fill.liquidity,
    evidence: { bookSeq: fill.evidence.bookSeq, tradeIds: [...fill.evidence.tradeIds] },
  },
  filledAt: isoOf(fill.at),
})

export function portfolioFill(fill: BacktestFill): PortfolioFill {
  const { market, outcome, isBuy } = fill.execution.order!
  return {
    fillId: String(fill.id),
    executionId: fill.execution.id,
    venue: fill.execution.venue,
    marketId: market.market.marketId,
    outcomeId: outcome.outcomeId,
    side: isBuy ? 'buy' : 'sell',
    size: decimalOfMicros(fill.size),
    price: decimalOfMicros(fill.price),
    cash: moneyText(fill.cash),
    fee: moneyText(fill.fee),
    feeIn: 'cash',
    currency: market.currency,
    isWithdrawn: false,
    provenance: 'journal',
    filledAt: isoOf(fill.at),
  }
}
