// When a round proves a current price: it is answered, it is not too old, and the chain's sequencer was up to let a newer one
// in.
import { type Clock, lowerBoundNow, upperBoundNow } from '#core/clock'
import type { OracleRound } from '#schemas/feeds'
import type { RoundData } from './calls.ts'

/** After a sequencer outage: until then the backlog may not have been written. As in Chainlink's documentation. */
const graceSeconds = 3_600
/** Clocks of chains are not ours. */
const aheadSeconds = 600

/**
 * A node whose newest block is older than this does not have the chain's current state: it is syncing, or hangs. No chain here pauses
 * this long.
 */
const blockSecondsMax = 120

export type StalePrice =
  | ('node behind' | 'decimals in doubt')
  | ('unanswered' | 'stale' | 'dated ahead')
  | ('sequencer down' | 'sequencer just back')

/** `sequencer`: `down`, since when it is up (epoch s), or null on a chain without one. */
export type SequencerState = 'down' | number | null

/** Its answer is 0 while it is up, `startedAt` when that began. Null when it could not be read: nothing is proven then. */
export function sequencerOf(data: RoundData | null): Exclude<SequencerState, null> {
  if (data === null) return 'down'
  const [, answer, startedAt] = data
  // Not started yet: it has never reported.
  return answer === 0n && startedAt > 0n ? Number(startedAt) : 'down'
}

/** Null: it proves a price. */
export function stalenessReason(
  round: OracleRound | null,
  {
    clock,
    staleSeconds,
    sequencer,
  }: { clock: Pick<Clock, 'now' | 'steady'>; staleSeconds: number; sequencer: SequencerState },
): StalePrice | null {
  if (round === null) return 'unanswered'
  if (sequencer === 'down') return 'sequencer down'
  const now = lowerBoundNow(clock) / 1_000
  if (sequencer !== null && now - sequencer < graceSeconds) return 'sequencer just back'
  if (now - round.updatedAt > staleSeconds) return 'stale'
  return isDatedAhead(round, clock) ? 'dated ahead' : null
}

/** `blockAt`: epoch s; null: the node does not report it. */
export const isBlockOld = (blockAt: number | null, clock: Pick<Clock, 'now' | 'steady'>): boolean =>
  blockAt === null || lowerBoundNow(clock) / 1_000 - blockAt > blockSecondsMax

/** It cannot have been written yet. */
export const isDatedAhead = (
  { updatedAt }: Pick<OracleRound, 'updatedAt'>,
  clock: Pick<Clock, 'now' | 'steady'>,
): boolean => updatedAt - upperBoundNow(clock) / 1_000 > aheadSeconds
