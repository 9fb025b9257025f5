// A stored pair as a relation that a structure may rely on.
import type { Relation } from '#arbitrage/structures/input'
import type { MatchBand, MatchRelation } from '#schemas/matches'

export interface StoredPair {
  a: string
  b: string
  relation: MatchRelation
  relation_band: MatchBand | null
  polarity: 'same' | 'inverse'
}

const kinds = {
  identity: 'same',
  complement: 'inverse',
  subset: 'a_implies_b',
  superset: 'b_implies_a',
  disjoint: 'exclusive',
} as const satisfies Partial<Record<MatchRelation, string>>

/** Null if nothing follows. A pair that may still be one question has the band that says so. */
export function pairRelation({ a, b, relation, relation_band: band, polarity }: StoredPair): Relation | null {
  if (band === null) return null
  const kind = relation === 'overlap' ? (polarity === 'inverse' ? 'inverse' : 'same') : kinds[relation]
  return { id: `pair:${a}~${b}`, band, kind, a, b }
}
