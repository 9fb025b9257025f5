import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Matcher, matcherJob, runDeadlineMs, spawnMatcher } from '#actors/matcher/matcherActor'
import { start, stop } from '#actors/system'
import { matchesForbid, matchesPin, matchesWithdraw } from '#cli/matches'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { templateKey } from '#matching/decide/templates/templatePair'
import type { StoredCluster } from '#schemas/matches'
import type { JobReport } from '#schemas/topics'
import { hasNewOverride, insertTemplateDecisions, latestRunId } from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import { findRuns } from '#storage/postgres/runLog'
import { walkLabCatalogs } from '#test/support/labCatalogs'
import { listMarkets, prizes } from '#test/support/matchCatalog'
import { withPostgres } from '#test/support/postgres'
import { findClusters } from '#test/support/storedClusters'
import { startMatchEngine } from '#workers/matchEngine'

const shut: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of shut.splice(0)) await close()
})

/** Generous, because other suites share the machine. */
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 20_000 })

function job(pool: Pool, workerFile?: string) {
  const reports: JobReport[] = []
  const outcomes: string[] = []
  const system = start()
  const clock = new ManualClock()
  const matcher: Matcher = spawnMatcher(system, {
    pool,
    engine: startMatchEngine(workerFile === undefined ? {} : { filename: workerFile }),
    venues: ['polymarket', 'kalshi'],
    marketsMax: 1_000,
    pace: { intervalMs: 60_000 },
    feeOf: () => ({ kind: 'none' }),
    clock,
    log: silentLog,
    report: (report) => void reports.push(report),
    countRun: (outcome) => void outcomes.push(outcome),
  })
  const close = async () => {
    await matcher.stop()
    stop(system)
    expect(clock.pendingCount).toBe(0)
  }
  shut.push(close)
  /** Resolves with the newest row once this many runs have finished. */
  const runs = (count: number) =>
    vi.waitFor(
      async () => {
        const rows = await findRuns(pool, matcherJob, 100)
        expect(rows.filter((row) => row.finished_at !== null)).toHaveLength(count)
        return rows[0]!
      },
      { timeout: 20_000, interval: 20 },
    )
  return { clock, matcher, runs, close, reports, outcomes }
}

const membersOf = (clusters: readonly StoredCluster[]) =>
  clusters.map(({ members }) => members.map(({ venue, marketId }) => `${venue}:${marketId}`)).sort()

/** The next run: advances the clock until it has begun. */
async function nextRun({ clock, runs }: ReturnType<typeof job>, count: number) {
  await eventually(() => expect(clock.pendingCount).toBeGreaterThan(1))
  clock.advance(60_000)
  return runs(count)
}

describe('two venues', () => {
  const postgres = withPostgres()

  test('finds the pairs, writes a row to the run log, and keeps every id in the next run', async () => {
    const { pool } = postgres
    await listMarkets(pool, prizes)
    const matching = job(pool)
    const row = await matching.runs(1)
    expect(row).toMatchObject({ job: 'matcher.run', ok: true, counts: { markets: 6, clusters: 2, verified: 2 } })
    const first = await findClusters(pool)
    expect(first.runId).toBe(row.id)
    expect(membersOf(first.clusters)).toEqual([
      ['kalshi:KXKROLL-27-JL', 'polymarket:102'],
      ['kalshi:KXKROLL-27-MK', 'polymarket:101'],
    ])
    expect(first.clusters[0]!.pairs[0]).toMatchObject({ score: 100, band: 'verified', relation: 'identity' })
    expect((await nextRun(matching, 2)).counts).toMatchObject({ changed: 0, clusters: 2 })
    const second = await findClusters(pool)
    expect(second.clusters).toEqual(first.clusters)
    expect(second.runId).not.toBe(first.runId)
    // Also true for a newly started process.
    await matching.close()
    await job(pool).runs(3)
    expect((await findClusters(pool)).clusters).toEqual(first.clusters)
  })

  test('drops the cluster of a closed market, and restores it under the old id', async () => {
    const { pool } = postgres
    const before = (await findClusters(pool)).clusters
    const matching = job(pool)
    await matching.runs(4)
    await listMarkets(pool, [{ ...prizes[1]!, status: 'closed' }])
    await nextRun(matching, 5)
    expect(membersOf((await findClusters(pool)).clusters)).toEqual([['kalshi:KXKROLL-27-JL', 'polymarket:102']])
    await listMarkets(pool, [prizes[1]!])
    expect((await nextRun(matching, 6)).counts).toMatchObject({ changed: 1 })
    expect((await findClusters(pool)).clusters).toEqual(before)
  })

  test('matches after a catalog was written, before the interval is over', async () => {
    const { pool } = postgres
    const matching = job(pool)
    await matching.runs(7)
    const title = 'Will Ada Berg win the 2027 Kroll Prize?'
    await listMarkets(pool, [
      { venue: 'kalshi', id: 'KXKROLL-27-AB', title },
      { venue: 'polymarket', id: '104', title },
    ])
    matching.matcher.actor.send({ kind: 'catalogWritten' })
    await eventually(async () => {
      matching.clock.advance(1_000)
      expect(membersOf((await findClusters(pool)).clusters)).toContainEqual(['kalshi:KXKROLL-27-AB', 'polymarket:104'])
    })
    await listMarkets(pool, [
      { venue: 'kalshi', id: 'KXKROLL-27-AB', title, status: 'closed' },
      { venue: 'polymarket', id: '104', title, status: 'closed' },
    ])
  })
})

