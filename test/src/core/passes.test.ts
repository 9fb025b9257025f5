import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { createPasses, type PassResult } from '#core/passes'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

function scene() {
  const clock = new ManualClock()
  const ends: ((result: PassResult) => void)[] = []
  const needs = { isNeeded: true }
  const passes = createPasses({
    clock,
    isNeeded: () => needs.isNeeded,
    pass: () => new Promise((resolve) => ends.push(resolve)),
  })
  return {
    clock,
    passes,
    needs,
    /** Passes that began. */
    get begun() {
      return ends.length
    },
    async end(result: Partial<PassResult> = {}) {
      ends.at(-1)!({ restMs: 10, again: false, ...result })
      await settled()
    },
  }
}

it('never runs two passes at once, and runs one more after a pause for all requests meanwhile', async () => {
  const here = scene()
  here.passes.request()
  here.passes.request()
  here.passes.request()
  expect([here.begun, here.passes.isRunning]).toEqual([1, true])
  await here.end()
  expect(here.passes.isRunning).toBe(false)
  here.clock.advance(9)
  expect(here.begun).toBe(1)
  here.clock.advance(1)
  expect(here.begun).toBe(2)
  await here.end()
  here.clock.advance(1_000)
  expect(here.begun).toBe(2)
})

it('repeats a pass that left something to do', async () => {
  const here = scene()
  here.passes.request()
  await here.end({ again: true, restMs: 500 })
  here.clock.advance(500)
  expect(here.begun).toBe(2)
})

it('runs nothing that is not needed, nor after its end', async () => {
  const here = scene()
  here.needs.isNeeded = false
  here.passes.request()
  expect(here.begun).toBe(0)
  here.needs.isNeeded = true
  here.passes.request()
  const stopped = here.passes.stop()
  await here.end({ again: true })
  await stopped
  here.passes.request()
  here.clock.advance(1_000)
  expect([here.begun, here.clock.pendingCount]).toEqual([1, 0])
})
