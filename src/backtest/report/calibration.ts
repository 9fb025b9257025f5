// How good the quoted probabilities were: the middle of own quotes against what the market paid.
import { ONE } from '#core/price'
import type { BacktestExecution } from '../exchange/execution.ts'
import type { BacktestMarket } from '../markets/market.ts'
import type { Calibration, CalibrationBin } from './report.ts'

const binCount = 10

interface Quoted {
  market: BacktestMarket
  quotes: number
  /** Of the quotes, and of their squares: the payout is known only in the end. */
  sum: number
  squares: number
  /** By bin. */
  counts: number[]
  sums: number[]
}

export class QuoteSamples {
  private readonly byMarket = new Map<BacktestMarket, Quoted>()

  /** The middle of the best own bid and ask of each market's first outcome, where there are both. */
  sample(working: Iterable<BacktestExecution>): void {
    const best = new Map<BacktestMarket, { bid: number; ask: number }>()
    for (const { order } of working) {
      const { market, outcome, isBuy, price } = order!
      if (market.outcomes.length > 2) continue
      const isFirst = outcome === market.outcomes[0]
      const side = best.get(market) ?? { bid: -1, ask: ONE + 1 }
      // Buying the second outcome at q offers the first at one minus q.
      const inFirst = isFirst ? price : ONE - price
      if (isBuy === isFirst) side.bid = Math.max(side.bid, inFirst)
      else side.ask = Math.min(side.ask, inFirst)
      best.set(market, side)
    }
    for (const [market, { bid, ask }] of best) if (bid >= 0 && ask <= ONE) this.add(market, (bid + ask) / 2 / ONE)
  }

  calibration(): Calibration {
    const counts = Array.from({ length: binCount }, () => 0)
    const sums = [...counts]
    const paid = [...counts]
    const byMarket: Calibration['byMarket'] = []
    let squares = 0
    let quotes = 0
    let unresolved = 0
    for (const { market, ...quoted } of this.byMarket.values()) {
      const micros = market.settlement?.payouts.get(market.outcomes[0]!.outcomeId)
      if (micros === undefined) {
        unresolved += 1
        continue
      }
      const payout = micros / ONE
      const error = quoted.squares - 2 * payout * quoted.sum + quoted.quotes * payout * payout
      squares += error
      quotes += quoted.quotes
      for (let i = 0; i < binCount; i++) {
        counts[i]! += quoted.counts[i]!
        sums[i]! += quoted.sums[i]!
        paid[i]! += quoted.counts[i]! * payout
      }
      const { venue } = market
      const brier = error / quoted.quotes
      byMarket.push({ venue, marketId: market.market.marketId, quotes: quoted.quotes, payout, brier })
    }
    const bins = counts.map(
      (count, i): CalibrationBin => ({
        ...{ from: i / binCount, to: (i + 1) / binCount, quotes: count },
        quoted: count === 0 ? null : sums[i]! / count,
        paid: count === 0 ? null : paid[i]! / count,
      }),
    )
    return { quotes, brier: quotes === 0 ? null : squares / quotes, bins, byMarket, unresolved }
  }

  private add(market: BacktestMarket, mid: number): void {
    const zeros = (): number[] => Array.from({ length: binCount }, () => 0)
    const held = this.byMarket.get(market) ?? { market, counts: zeros(), sums: zeros(), squares: 0, quotes: 0, sum: 0 }
    this.byMarket.set(market, held)
    const bin = Math.min(binCount - 1, Math.floor(mid * binCount))
    held.counts[bin]! += 1
    held.sums[bin]! += mid
    held.squares += mid * mid
    held.sum += mid
    held.quotes += 1
  }
}