describe('operators', () => {
  const postgres = withPostgres()
  const [keller, other] = ['kalshi:KXKROLL-27-MK', 'polymarket:101']

  test('applies forbid and pin overrides in an immediate run, and returns to the matcher’s result when they are withdrawn', async () => {
    const { pool } = postgres
    await listMarkets(pool, prizes)
    const matching = job(pool)
    await matching.runs(1)
    const before = (await findClusters(pool)).clusters
    const heeded = async (count: number) => {
      // Two seconds until the actor checks for overrides, not the whole interval.
      await eventually(async () => {
        matching.clock.advance(2_000)
        expect((await findRuns(pool, matcherJob, 1))[0]!.counts).not.toEqual({})
        expect(await findRuns(pool, matcherJob, 100)).toHaveLength(count)
      })
      await matching.runs(count)
      return (await findClusters(pool)).clusters
    }
    await matchesForbid(pool, keller, other, { reason: 'another prize', by: 'ann' })
    expect(membersOf(await heeded(2))).toEqual([['kalshi:KXKROLL-27-JL', 'polymarket:102']])

    await matchesPin(pool, 'polymarket:103', 'kalshi:KXMEAD-27', { reason: 'the same bill', by: 'ann' })
    const pinned = await heeded(3)
    expect(membersOf(pinned)).toContainEqual(['kalshi:KXMEAD-27', 'polymarket:103'])
    expect(pinned.flatMap(({ pairs }) => pairs).find(({ override }) => override !== null)).toMatchObject({
      override: 'pinned',
      band: 'verified',
      score: 100,
      resolution: { compatible: true, reason: 'pinned by an operator: the same bill' },
    })

    await matchesWithdraw(pool, keller, other, { reason: 'it was the same', by: 'ben' })
    await matchesWithdraw(pool, 'kalshi:KXMEAD-27', 'polymarket:103', { reason: 'it was not', by: 'ben' })
    expect(await heeded(4)).toEqual(before)
  })

  test('inverts the member of an inverse pin', async () => {
    const { pool } = postgres
    const matching = job(pool)
    await matching.runs(5)
    await matchesPin(pool, 'polymarket:103', 'kalshi:KXMEAD-27', {
      reason: 'the opposite',
      by: 'ann',
      polarity: 'inverse',
    })
    await nextRun(matching, 6)
    const { clusters } = await findClusters(pool)
    const mead = clusters.find(({ members }) => members.some(({ marketId }) => marketId === '103'))
    expect(mead?.members.map(({ polarity }) => polarity)).toEqual(['same', 'inverse'])
    expect(mead?.pairs).toMatchObject([{ polarity: 'inverse', relation: 'complement' }])
  })

  test('runs at once after a decision on a template pair, and not again', async () => {
    const { pool } = postgres
    const matching = job(pool)
    await matching.runs(7)
    const texts = { a: 'Will {person} win?', b: '{person} wins?' }
    const common = { ...texts, key: templateKey(texts), reasons: [], evidence: [], examples: [] }
    await insertTemplateDecisions(pool, [
      { ...common, action: 'decide', verdict: 'same', relation: 'identity', decidedBy: 'ann', recordedBy: 'ann' },
    ])
    expect(await hasNewOverride(pool)).toBe(true)
    await eventually(async () => {
      matching.clock.advance(2_000)
      expect(await findRuns(pool, matcherJob, 100)).toHaveLength(8)
    })
    await matching.runs(8)
    expect(await hasNewOverride(pool)).toBe(false)
  })
})

