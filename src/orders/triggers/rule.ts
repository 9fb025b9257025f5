// A caller's rule in terms of the actual book: half micros, so that the midpoint between two prices is an integer, and the single book of
// both outcomes, so that a rule on the other outcome is converted once and not at every sample.
import { ONE } from '#core/price'
import type { TriggerRule } from '#schemas/conditional'

export type Reference = TriggerRule['reference']

/** Half micros of a whole probability. */
export const WHOLE = 2 * ONE

/**
 * What a rule waits for: a reference of the book, and whether it has to be at or above the level or at or below it. The index of one kind
 * is a heap whose top is reached first.
 */
export const kinds = [
  { reference: 'mark', below: false },
  { reference: 'mark', below: true },
  { reference: 'bid', below: false },
  { reference: 'bid', below: true },
  { reference: 'ask', below: false },
  { reference: 'ask', below: true },
] as const satisfies readonly { reference: Reference; below: boolean }[]

/** Plain numbers: transferred to another thread. */
export interface CompiledRule {
  /** Index into `kinds`, in terms of the actual book. */
  kind: number
  /** Half micros; negated for a kind that waits below. Reached when the reference, negated likewise, is not smaller. */
  key: number
  confirmations: number
  /** ms on the book's own time. */
  dwellMs: number
  /** Micros. */
  spreadMax: number
  /** Contracts or shares. */
  sizeMin: number
  /** The order's outcome is the other side of the actual book. */
  complement: boolean
}

/** `complement`: the outcome's book is one minus the actual book. */
export function compileRule(rule: TriggerRule, complement: boolean): CompiledRule {
  const isAbove = rule.when === 'at_or_above'
  // A level finer than a half micro is reached at the next one beyond it.
  const level = whole(rule.price * WHOLE, isAbove ? Math.ceil : Math.floor)
  const below = isAbove === complement
  const ownLevel = complement ? WHOLE - level : level
  const reference = complement ? other[rule.reference] : rule.reference
  return {
    kind: kinds.findIndex((kind) => kind.reference === reference && kind.below === below),
    key: below ? -ownLevel : ownLevel,
    confirmations: rule.confirmations,
    dwellMs: rule.dwellMs,
    spreadMax: whole(rule.maxSpread * ONE, Math.floor),
    sizeMin: rule.minSize,
    complement,
  }
}

/** The reference as the caller named it. */
export const referenceOf = ({ kind, complement }: Pick<CompiledRule, 'kind' | 'complement'>): Reference => {
  const { reference } = kinds[kind]!
  return complement ? other[reference] : reference
}

/** A bid for one outcome is an ask for the other. */
const other = { mark: 'mark', bid: 'ask', ask: 'bid' } as const satisfies Record<Reference, Reference>

/** 0.29 × 1,000,000 is not an integer as a double: near-integers count as integers. */
function whole(value: number, towards: (value: number) => number): number {
  const nearest = Math.round(value)
  return Math.abs(value - nearest) < 1e-6 ? nearest : towards(value)
}
