// What the only writer of a tape does about a predecessor that ended without notice: its open books get a gap from the time up to which it had
// reported everything as written, and its own mark no longer holds back the tape's.
import type { Clock } from '#lib/clock'
import { venueTaken, writerEnded } from '#schemas/topics'
import type { TapeStore } from './client.ts'
import { insertCoverage } from './coverageInsert.ts'
import { allWritten, insertProgress } from './progress.ts'

const predecessorsSql = `
SELECT writer, until FROM tape_progress FINAL
WHERE until < ${allWritten} AND at < {startedAt:UInt64}
FORMAT JSONEachRow`

/** Books that were covered when this writer started. */
const openBooksSql = `
SELECT venue, outcome_id AS outcomeId, max(at) AS lastAt
FROM coverage
WHERE at < {startedAt:UInt64} AND outcome_id != '${venueTaken}'
GROUP BY venue, outcome_id
HAVING argMax(toInt8(kind), tuple(at, toInt8(kind))) IN (1, 3)
FORMAT JSONEachRow`

/** Epoch ms of `startedAt`: of this writer. Repeating it changes nothing. */
export async function closePredecessors(
  store: Pick<TapeStore, 'insert' | 'rows'>,
  { clock, startedAt }: { clock: Pick<Clock, 'now'>; startedAt: number },
): Promise<void> {
  const dead = await store.rows<{ writer: string; until: number }>(predecessorsSql, { startedAt })
  if (dead.length === 0) return
  const writtenUntil = Math.max(...dead.map(({ until }) => until))
  const open = await store.rows<{ venue: string; outcomeId: string; lastAt: number }>(openBooksSql, { startedAt })
  const gaps = open.map(({ venue, outcomeId, lastAt }) => ({
    venue,
    outcomeId,
    kind: 'gap' as const,
    mechanism: '' as const,
    effectiveIntervalMs: null,
    reason: writerEnded,
    at: Math.max(writtenUntil, lastAt + 1),
  }))
  await insertCoverage(store, gaps, `succession:${startedAt}`)
  for (const { writer } of dead)
    await insertProgress(store, { writer, until: allWritten, at: clock.now() }, `${writer}/succeeded`)
}
