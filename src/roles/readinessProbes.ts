// The dependencies of this process, probed about every second: /ready, /v1/status and the metric are never more than a few seconds behind
// the truth, in either direction. A part that neither answers nor refuses, because it was frozen, counts as lost.
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { type BusHealth, publishWithinMs, readWithinMs } from '#storage/bus/busHealth'
import type { Probe } from '#storage/probe'
import type { Metrics } from './metrics.ts'

const askEveryMs = 1_000
/** With the wait for the next probe this is well below the promised five seconds. */
export const answerWithinMs = 2_000

/** An answer may have arrived while this thread was busy, and is read only after the timer that was due meanwhile. */
const graceMs = 250

export interface ServiceProbes {
  /** True: it answered the last probe. */
  parts(): Record<string, boolean>
  stop(): Promise<void>
}

/** They have all just been opened: each counts as available until found missing. */
export function startProbes(probes: readonly Probe[], { clock, log }: { clock: Clock; log: Log }): ServiceProbes {
  const parts: Record<string, boolean> = Object.fromEntries(probes.map(({ part }) => [part, true]))
  const inFlight = new Set<Probe>()
  let stopped = false

  function report(part: string, there: boolean, error?: unknown): void {
    if (parts[part] === there || stopped) return
    parts[part] = there
    if (there) log.info({ part }, 'a dependency answers again')
    else log.warn({ part, err: error }, 'a dependency does not answer')
  }

  async function runProbe(probe: Probe): Promise<void> {
    const { part } = probe
    const abort = new AbortController()
    let late: Timer | null = null
    const deadline = new Promise<never>((_, reject) => {
      late = clock.after(answerWithinMs, () => {
        late = clock.after(graceMs, () => reject(new Error(`no answer within ${answerWithinMs} ms`)))
      })
    })
    try {
      await Promise.race([probe.check(abort.signal), deadline])
      report(part, true)
    } catch (error) {
      report(part, false, error)
    } finally {
      ;(late as Timer | null)?.cancel()
      abort.abort()
      inFlight.delete(probe)
    }
  }

  const timer = clock.every(askEveryMs, () => {
    for (const probe of probes) {
      if (inFlight.has(probe)) continue
      inFlight.add(probe)
      void runProbe(probe)
    }
  })
  return {
    parts: () => ({ ...parts }),
    async stop() {
      stopped = true
      timer.cancel()
      await Promise.all(probes.map((probe) => probe.close()))
    },
  }
}

/** Brokers that answer a probe prove nothing about the connections that carry the work. */
export const provenByWork = (probe: Probe, health: Pick<BusHealth, 'works'>): Probe => ({
  part: probe.part,
  async check(signal) {
    await probe.check(signal)
    if (health.works()) return
    const [publish, read] = [publishWithinMs / 1_000, readWithinMs / 1_000]
    throw new Error(
      `the brokers answer, but for ${publish} s nothing this process sent was acknowledged, or for ${read} s a topic was not read`,
    )
  },
  close: () => probe.close(),
})

export function measureProbes(metrics: Pick<Metrics, 'gauge'>, probes: Pick<ServiceProbes, 'parts'>): void {
  metrics.gauge('dependency_up', '1 while the dependency answers this process', ['dependency'], () =>
    Object.entries(probes.parts()).map(([dependency, up]) => ({ labels: { dependency }, value: up ? 1 : 0 })),
  )
}
