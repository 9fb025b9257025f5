// A ticker built from the newest round: its answer is the price while proven. Oracles provide nothing else of a ticker.
import type { FeedTicker } from '#schemas/feeds'
import { emptyTicker } from '../tickers.ts'
import type { StalePrice } from './freshness.ts'
import type { Newest } from './read.ts'

/** `why` null: proven. */
export function tickerOf(
  { symbol, round, roundId, decimals }: Newest,
  why: StalePrice | null,
  { proxy, chainId, nowMs }: { proxy: string; chainId: number; nowMs: number },
): FeedTicker {
  // Lagging data, or data from the future, does not date itself.
  const isDated = round !== null && why !== 'node behind' && why !== 'dated ahead'
  const asOfMs = isDated ? round.updatedAt * 1_000 : nowMs
  const info = { roundId: String(roundId), decimals, proxy, chainId }
  if (round === null || why !== null) {
    return emptyTicker(symbol, 'chainlink-onchain', asOfMs, { ...info, unproven: why ?? 'unanswered' })
  }
  return {
    ...emptyTicker(symbol, 'chainlink-onchain', asOfMs, info),
    timestamp: asOfMs,
    datetime: round.asOf,
    last: round.answer,
    close: round.answer,
  }
}
