// Relations as clauses: lists of answers of which at least one is true in every world. An answer is 2 × market, plus one for its NO.
import type { Answer, Relation } from './input.ts'

export type Clause = Int32Array

export const literalOf = (market: number, side: 'yes' | 'no'): number => 2 * market + (side === 'no' ? 1 : 0)
export const opposite = (literal: number): number => literal ^ 1
export const marketOf = (literal: number): number => literal >> 1
export const sideOf = (literal: number): 'yes' | 'no' => ((literal & 1) === 0 ? 'yes' : 'no')

/** The markets a relation refers to. */
export const marketsOf = (relation: Relation): string[] =>
  relation.kind === 'outcomes' ? relation.members.map(({ market }) => market) : [relation.a, relation.b]

export function clausesOf(relation: Relation, indexOf: ReadonlyMap<string, number>): Clause[] {
  const literal = ({ market, side }: Answer): number => literalOf(indexOf.get(market)!, side)
  if (relation.kind === 'outcomes') {
    const members = relation.members.map(literal)
    const clauses = relation.complete ? [Int32Array.from(members)] : []
    for (let i = 0; i < members.length; i++)
      for (let j = i + 1; j < members.length; j++)
        clauses.push(Int32Array.of(opposite(members[i]!), opposite(members[j]!)))
    return clauses
  }
  const a = literal({ market: relation.a, side: 'yes' })
  const b = literal({ market: relation.b, side: 'yes' })
  const implies = (from: number, to: number): Clause => Int32Array.of(opposite(from), to)
  switch (relation.kind) {
    case 'same':
      return [implies(a, b), implies(b, a)]
    case 'inverse':
      return [implies(a, opposite(b)), implies(opposite(b), a)]
    case 'a_implies_b':
      return [implies(a, b)]
    case 'b_implies_a':
      return [implies(b, a)]
    case 'exclusive':
      return [implies(a, opposite(b))]
  }
}
