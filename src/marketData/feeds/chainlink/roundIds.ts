// Ids of rounds, as a proxy composes them: phase × 2^64 + the aggregator's own round, which begins at 1. A phase is one aggregator; an id does
// not reveal where the previous phase ended. https://docs.chain.link/data-feeds/historical-data

const phaseBits = 64n
const roundMask = (1n << phaseBits) - 1n

export const phaseOf = (roundId: bigint): bigint => roundId >> phaseBits
export const aggregatorRoundOf = (roundId: bigint): bigint => roundId & roundMask

/** The `count` ids before this one, newest first; fewer at the beginning of its phase. */
export function earlierRounds(roundId: bigint, count: number): bigint[] {
  const before = aggregatorRoundOf(roundId) - 1n
  const length = Number(before < BigInt(count) ? (before > 0n ? before : 0n) : BigInt(count))
  return Array.from({ length }, (_, n) => roundId - BigInt(n + 1))
}
