// Maps a round on the chain to the API's. One that was never answered, or repeats an older round's answer, has no price.
import { fromUnits } from '#core/decimal'
import type { OracleRound } from '#schemas/feeds'
import type { RoundData } from './calls.ts'
import { aggregatorRoundOf } from './roundIds.ts'

/** No price feed is finer; 36 digits of it fit a decimal as we print it. */
const decimalsMax = 36
/** 40 digits on each side of the point exceed any price. */
const answerMax = 10n ** 40n
/** Epoch s; the year 3000. */
const secondsMax = 32_503_680_000n

/** Null: not recorded, not answered, answered by an earlier round, or not a possible price. `expectedId`: the id it must have. */
export function roundOf(
  symbol: string,
  [roundId, answer, startedAt, updatedAt, answeredInRound]: RoundData,
  decimals: number,
  expectedId: bigint = roundId,
): OracleRound | null {
  const isAnswered = updatedAt > 0n && updatedAt < secondsMax && startedAt < secondsMax && answeredInRound >= roundId
  // An aggregator counts from 1: round 0 is its state before any answer.
  if (aggregatorRoundOf(roundId) === 0n) return null
  if (roundId !== expectedId || !isAnswered || answer <= 0n || answer >= answerMax || decimals > decimalsMax)
    return null
  return {
    feed: symbol,
    roundId: String(roundId),
    answer: Number(fromUnits(answer, decimals)),
    startedAt: Number(startedAt),
    updatedAt: Number(updatedAt),
    answeredInRound: String(answeredInRound),
    decimals,
    asOf: new Date(Number(updatedAt) * 1_000).toISOString(),
    provenance: { source: 'chainlink-onchain' },
  }
}

/** A proxy's own description: `BTC / USD`. */
export const describes = (description: string, symbol: string): boolean =>
  description.replaceAll(/\s/g, '').toUpperCase() === symbol
