// Volume-weighted price of the trades that are recorded of an outcome.
import type { MarketHistory } from '#history/tape'
import type { AlgorithmRouteDeps } from './ports.ts'

/** Of more trades it is not computed. */
const tradesMax = 20_000
const places = 9

type ReadVwap = AlgorithmRouteDeps['algorithms']['readVwap']

/** `tape` null: nothing is recorded here. */
export const createVwapReader =
  (tape: Pick<MarketHistory, 'findTrades'> | null): ReadVwap =>
  async ({ venue, marketId, outcomeId }, { startMs, endMs }) => {
    if (tape === null) return null
    const trades = await tape.findTrades(venue, outcomeId, { startMs, endMs, limit: tradesMax + 1 }, marketId)
    if (trades.length > tradesMax) return null
    let volume = 0
    let cash = 0
    for (const { price, amount } of trades) {
      if (price === null) return null
      volume += amount
      cash += price * amount
    }
    return volume > 0 ? withoutTrailingZeros((cash / volume).toFixed(places)) : null
  }

const withoutTrailingZeros = (text: string): string => text.replace(/\.?0+$/, '')
