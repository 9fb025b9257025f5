// The evidence of a decision, stored with the transition and returned to the caller unchanged.
import { ONE } from '#core/price'
import { kinds, type Reference, referenceOf, WHOLE } from './rule.ts'

/** From the perspective of the order's own outcome. */
export interface Evidence {
  /** Of the deciding sample: the venue's time, or ours if it gives none. ISO. */
  bookTime: string
  reference: Reference
  /** Probability. */
  referencePrice: number
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
}

export function evidenceOf(verdict: Verdict): Evidence {
  const { kind, complement, value, spread } = verdict
  const own = kinds[kind]!.below ? -value : value
  const at = isoTime(verdict.time)
  return {
    bookTime: at,
    reference: referenceOf(verdict),
    referencePrice: (complement ? WHOLE - own : own) / WHOLE,
    samples: verdict.samples,
    firstSampleAt: isoTime(verdict.firstAt),
    lastSampleAt: at,
    spread: spread === null ? null : spread / ONE,
    size: verdict.size,
    sequence: verdict.seq,
  }
}

/** A venue's times may have fractions of a millisecond, which dates lack. */
const isoTime = (ms: number): string => new Date(ms).toISOString()
