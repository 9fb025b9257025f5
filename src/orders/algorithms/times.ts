// When an algorithm starts and ends.
import { Fault } from '#core/fault'
import { type AlgorithmBody, durationMaxMs } from '#schemas/algorithms'

export interface AlgorithmTimes {
  startsAt: number
  expiresAt: number
}

/** Epoch ms. Throws VALIDATION_ERROR. */
export function timesOf(
  { startsAt, expiresAt, algorithm }: Pick<AlgorithmBody, 'startsAt' | 'expiresAt' | 'algorithm'>,
  nowMs: number,
): AlgorithmTimes {
  const start = startsAt === undefined ? nowMs : Date.parse(startsAt)
  if (start < nowMs) throw invalid('startsAt', 'is in the past')
  if (start - nowMs > durationMaxMs) throw invalid('startsAt', `must be at most ${days(durationMaxMs)} days ahead`)
  if (algorithm.kind === 'twap') {
    if (expiresAt !== undefined) throw invalid('expiresAt', 'twap ends after its durationMs')
    return { startsAt: start, expiresAt: start + algorithm.durationMs }
  }
  if (expiresAt === undefined) throw invalid('expiresAt', `${algorithm.kind} needs one`)
  const end = Date.parse(expiresAt)
  if (end <= start) throw invalid('expiresAt', 'must be after the start')
  if (end - start > durationMaxMs)
    throw invalid('expiresAt', `must be at most ${days(durationMaxMs)} days after the start`)
  if (algorithm.kind === 'passive_then_aggressive' && start + algorithm.passiveMs >= end)
    throw invalid('algorithm.passiveMs', 'must be over before expiresAt')
  return { startsAt: start, expiresAt: end }
}

const days = (ms: number): number => ms / 86_400_000

export const invalid = (field: string, why: string): Fault => new Fault('VALIDATION_ERROR', `${field}: ${why}`)
