// Rows of a run with the pairs that wait for a review of their prices lowered to `minor`. Pure.
import { priceDifferenceKind } from '#schemas/matches'
import type { MatchPairRow, MatchPiece } from '#storage/postgres/matching/index'
import { bandFloors, blocking } from '../../match.ts'

/** By `pairKeyOf`: since when their prices differ, epoch ms. */
export type Demotions = ReadonlyMap<string, number>

type PairSides = Pick<MatchPairRow, 'a_venue' | 'a_market_id' | 'b_venue' | 'b_market_id'>

export const pairKeyOf = ({ a_venue, a_market_id, b_venue, b_market_id }: PairSides): string =>
  `${a_venue}:${a_market_id} ${b_venue}:${b_market_id}`

export async function* demotePieces(
  pieces: AsyncIterable<MatchPiece>,
  demotions: Demotions,
): AsyncIterable<MatchPiece> {
  for await (const piece of pieces) {
    if (piece.kind !== 'pairs' || demotions.size === 0) yield piece
    else yield { kind: 'pairs', rows: piece.rows.map((row) => demote(row, demotions.get(pairKeyOf(row)))) }
  }
}

/** An operator's pin stays: it is a review. */
function demote(row: MatchPairRow, since: number | undefined): MatchPairRow {
  if (since === undefined || row.band !== 'verified' || row.score === null || row.override !== null) return row
  const score = Math.max(bandFloors.minor, Math.min(row.score, 100 - blocking))
  const detail = `the prices have differed by more than both books cost since ${new Date(since).toISOString()}`
  return {
    ...row,
    score,
    band: 'minor',
    relation: 'overlap',
    relation_band: 'minor',
    differences: [
      ...row.differences.filter(({ points }) => points > 0),
      { kind: priceDifferenceKind, detail, points: row.score - score },
    ],
    resolution: {
      compatible: row.resolution.compatible,
      reason: `${detail}: it waits for a review (crossbook matches pin or forbid)`,
      auditReasons: [row.resolution.reason, ...row.resolution.auditReasons],
    },
    resolution_equivalence: 'unverified',
  }
}
