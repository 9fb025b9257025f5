// Volume-weighted price of the trades that are recorded of an outcome.
import { compareDecimals, divideDecimals } from '#core/decimal'
import type { MarketHistory } from '#history/tape'
import type { AlgorithmRouteDeps } from './ports.ts'

/** Of more trades it is not computed. */
const tradesMax = 1_000_000
const places = 9

type ReadVwap = AlgorithmRouteDeps['algorithms']['readVwap']

/** `tape` null: nothing is recorded here. */
export const createVwapReader =
  (tape: Pick<MarketHistory, 'sumTrades'> | null): ReadVwap =>
  async ({ venue, marketId, outcomeId }, { startMs, endMs }) => {
    if (tape === null) return null
    const range = { startMs, endMs, limit: tradesMax + 1 }
    const { trades, volume, cash } = await tape.sumTrades(venue, outcomeId, range, marketId)
    if (trades > tradesMax || cash === null || compareDecimals(volume, '0') <= 0) return null
    return divideDecimals(cash, volume, places, 'halfEven')
  }
