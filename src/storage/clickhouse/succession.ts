// How the only writer of a tape replaces a predecessor that crashed: its open books get a gap from the time up to which it had reported
// everything as written, and its watermark no longer holds back that of the tape. Over Kafka only the latter: no row is lost there.
import type { Clock } from '#core/clock'
import { takeoverMarker, writerEnded } from '#schemas/topics'
import type { TapeStore } from './client.ts'
import { insertCoverage } from './coverageInsert.ts'
import { allWritten, insertProgress, kafkaLagMs, progressEveryMs } from './watermark.ts'

const predecessorsSql = `
SELECT writer, until, at FROM tape_progress FINAL
WHERE until < ${allWritten} AND at < {startedAt:UInt64}
FORMAT JSONEachRow`

/** Books that were covered when this writer started. */
const openBooksSql = `
SELECT venue, outcome_id AS outcomeId, max(at) AS lastAt
FROM coverage
WHERE at < {startedAt:UInt64} AND outcome_id != '${takeoverMarker}'
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

/**
 * The only reader of the tape over Kafka: what an earlier one read but did not write is read again here, so nothing is lost, and its mark need
 * not hold back the tape's. Unless it was behind: what it had yet to write may be older than this one's own mark says. One that is alive after
 * all reports again within seconds.
 */
export async function endOtherMarks(
  store: Pick<TapeStore, 'insert' | 'rows'>,
  { clock, startedAt, writer }: { clock: Pick<Clock, 'now'>; startedAt: number; writer: string },
): Promise<void> {
  const marks = await store.rows<{ writer: string; until: number; at: number }>(predecessorsSql, { startedAt })
  for (const { writer: other, until, at } of marks) {
    if (other === writer || until < at - kafkaLagMs - progressEveryMs) continue
    await insertProgress(
      store,
      { writer: other, until: allWritten, at: clock.now() },
      `${other}/succeeded:${startedAt}`,
    )
  }
}
