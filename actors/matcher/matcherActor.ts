// The matcher's job: decides when to run, checks for operators' overrides and decisions, and writes a run-log row for every run.

import { initialRunState, type RunEffect, type RunMessage, type RunPace, stepRuns } from '#actors/runtime/scheduledJob'
import { type Actor, spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { MatchEngine } from '#matching/candidateIndex'
import type { Judge } from '#matching/decide/judge/index'
import type { JobReport } from '#schemas/topics'
import { hasNewOverride } from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import { finishRun, insertRun, type Run } from '#storage/postgres/runLog'
import { createJudgingRounds } from './judgeOpenPairs.ts'
import { MarketBound } from './marketBound.ts'
import { MatcherRuns } from './matcherRuns.ts'
import type { FeeOf } from './priceReview.ts'

/** Name of the job in the run log; `matcher.run.completed` is made from its rows. */
export const matcherJob = 'matcher.run'
const lookMs = 2_000
/** A run that takes longer is stopped. A full one over 16 venues takes minutes on a busy machine. */
export const runDeadlineMs = 20 * 60_000
const retryBaseMs = 5_000

const overdueWords = `it took longer than ${runDeadlineMs / 60_000} minutes and was stopped`

export interface MatcherOptions {
  pool: Pool
  engine: MatchEngine
  /** Slugs of the participating venues. */
  venues: readonly string[]
  /** Limit of compared markets, of all venues together. */
  marketsMax: number
  pace: Pick<RunPace, 'intervalMs'>
  /** Taker fees, for the review of prices. */
  feeOf: FeeOf
  clock: Clock
  log: Log
  /** Decides on what runs leave open; default: none. */
  judge?: Judge
  /** Health of its runs, updated after each. */
  report?(report: JobReport): void
  /** Called once per run. */
  countRun?(outcome: 'ok' | 'failed' | 'overdue'): void
}

export interface Matcher {
  actor: Actor<RunMessage>
  /** Active markets that are not compared, as of the last run. */
  leftOut(): number
  stop(): Promise<void>
}

export function spawnMatcher(parent: Supervisor, options: MatcherOptions): Matcher {
  const { pool, engine, clock, log } = options
  const pace: RunPace = { ...options.pace, retryBaseMs }
  const bound = new MarketBound(options)
  const runs = new MatcherRuns({ ...options, bound })
  // Like new rows, decisions wait for the end of a run in progress.
  const decided = (): void => actor.send({ kind: 'catalogWritten' })
  const judging =
    options.judge === undefined ? null : createJudgingRounds({ pool, judge: options.judge, clock, log, decided })
  let timer: Timer | null = null
  let working: Promise<void> = Promise.resolve()
  let looking: Promise<void> | null = null
  let stopped = false

  async function run(): Promise<void> {
    const startedAt = clock.now()
    const begunAt = clock.monotonic()
    let begun: Run | null = null
    let ok = false
    let overdue = false
    const deadline = clock.after(runDeadlineMs, () => {
      overdue = true
      engine.abort()
    })
    const report = (state: 'ok' | 'failing', reason: string | null) => {
      options.countRun?.(overdue ? 'overdue' : ok ? 'ok' : 'failed')
      options.report?.({ job: 'matcher', venue: null, state, reason, at: clock.now() })
    }
    try {
      begun = await insertRun(pool, matcherJob, startedAt)
      if (overdue) throw new Error(overdueWords)
      const row = await runs.run(begun)
      ok = row?.ok === true
      log.info({ runId: begun.id, ...row?.counts }, 'markets matched')
      report(ok ? 'ok' : 'failing', ok ? null : 'the last run was not completed')
      if (ok) judging?.start()
    } catch (error) {
      // A run cut off by the end of its process is not a failure of the matcher; its row stays open.
      if (stopped) return
      const message = overdue ? overdueWords : error instanceof Error ? error.message : String(error)
      log.warn({ runId: begun?.id ?? null, err: error, overdue }, 'matching failed; will retry')
      if (begun !== null) await recordFailure(begun, message)
      report('failing', `the last run failed: ${message}`)
    } finally {
      deadline.cancel()
    }
    actor.send({ kind: 'finished', ok, startedAt: begunAt })
  }

  async function recordFailure(begun: Run, message: string): Promise<void> {
    try {
      await finishRun(pool, begun, { finishedAt: clock.now(), ok: false, counts: { error: message } })
    } catch (failure) {
      log.warn({ runId: begun.id, err: failure }, 'failed to log the failed run')
    }
  }

  /** An outage is reported by the run that meets it. */
  function look(): void {
    looking ??= Promise.all([hasNewOverride(pool), runs.hasNewReview()])
      .then(
        (due) => {
          if (due.includes(true) && !stopped) actor.send({ kind: 'wanted' })
        },
        (error: unknown) => log.debug({ err: error }, 'failed to check for overrides and decisions'),
      )
      .finally(() => {
        looking = null
      })
  }

  function perform(effect: RunEffect): void {
    if (stopped) return
    timer?.cancel()
    if (effect.kind === 'run') working = run()
    else timer = clock.after(effect.delayMs, () => actor.send({ kind: 'due' }))
  }

  const actor = spawnActor(
    parent,
    {
      name: 'matcher',
      initial: initialRunState,
      step: (state, message: RunMessage, now) => stepRuns(pace, state, message, now),
      perform,
      start: { kind: 'start' },
      release: () => timer?.cancel(),
    },
    { clock, log },
  )
  const watch = clock.every(lookMs, look)
  return {
    actor,
    leftOut: () => bound.leftOut,
    async stop() {
      stopped = true
      timer?.cancel()
      watch.cancel()
      actor.stop()
      // Aborts a run; what it had staged is rolled back.
      await Promise.all([engine.stop(), judging?.stop()])
      await working
      await looking
    },
  }
}
