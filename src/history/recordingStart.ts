// Since when and until when an outcome is taped, by kind of row: distinguishes "nothing traded" from "not watched" and "not read yet".
// Candles derive from trades. Why this is reported together with the rows: docs/decisions/0019-coverage-and-watermarks.md
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { withTimeout } from '#core/withTimeout'
import type { OutcomeFacts, OutcomeName } from './outcomeStats.ts'
import type { ReplayKind } from './tape.ts'

export interface RecordedSpan {
  /** ISO; `never` if rows of this kind are not taped. */
  since: string
  /** ISO; later trades may not have been read yet. Null for books, and if nothing is taped. */
  until: string | null
}

/** Null if not known in time. Never rejects. */
export type RecordingStart = (venue: string, outcome: OutcomeName, kind: ReplayKind) => Promise<RecordedSpan | null>

/** `until`, if the requested window reaches beyond it. */
export const watermarkWithin = (span: RecordedSpan | null, untilMs: number): string | null =>
  span !== null && span.until !== null && Date.parse(span.until) < untilMs ? span.until : null

/** How long a finished page waits for it, milliseconds. */
const waitMs = 150

export const createTapedSince =
  ({
    facts,
    clock,
    log,
  }: {
    facts: Pick<OutcomeFacts, 'findCoverage' | 'findDepthSince'>
    clock: Clock
    log: Log
  }): RecordingStart =>
  async (venue, outcome, kind) => {
    try {
      if (kind === 'l2') {
        const found = await withTimeout(clock, waitMs, facts.findDepthSince(venue, [outcome]))
        return found === null ? null : { since: isoOrNever(found.get(outcome.outcomeId)), until: null }
      }
      const found = await withTimeout(clock, waitMs, facts.findCoverage(venue, [outcome], clock.now()))
      if (found === null) return null
      const coverage = found.get(outcome.outcomeId)
      return kind === 'tob'
        ? { since: coverage?.tapeSince ?? 'never', until: null }
        : { since: coverage?.tradesSince ?? 'never', until: coverage?.tradesUntil ?? null }
    } catch (error) {
      log.warn({ venue, err: error }, 'failed to read since when an outcome is taped')
      return null
    }
  }

const isoOrNever = (ms: number | undefined): string => (ms === undefined ? 'never' : new Date(ms).toISOString())
