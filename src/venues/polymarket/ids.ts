// Ids of outcomes and conditions. Each outcome is a token of its own, with a book of its own, named by the token id (a 256-bit number in decimal).
// The venue has two protocols: a market of version 2 has position ids in the place of CLOB tokens, a condition of 31 bytes, and orders for another
// exchange. https://docs.polymarket.com/migrate/polymarket-v2/overview
//
//   position id    module 8 | hash 128 | arity 16 | reserved 64 | chain 16 | condition 16 | outcome 8 bits
//   condition id   the position id without its outcome; boundaries of 32 bytes take it with a zero byte behind it
import { ownBook } from '../shared/data/binary.ts'

/** 2^256 has 78 decimal digits. */
const tokenId = /^\d{1,78}$/

/** The stream market id of an outcome, null when the id cannot be a token id. */
export const bookIdOf = (outcomeId: string): string | null => (tokenId.test(outcomeId) ? outcomeId : null)

export const bookRef = ownBook((outcomeId) => tokenId.test(outcomeId))

export type Protocol = 'v1' | 'v2'

const reservedBits = ((1n << 64n) - 1n) << 40n
/** Binary, negative-risk, combinatorial. */
const modules: readonly bigint[] = [1n, 2n, 3n]

/** Whether an asset id has the form of version 2. The tokens of version 1 are hashes: none has 64 zero bits at that place. */
export function isPositionId(assetId: string): boolean {
  if (!tokenId.test(assetId)) return false
  const id = BigInt(assetId)
  return (id & reservedBits) === 0n && modules.includes(id >> 248n)
}

/** In 32 bytes. */
export const conditionOfPosition = (positionId: string): string =>
  `0x${((BigInt(positionId) >> 8n) << 8n).toString(16).padStart(64, '0')}`

/** A condition of either width in 32 bytes, as the CLOB, the stream and the Data API write it. */
export const wideCondition = (conditionId: string): string =>
  /^0x[0-9a-fA-F]{62}$/.test(conditionId) ? `${conditionId}00` : conditionId

/** The widths under which Gamma may know a condition: of version 2 it shows 31 bytes. */
export const widthsOf = (conditionId: string): readonly string[] => {
  const wide = wideCondition(conditionId)
  return /^0x0[123].*00$/.test(wide) ? [wide, wide.slice(0, -2)] : [wide]
}