describe('failures', () => {
  const postgres = withPostgres()
  const failing = fileURLToPath(new URL('./failing.worker.ts', import.meta.url))
  const hanging = fileURLToPath(new URL('./hanging.worker.ts', import.meta.url))

  test('records a failed run and keeps the old clusters when the thread dies', async () => {
    const { pool } = postgres
    await listMarkets(pool, prizes)
    const good = job(pool)
    await good.runs(1)
    await good.close()
    const before = await findClusters(pool)
    const bad = job(pool, failing)
    const row = await bad.runs(2)
    expect(row).toMatchObject({ job: 'matcher.run', ok: false })
    expect(row.counts.error).toContain('out of memory')
    expect(await findClusters(pool)).toEqual(before)
    // It keeps trying, each time with a new thread.
    await eventually(async () => {
      bad.clock.advance(5_000)
      expect((await findRuns(pool, matcherJob, 9)).length).toBeGreaterThan(2)
    })
  })

  test('stops a run that takes too long, records and reports it as failed, and runs again afterwards', async () => {
    const { pool } = postgres
    await listMarkets(pool, prizes)
    const before = (await findRuns(pool, matcherJob, 100)).length
    const overdue = job(pool, hanging)
    await eventually(async () => expect(await findRuns(pool, matcherJob, 100)).toHaveLength(before + 1))
    const reason = 'it took longer than 20 minutes and was stopped'
    await eventually(async () => {
      overdue.clock.advance(runDeadlineMs)
      const row = (await findRuns(pool, matcherJob, 100)).find(({ counts }) => counts.error === reason)
      expect(row).toMatchObject({ ok: false })
    })
    expect(overdue.reports[0]).toMatchObject({
      job: 'matcher',
      state: 'failing',
      reason: `the last run failed: ${reason}`,
    })
    expect(overdue.outcomes[0]).toBe('overdue')
  })

  test('does not report a run as failed that was cut off by the end of its process', async () => {
    const { pool } = postgres
    const known = new Set((await findRuns(pool, matcherJob, 100)).map(({ id }) => id))
    const before = await findClusters(pool)
    const cut = job(pool)
    await eventually(async () =>
      expect((await findRuns(pool, matcherJob, 1))[0]!.id).not.toSatisfy((id: string) => known.has(id)),
    )
    await cut.close()
    const [row] = await findRuns(pool, matcherJob, 1)
    expect(row!.ok).not.toBe(false)
    expect((await findClusters(pool)).clusters).toEqual(before.clusters)
    await pool.query('DELETE FROM run_log WHERE finished_at IS NULL')
  })

  test('fails one of two jobs that store at the same time, and reports it', async () => {
    const { pool } = postgres
    const count = (await findRuns(pool, matcherJob, 100)).length
    const before = await latestRunId(pool)
    const hold = await pool.connect()
    try {
      // Both have read what the last run stored before either may write.
      await hold.query('BEGIN')
      // The pause lasts until the jobs have come this far.
      await hold.query('SET LOCAL idle_in_transaction_session_timeout = 0')
      await hold.query('LOCK TABLE match_state IN SHARE ROW EXCLUSIVE MODE')
      const jobs = [job(pool), job(pool)]
      await eventually(async () => {
        const { rows } = await pool.query<{ waiting: number }>(
          `SELECT count(*)::int AS waiting FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
           WHERE c.relname = 'match_state' AND NOT l.granted`,
        )
        expect(rows[0]!.waiting).toBe(2)
      })
      await hold.query('COMMIT')
      await jobs[0]!.runs(count + 2)
    } finally {
      hold.release()
    }
    const rows = (await findRuns(pool, matcherJob, 2)).sort((a, b) => Number(a.ok) - Number(b.ok))
    expect(rows.map(({ ok }) => ok)).toEqual([false, true])
    expect(rows[0]!.counts.error).toContain('another process stored run')
    expect(await latestRunId(pool)).toBe(rows[1]!.id)
    expect(rows[1]!.id).not.toBe(before)
  })
})

describe('the lab', () => {
  const postgres = withPostgres()

  test('lists questions on both venues that the job matches as verified, with the same source', async () => {
    const { pool } = postgres
    await walkLabCatalogs(pool)
    await job(pool).runs(1)
    const { clusters } = await findClusters(pool)
    const verified = clusters.filter(({ pairs }) => pairs.some(({ band }) => band === 'verified'))
    expect(verified.length).toBeGreaterThan(20)
    expect(verified.every(({ pairs }) => pairs[0]!.resolutionEquivalence === 'verified')).toBe(true)
    expect(verified.map(({ question }) => question)).toContainEqual(expect.stringContaining('Bitcoin'))
  })
})
