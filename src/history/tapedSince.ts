// Since when an outcome is taped, by kind of row: what tells "nothing traded" from "nobody looked". Candles are made of trades.
// Why it is said beside the rows: docs/decisions/0019-never-taped-is-not-nothing-traded.md
import type { Clock } from '#lib/clock'
import { inTime } from '#lib/inTime'
import type { Log } from '#lib/log'
import type { OutcomeFacts, OutcomeName } from './outcomeFacts.ts'
import type { ReplayKind } from './tape.ts'

/** ISO; `never` where rows of this kind are not taped; null where that is not known in time. Never rejects. */
export type TapedSince = (venue: string, outcome: OutcomeName, kind: ReplayKind) => Promise<string | null>

/** A page that is ready does not wait longer for it, milliseconds. */
const waitMs = 150

export const createTapedSince =
  ({ facts, clock, log }: { facts: Pick<OutcomeFacts, 'findCoverage'>; clock: Clock; log: Log }): TapedSince =>
  async (venue, outcome, kind) => {
    try {
      const found = await inTime(clock, waitMs, facts.findCoverage(venue, [outcome], clock.now()))
      if (found === null) return null
      const coverage = found.get(outcome.outcomeId)
      return (kind === 'tob' ? coverage?.tapeSince : coverage?.tradesSince) ?? 'never'
    } catch (error) {
      log.warn({ venue, err: error }, 'replay cannot say since when an outcome is taped')
      return null
    }
  }
