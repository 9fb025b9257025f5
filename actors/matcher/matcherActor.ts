// The matcher's job: decides when to run, looks for operators' overrides, and writes a run-log row for every run.
import { initialRunState, type RunEffect, type RunMessage, type RunPace, stepRuns } from '#actors/runtime/catalogRuns'
import type { ActorSystemRef } from '#actors/runtime/nact'
import { type Actor, spawnStepper } from '#actors/runtime/spawnStepper'
import type { Clock, Timer } from '#lib/clock'
import type { Log } from '#lib/log'
import type { MatchEngine } from '#matching/index'
import { hasNewOverride } from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import { finishRun, insertRun } from '#storage/postgres/runLog'
import { MatcherRuns } from './matcherRuns.ts'

/** Name of the job in the run log; `matcher.run.completed` is made from its rows. */
export const matcherJob = 'matcher.run'
const lookMs = 2_000
const retryBaseMs = 5_000

export interface MatcherOptions {
  pool: Pool
  engine: MatchEngine
  /** Slugs of the participating venues. */
  venues: readonly string[]
  pace: Pick<RunPace, 'intervalMs'>
  clock: Clock
  log: Log
}

export interface Matcher {
  actor: Actor<RunMessage>
  stop(): Promise<void>
}

export function spawnMatcher(system: ActorSystemRef, options: MatcherOptions): Matcher {
  const { pool, engine, clock, log } = options
  const pace: RunPace = { ...options.pace, retryBaseMs }
  const runs = new MatcherRuns(options)
  let timer: Timer | null = null
  let working: Promise<void> = Promise.resolve()
  let looking: Promise<void> | null = null
  let stopped = false

  async function run(): Promise<void> {
    const startedAt = clock.now()
    const begunAt = clock.monotonic()
    let runId: string | null = null
    let ok = false
    try {
      runId = await insertRun(pool, matcherJob, startedAt)
      const row = await runs.run(runId)
      ok = row?.ok === true
      log.info({ runId, ...row?.counts }, 'markets matched')
    } catch (error) {
      // A run cut off by the end of its process is not a failure of the matcher; its row stays open.
      if (stopped) return
      log.warn({ runId, err: error }, 'matching failed; it will be tried again')
      if (runId !== null) await recordFailure(runId, error)
    }
    actor.tell({ kind: 'finished', ok, startedAt: begunAt })
  }

  async function recordFailure(runId: string, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error)
    try {
      await finishRun(pool, runId, { finishedAt: clock.now(), ok: false, counts: { error: message } })
    } catch (failure) {
      log.warn({ runId, err: failure }, 'the failed run could not be logged')
    }
  }

  /** An outage is reported by the run that meets it. */
  function look(): void {
    looking ??= hasNewOverride(pool)
      .then(
        (due) => {
          if (due && !stopped) actor.tell({ kind: 'wanted' })
        },
        (error: unknown) => log.debug({ err: error }, 'overrides could not be looked at'),
      )
      .finally(() => {
        looking = null
      })
  }

  function perform(effect: RunEffect): void {
    if (stopped) return
    timer?.cancel()
    if (effect.kind === 'run') working = run()
    else timer = clock.after(effect.delayMs, () => actor.tell({ kind: 'due' }))
  }

  const actor = spawnStepper(
    system,
    {
      name: 'matcher',
      initial: initialRunState,
      step: (state, message: RunMessage, now) => stepRuns(pace, state, message, now),
      perform,
      start: { kind: 'start' },
      restart: () => timer?.cancel(),
    },
    { clock, log },
  )
  const watch = clock.every(lookMs, look)
  return {
    actor,
    async stop() {
      stopped = true
      timer?.cancel()
      watch.cancel()
      actor.stop()
      // Aborts a run; what it had staged is rolled back.
      await engine.stop()
      await working
      await looking
    },
  }
}
