// The evidence of a decision, stored with the transition and returned to the caller unchanged.
import { ONE } from '#core/price'
import { nothing } from './bookSample.ts'
import { kinds, type Reference, referenceOf, WHOLE } from './rule.ts'

/** From the perspective of the order's own outcome. */
export interface Evidence {
  /** Of the deciding sample: the venue's time, or ours if it gives none. ISO. */
  bookTime: string
  reference: Reference
  /** Probability; null for a time when the book does not have both quotes it needs. */
  referencePrice: number | null
  /** Consecutive qualifying samples, including this one. */
  samples: number
  /** Times of the first and the last of them, ISO. */
  firstSampleAt: string
  lastSampleAt: string
  /** Best ask less best bid; null while one side of the book is empty. */
  spread: number | null
  /** Contracts or shares shown by the qualifying quote; for a mark the smaller of both best quotes. */
  size: number
  /** Of the book at its source. */
  sequence: number
  /** Of a trailing order. Probabilities: the best price since it was armed, the level, and how far the level is from it. */
  bestPrice?: number
  level?: number
  distance?: number
  /** Of a time: ISO, as armed and when the book was read. */
  at?: string
  readAt?: string
}

/** The best price of a trailing order improved. */
export interface NewBest extends TriggerRetraction {
  /** Half micros of the order's own outcome. */
  best: number
}

export interface TriggerRetraction {
  handle: number
  /** Of the arming it belongs to. */
  serial: number
}

export interface Decision extends TriggerRetraction {
  evidence: Evidence
}

export interface TriggerEvents {
  decisions: Decision[]
  /** Decided, reported, and no longer valid. */
  withdrawn: TriggerRetraction[]
  /** The newest of each order. */
  bests: NewBest[]
}

/** A decision in terms of the actual book. */
export interface Verdict {
  kind: number
  complement: boolean
  /** The reference, half micros, negated for a kind that waits below. */
  value: number
  /** Epoch ms. */
  time: number
  firstAt: number
  samples: number
  /** Micros. */
  spread: number | null
  size: number
  seq: number
  /** Of a trailing order: values like `value`. Null for others. */
  trail: { best: number; key: number } | null
  /** Of a time, epoch ms. Null for others. */
  timed: { at: number; readAt: number } | null
}

export function evidenceOf(verdict: Verdict): Evidence {
  const { kind, complement, value, spread, trail, timed } = verdict
  const ownPrice = (of: number): number => {
    const actual = kinds[kind]!.below ? 0 - of : of
    return (complement ? WHOLE - actual : actual) / WHOLE
  }
  const at = isoTime(verdict.time)
  return {
    bookTime: at,
    reference: referenceOf(verdict),
    referencePrice: value === nothing ? null : ownPrice(value),
    samples: verdict.samples,
    firstSampleAt: isoTime(verdict.firstAt),
    lastSampleAt: at,
    spread: spread === null ? null : spread / ONE,
    size: verdict.size,
    sequence: verdict.seq,
    // A best is a value of the opposite direction.
    ...(trail && {
      bestPrice: ownPrice(0 - trail.best),
      level: ownPrice(trail.key),
      distance: (trail.best + trail.key) / WHOLE,
    }),
    ...(timed && { at: isoTime(timed.at), readAt: isoTime(timed.readAt) }),
  }
}

/** A venue's times may have fractions of a millisecond, which dates lack. */
const isoTime = (ms: number): string => new Date(ms).toISOString()
