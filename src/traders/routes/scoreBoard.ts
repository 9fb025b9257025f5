// Wallets by our score.
import type { RouteAnswer } from '#server/http/defineRoute'
import { allTime, fromRecord, informedness, noRecord, scoped } from '../disclaimers.ts'
import type { Traders } from '../traders.ts'
import { answer } from './shapes.ts'

export async function scoreBoard(
  { record, clock }: Traders,
  venues: readonly string[],
  limit: number,
  notes: readonly string[] = [],
): Promise<RouteAnswer> {
  const rows = record === null || venues.length === 0 ? [] : await record.listScores({ venues, limit })
  const since = rows.length === 0 ? null : await record!.since()
  return answer(rows, {
    asOf: oldest(rows.map(({ asOf }) => Date.parse(asOf))) ?? clock.now(),
    source: 'archive',
    notes: [
      ...notes,
      ...(record === null ? [noRecord] : [fromRecord('Figures in stats', since)]),
      allTime,
      informedness,
      scoped,
    ],
  })
}

const oldest = (moments: readonly number[]): number | null => (moments.length === 0 ? null : Math.min(...moments))
