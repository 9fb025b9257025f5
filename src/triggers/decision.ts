// What a decision rests on, stored with the transition and answered to the caller as it is.
import { ONE } from '#lib/price'
import { kinds, type Reference, referenceOf, WHOLE } from './rule.ts'

/** In the words of the order's own outcome. */
export interface Evidence {
  /** Of the sample that decided: the venue's time, or ours where it gives none. ISO. */
  bookTime: string
  reference: Reference
  /** Probability. */
  referencePrice: number
  /** Consecutive qualifying samples, this one included. */
  samples: number
  /** Times of the first and the last of them, ISO. */
  firstSampleAt: string
  lastSampleAt: string
  /** Best ask less best bid; null while one side of the book is empty. */
  spread: number | null
  /** Contracts or shares that the qualifying quote showed; of a mark the smaller of both best quotes. */
  size: number
  /** Of the book at its source. */
  sequence: number
}

export interface Withdrawal {
  handle: number
  /** Of the arming that it is about. */
  serial: number
}

export interface Decision extends Withdrawal {
  evidence: Evidence
}

export interface Notices {
  decisions: Decision[]
  /** Decided, told, and no longer so. */
  withdrawn: Withdrawal[]
}

/** A decision in the numbers of the book that is held. */
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

/** Times of a venue may have fractions of a millisecond, which no date has. */
const isoTime = (ms: number): string => new Date(ms).toISOString()
