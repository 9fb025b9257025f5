// A caller's rule in terms of the actual book: half micros, so that the midpoint between two prices is an integer, and the single book of
// both outcomes, so that a rule on the other outcome is converted once and not at every sample.
import { ONE } from '#core/price'
import type { TriggerRule } from '#schemas/conditional'

export type Reference = TriggerRule['reference']

/** Half micros of a whole probability. */
export const WHOLE = 2 * ONE

/** No value is as high. */
export const unreachable = 0x7fffffff

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

/** How far a level is from the best price: not at all, by half micros, or by millionths of the best price. */
export const trails = { none: 0, price: 1, percent: 2 } as const

/** Of rules without `at`. */
export const noTime = Number.POSITIVE_INFINITY

/** Before the first sample of a trailing order. No price is as low. */
export const noBest = -0x80000000

/** Plain numbers: transferred to another thread. */
export interface CompiledRule {
  /** Index into `kinds`, in terms of the actual book. */
  kind: number
  /** Half micros; negated for a kind that waits below. Reached when the reference, negated likewise, is not smaller. A trailing order has none. */
  key: number
  /** One of `trails`, and its distance. */
  trail: number
  distance: number
  /** Of a trailing order: its best price so far as a value of `bestKind`; `noBest` before the first. */
  best: number
  /** Epoch ms: triggers at the first live book from then on, whatever its price. `noTime`: it waits for a level. */
  at: number
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
  const below = isAbove === complement
  const reference = complement ? other[rule.reference] : rule.reference
  return {
    kind: kinds.findIndex((kind) => kind.reference === reference && kind.below === below),
    key: rule.price === undefined ? 0 : keyOf(rule.price, { isAbove, below, complement }),
    ...distanceOf(rule.trail),
    best: noBest,
    at: rule.at === undefined ? noTime : Date.parse(rule.at),
    confirmations: rule.confirmations,
    dwellMs: rule.dwellMs,
    spreadMax: whole(rule.maxSpread * ONE, Math.floor),
    sizeMin: rule.minSize,
    complement,
  }
}

function keyOf(
  price: number,
  { isAbove, below, complement }: Record<'isAbove' | 'below' | 'complement', boolean>,
): number {
  // A level finer than a half micro is reached at the next one beyond it.
  const level = whole(price * WHOLE, isAbove ? Math.ceil : Math.floor)
  const ownLevel = complement ? WHOLE - level : level
  return below ? -ownLevel : ownLevel
}

function distanceOf(trail: TriggerRule['trail']): Pick<CompiledRule, 'trail' | 'distance'> {
  if (trail === undefined) return { trail: trails.none, distance: 0 }
  const { by, distance } = trail
  return { trail: trails[by], distance: whole(distance * (by === 'price' ? WHOLE : 10_000), Math.ceil) }
}

/** The kind in whose values a trailing order of `kind` looks for a better best: the opposite direction of the same reference. */
export const bestKind = (kind: number): number => kind ^ 1

/**
 * The best price of a trailing order between the order's own outcome, in half micros, and a value of `bestKind` of the actual book. Its own
 * inverse, apart from the sign.
 */
export const bestValue = ({ kind, complement }: Pick<CompiledRule, 'kind' | 'complement'>, own: number): number => {
  const actual = complement ? WHOLE - own : own
  return kinds[bestKind(kind)]!.below ? 0 - actual : actual
}
export const ownBest = ({ kind, complement }: Pick<CompiledRule, 'kind' | 'complement'>, best: number): number => {
  const actual = kinds[bestKind(kind)]!.below ? 0 - best : best
  return complement ? WHOLE - actual : actual
}

/** The level of a trailing order as a key: at least a half micro from its best, and away from it if it lies between two half micros. */
export function trailingKey(
  rule: Pick<CompiledRule, 'kind' | 'complement' | 'trail' | 'distance'>,
  best: number,
): number {
  if (best === noBest) return unreachable
  const { trail, distance } = rule
  // Below 2^53: a best of 2,000,000 times 1,000,000 millionths.
  const gap = trail === trails.price ? distance : Math.ceil((ownBest(rule, best) * distance) / 1e6)
  return Math.max(1, gap) - best
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
