// A ticker made of the newest round: its answer is the price while it is proven. Oracles know nothing else that a ticker has.
import type { FeedTicker } from '#schemas/feeds'
import { emptyTicker } from '../tickers.ts'
import type { Unproven } from './proof.ts'
import type { Newest } from './read.ts'

/** `why` null: proven. */
export function tickerOf(
  { symbol, round, roundId, decimals }: Newest,
  why: Unproven | null,
  { proxy, chainId, nowMs }: { proxy: string; chainId: number; nowMs: number },
): FeedTicker {
  // What lags, or is of the future, is not dated by itself.
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
