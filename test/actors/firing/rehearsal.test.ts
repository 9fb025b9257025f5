import { expect, it } from 'vitest'
import { rehearseEveryMs, startRehearsal } from '#actors/firing/rehearsal'
import { ManualClock } from '#lib/clock'
import { silentLog } from '#lib/log'

it('is gone through on two connections, six times at the start and then every ten seconds, also after one that failed', async () => {
  const clock = new ManualClock(0)
  const told: number[] = []
  let isAway = false
  const rehearsal = startRehearsal({
    async fire() {
      told.push(clock.now())
      if (isAway) throw new Error('away')
    },
    clock,
    log: silentLog,
  })
  const settled = () => new Promise((resume) => setImmediate(resume))
  await settled()
  expect(told.splice(0)).toEqual(Array.from({ length: 12 }, () => 0))
  isAway = true
  clock.advance(rehearseEveryMs)
  await settled()
  expect(told.splice(0)).toEqual([10_000, 10_000])
  isAway = false
  clock.advance(rehearseEveryMs)
  await settled()
  expect(told.splice(0)).toEqual([20_000, 20_000])
  await rehearsal.stop()
  clock.advance(10 * rehearseEveryMs)
  await settled()
  expect(told).toEqual([])
})
