// A round off the chain in the words of the API. What was never answered, or carries an older round's answer on, is no round with a price.
import { fromUnits } from '#lib/decimal'
import type { OracleRound } from '#schemas/feeds'
import type { RoundData } from './calls.ts'
import { aggregatorRoundOf } from './roundIds.ts'

/** No price feed is finer; 36 digits of it fit a decimal as we print it. */
const decimalsMax = 36
/** 40 digits before the point and behind it are more than any price. */
const answerMax = 10n ** 40n
/** Epoch s; the year 3000. */
const secondsMax = 32_503_680_000n

/** Null: not recorded, not answered, answered by an earlier round, or nothing that a price can be. `asked`: the id it must have. */
export function roundOf(
  symbol: string,
  [roundId, answer, startedAt, updatedAt, answeredInRound]: RoundData,
  decimals: number,
  asked: bigint = roundId,
): OracleRound | null {
  const isAnswered = updatedAt > 0n && updatedAt < secondsMax && startedAt < secondsMax && answeredInRound >= roundId
  // An aggregator counts from 1: round 0 is what it has before any answer.
  if (aggregatorRoundOf(roundId) === 0n) return null
  if (roundId !== asked || !isAnswered || answer <= 0n || answer >= answerMax || decimals > decimalsMax) return null
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

/** How a proxy calls itself: `BTC / USD`. */
export const describes = (description: string, symbol: string): boolean =>
  description.replaceAll(/\s/g, '').toUpperCase() === symbol
