// The sports engine's job: follows the catalog, lets the engine work on its thread, and writes what changed. Between passes it reports that it is
// alive.

import { initialRunState, type RunEffect, type RunMessage, type RunPace, stepRuns } from '#actors/runtime/scheduledJob'
import { type Actor, spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { SportsPiece, SportsThread, SportsTotals } from '#sports/index'
import type { Pool } from '#storage/postgres/pool'
import { heartbeatSports, writeSportsRun } from '#storage/postgres/sports/index'
import { CatalogFollower } from './catalogChangeReader.ts'

const beatMs = 10_000
/** When nothing was written, it still records that it ran. */
export const sportsPace: RunPace = { intervalMs: 30_000, retryBaseMs: 2_000 }
const dayMs = 86_400_000

export interface SportsOptions {
  pool: Pool
  thread: SportsThread
  /** Slugs of the participating venues. */
  venues: readonly string[]
  clock: Clock
  log: Log
}

export interface SportsStats {
  /** Totals after the last pass; null before the first. */
  totals: SportsTotals | null
  /** When the last pass was written, on the monotonic clock; null before the first. */
  writtenAt: number | null
  /** Since the last successful pass. */
  failures: number
}

export interface Sports {
  actor: Actor<RunMessage>
  stats(): SportsStats
  stop(): Promise<void>
}

export function spawnSports(parent: Supervisor, { pool, thread, venues, clock, log }: SportsOptions): Sports {
  const follower = new CatalogFollower(pool, thread, venues)
  let timer: Timer | null = null
  let working: Promise<void> = Promise.resolve()
  let beating: Promise<void> | null = null
  let stopped = false
  const stats: SportsStats = { totals: null, writtenAt: null, failures: 0 }

  /** What a pass writes; at its end, removals of what an earlier process left behind. */
  async function* piecesToWrite(counts: { changed: number; removed: number }): AsyncIterable<SportsPiece> {
    const built = new Set<string>()
    for await (const piece of thread.pieces()) {
      if (piece.kind === 'changed') for (const { head } of piece.records) built.add(head.fixtureId)
      counts[piece.kind] += piece.kind === 'changed' ? piece.records.length : piece.ids.length
      yield piece
    }
    const ids = follower.leftBehind(built)
    counts.removed += ids.length
    if (ids.length > 0) yield { kind: 'removed', ids }
  }

  async function pass(): Promise<void> {
    const startedAt = clock.monotonic()
    let ok = false
    try {
      const readAt = clock.now()
      await follower.follow()
      const totals = await thread.run(Math.floor(readAt / dayMs))
      const counts = { changed: 0, removed: 0 }
      await writeSportsRun(pool, { readAt, totals }, piecesToWrite(counts), () => clock.now())
      await thread.written()
      follower.forgetLeftBehind()
      Object.assign(stats, { totals, writtenAt: clock.monotonic(), failures: 0 })
      if (counts.changed + counts.removed > 0) log.info({ ...counts, ...totals }, 'fixtures built')
      ok = true
    } catch (error) {
      // A pass cut off by the end of its process is not a failure of the engine.
      if (stopped) return
      stats.failures++
      log.warn({ err: error }, 'failed to build fixtures; will retry')
    }
    actor.send({ kind: 'finished', ok, startedAt })
  }

  /** An outage is reported by the pass that meets it. */
  function beat(): void {
    beating ??= heartbeatSports(pool, clock.now())
      .catch((error: unknown) => log.debug({ err: error }, 'failed to record the sports engine’s heartbeat'))
      .finally(() => {
        beating = null
      })
  }

  function perform(effect: RunEffect): void {
    if (stopped) return
    timer?.cancel()
    if (effect.kind === 'run') working = pass()
    else timer = clock.after(effect.delayMs, () => actor.send({ kind: 'due' }))
  }

  const actor = spawnActor(
    parent,
    {
      name: 'sports',
      initial: initialRunState,
      step: (state, message: RunMessage, now) => stepRuns(sportsPace, state, message, now),
      perform,
      start: { kind: 'start' },
      release: () => timer?.cancel(),
    },
    { clock, log },
  )
  const heart = clock.every(beatMs, beat)
  return {
    actor,
    stats: () => ({ ...stats }),
    async stop() {
      stopped = true
      timer?.cancel()
      heart.cancel()
      actor.stop()
      // Aborts a pass; what it had begun to write is rolled back.
      await thread.stop()
      await working
      await beating
    },
  }
}
