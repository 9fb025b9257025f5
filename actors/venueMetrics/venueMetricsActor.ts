// The daily job of one venue's figures: checks what is due, collects it, and checks again when something new may be available.
import { type Actor, spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { type GatherPorts, gather } from './collect.ts'
import {
  initialVenueMetricsState,
  stepVenueMetrics,
  type VenueMetricsEffect,
  type VenueMetricsMessage,
} from './step.ts'

export interface VenueMetricsJobOptions {
  venue: string
  ports: GatherPorts
  clock: Clock
  log: Log
}

export interface VenueMetricsJob {
  actor: Actor<VenueMetricsMessage>
  stop(): Promise<void>
}

export function spawnVenueMetrics(
  parent: Supervisor,
  { venue, ports, clock, log }: VenueMetricsJobOptions,
): VenueMetricsJob {
  const abort = new AbortController()
  let timer: Timer | null = null
  let collecting: Promise<void> = Promise.resolve()

  async function collect(): Promise<void> {
    try {
      const outcome = await gather({ venue, ports, clock, log, stopped: abort.signal })
      actor.send({ kind: 'collected', outcome })
    } catch (err) {
      if (!abort.signal.aborted) log.warn({ venue, err }, 'failed to update the figures of a venue')
      actor.send({ kind: 'collected', outcome: { kind: 'incomplete' } })
    }
  }

  function perform(effect: VenueMetricsEffect): void {
    if (abort.signal.aborted) return
    if (effect.kind === 'collect') {
      collecting = collect()
      return
    }
    timer?.cancel()
    timer = clock.after(effect.delayMs, () => actor.send({ kind: 'due' }))
  }

  const actor = spawnActor(
    parent,
    {
      name: `venue metrics ${venue}`,
      initial: initialVenueMetricsState,
      step: (state, message: VenueMetricsMessage) => stepVenueMetrics(state, message),
      perform,
      start: { kind: 'start' },
      release: () => timer?.cancel(),
    },
    { clock, log },
  )
  return {
    actor,
    async stop() {
      abort.abort()
      actor.stop()
      await collecting
      timer?.cancel()
    },
  }
}
