// The calls of a price feed's proxy, and what they return: https://docs.chain.link/data-feeds/api-reference
import { decodeText, decodeWords, wordOf } from './batch.ts'

export const selectors = {
  latestRoundData: 'feaf968c',
  getRoundData: '9a6fc8f5',
  decimals: '313ce567',
  description: '7284e416',
} as const

/** roundId, answer, startedAt, updatedAt, answeredInRound. */
export type RoundData = readonly [bigint, bigint, bigint, bigint, bigint]

export const getRoundData = (roundId: bigint): string => `${selectors.getRoundData}${wordOf(roundId)}`

const uint80 = 1n << 80n

/** Null for a reverted call, and for bytes that are not a round. */
export function roundDataOf(returned: string | null): RoundData | null {
  const words = returned === null ? null : decodeWords(returned, 5)
  if (words === null) return null
  const [roundId, answer, startedAt, updatedAt, answeredInRound] = words as [bigint, bigint, bigint, bigint, bigint]
  if (roundId >= uint80 || answeredInRound >= uint80) return null
  return [roundId, BigInt.asIntN(256, answer), startedAt, updatedAt, answeredInRound]
}

export function decimalsOf(returned: string | null): number | null {
  const [value] = returned === null ? [] : (decodeWords(returned, 1) ?? [])
  return value === undefined || value > 255n ? null : Number(value)
}

/** Epoch s. */
export function timestampOf(returned: string | null): number | null {
  const [value] = returned === null ? [] : (decodeWords(returned, 1) ?? [])
  return value === undefined || value > 1n << 40n ? null : Number(value)
}

export const descriptionOf = (returned: string | null): string | null =>
  returned === null ? null : decodeText(returned)
