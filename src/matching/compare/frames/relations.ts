// How two answers relate, from how their sets relate: amount by amount, window by window.
import type { MatchRelation } from '#schemas/matches'
import type { SetRelation } from './frameThresholds.ts'

/** Null if nothing follows. */
export type SetPair = SetRelation | null

/** Both questions require every one of their sets to be met. */
export function composeSets(pairs: readonly SetPair[]): MatchRelation {
  if (pairs.some((pair) => pair === null)) return 'overlap'
  const [alone, ...more] = pairs.filter((pair) => pair !== 'equal')
  if (alone === undefined) return 'identity'
  if (pairs.includes('apart') || pairs.includes('rest'))
    return more.length === 0 && alone === 'rest' ? 'complement' : 'disjoint'
  if (pairs.includes('across')) return 'overlap'
  const inside = pairs.every((pair) => pair === 'equal' || pair === 'inside')
  if (inside) return 'subset'
  return pairs.every((pair) => pair === 'equal' || pair === 'around') ? 'superset' : 'overlap'
}

/** The relation of the plain sentences, applied to sentences that deny them. */
export function negateRelation(relation: MatchRelation, a: boolean, b: boolean): MatchRelation {
  if (!a && !b) return relation
  if (a && b)
    return relation === 'subset'
      ? 'superset'
      : relation === 'superset'
        ? 'subset'
        : relation === 'disjoint'
          ? 'overlap'
          : relation
  if (relation === 'identity') return 'complement'
  if (relation === 'complement') return 'identity'
  if (relation === 'disjoint') return a ? 'superset' : 'subset'
  if (relation === (a ? 'superset' : 'subset')) return 'disjoint'
  return 'overlap'
}
