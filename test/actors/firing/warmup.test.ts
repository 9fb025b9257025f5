import { expect, it } from 'vitest'
import { startWarmup, warmupIntervalMs } from '#actors/firing/warmup'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'

it('runs on two connections, six times at the start and then every ten seconds, also after a failure', async () => {
  const clock = new ManualClock(0)
  const startTimes: number[] = []
  let isAway = false
  const warmup = startWarmup({
    async fire() {
      startTimes.push(clock.now())
      if (isAway) throw new Error('away')
    },
    clock,
    log: silentLog,
  })
  const settled = () => new Promise((resume) => setImmediate(resume))
  await settled()
  expect(startTimes.splice(0)).toEqual(Array.from({ length: 12 }, () => 0))
  isAway = true
  clock.advance(warmupIntervalMs)
  await settled()
  expect(startTimes.splice(0)).toEqual([10_000, 10_000])
  isAway = false
  clock.advance(warmupIntervalMs)
  await settled()
  expect(startTimes.splice(0)).toEqual([20_000, 20_000])
  await warmup.stop()
  clock.advance(10 * warmupIntervalMs)
  await settled()
  expect(startTimes).toEqual([])
})

it('warns once when it begins to fail, and makes up for missing runs of the start', async () => {
  const clock = new ManualClock(0)
  const logged: string[] = []
  const log = { ...silentLog } as Record<string, unknown>
  for (const level of ['warn', 'info'] as const)
    log[level] = (...words: unknown[]) => void logged.push(`${level}: ${words.at(-1)}`)
  let fires = 0
  let isAway = true
  const warmup = startWarmup({
    async fire() {
      fires++
      if (isAway) throw new Error('away')
    },
    clock,
    log: log as unknown as typeof silentLog,
  })
  const settled = () => new Promise((resume) => setImmediate(resume))
  await settled()
  clock.advance(warmupIntervalMs)
  await settled()
  expect(fires).toBe(4)
  expect(logged).toEqual(['warn: warm-up for conditional orders failed; the next submission may be slow'])
  isAway = false
  clock.advance(warmupIntervalMs)
  await settled()
  expect(fires).toBe(4 + 12)
  expect(logged.slice(1)).toEqual(['info: warm-up for conditional orders works again'])
  await warmup.stop()
})

it('ends when stopped, also when only one of two failed', async () => {
  const ends: (() => void)[] = []
  const warmup = startWarmup({
    fire: () => (ends.length === 0 ? new Promise((resume) => ends.push(resume)) : Promise.reject(new Error('away'))),
    clock: new ManualClock(0),
    log: silentLog,
  })
  let stopped = false
  const stopping = warmup.stop().then(() => {
    stopped = true
  })
  await new Promise((resume) => setImmediate(resume))
  expect(stopped).toBe(false)
  ends[0]!()
  await stopping
})
