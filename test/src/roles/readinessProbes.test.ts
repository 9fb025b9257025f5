import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createMetrics } from '#roles/metrics'
import { measureProbes, provenByWork, startProbes } from '#roles/readinessProbes'

/** A dependency that answers, refuses or does not respond. */
function part(name: string) {
  const state = { behaviour: 'answers' as 'answers' | 'refuses' | 'silent', calls: 0, closed: 0, aborted: 0 }
  return {
    state,
    probe: {
      part: name,
      check(signal: AbortSignal): Promise<void> {
        state.calls++
        signal.addEventListener('abort', () => state.aborted++)
        if (state.behaviour === 'answers') return Promise.resolve()
        return state.behaviour === 'refuses' ? Promise.reject(new Error('refused')) : new Promise(() => undefined)
      },
      async close() {
        state.closed++
      },
    },
  }
}

async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    clock.advance(100)
    await setImmediate()
  }
}

it.each(['refuses', 'silent'] as const)(
  'reports a dependency that %s as lost within five seconds, and as recovered within five',
  async (behaviour) => {
    const clock = new ManualClock()
    const [lost, other] = [part('postgres'), part('clickhouse')]
    const probes = startProbes([lost.probe, other.probe], { clock, log: silentLog })
    expect(probes.parts()).toEqual({ postgres: true, clickhouse: true })
    await pass(clock, 60_000)
    expect(probes.parts()).toEqual({ postgres: true, clickhouse: true })
    lost.state.behaviour = behaviour
    await pass(clock, 4_000)
    expect(probes.parts()).toEqual({ postgres: false, clickhouse: true })
    await pass(clock, 60_000)
    expect(probes.parts()).toEqual({ postgres: false, clickhouse: true })
    // Timed-out probes are aborted, and no probe waits for another.
    expect(lost.state.aborted).toBeGreaterThanOrEqual(lost.state.calls - 1)
    lost.state.behaviour = 'answers'
    await pass(clock, 4_000)
    expect(probes.parts()).toEqual({ postgres: true, clickhouse: true })
    await probes.stop()
    expect([clock.pendingCount, lost.state.closed, other.state.closed]).toEqual([0, 1, 1])
  },
)

it('reports Kafka as lost when brokers respond but the process’s own connections carry nothing', async () => {
  const clock = new ManualClock()
  const brokers = part('kafka')
  let works = true
  const probes = startProbes([provenByWork(brokers.probe, { works: () => works })], { clock, log: silentLog })
  await pass(clock, 2_000)
  expect(probes.parts()).toEqual({ kafka: true })
  works = false
  await pass(clock, 2_000)
  expect(probes.parts()).toEqual({ kafka: false })
  works = true
  await pass(clock, 2_000)
  expect(probes.parts()).toEqual({ kafka: true })
  brokers.state.behaviour = 'refuses'
  await pass(clock, 2_000)
  expect(probes.parts()).toEqual({ kafka: false })
  await probes.stop()
  expect(brokers.state.closed).toBe(1)
})

it('exports each dependency as a series of the metric', async () => {
  const metrics = createMetrics()
  measureProbes(metrics, { parts: () => ({ postgres: true, kafka: false }) })
  const { text } = await metrics.text()
  metrics.stop()
  expect(text).toContain('crossbook_dependency_up{dependency="postgres"} 1\n')
  expect(text).toContain('crossbook_dependency_up{dependency="kafka"} 0\n')
})
