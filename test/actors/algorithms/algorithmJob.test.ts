import { expect, it } from 'vitest'
import { type AlgorithmJobOptions, startAlgorithmJob } from '#actors/algorithms/algorithmJob'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { AlgorithmRow } from '#storage/postgres/algorithms/algorithmRow'

/** `<venue> <name>`, or a name alone. */
const rowOf = (id: string) => ({ id, venue: id.split(' ')[0] }) as AlgorithmRow

function scene(due: string[][]) {
  const taken: Parameters<AlgorithmJobOptions['store']['takeDue']>[0][] = []
  const held: (() => void)[] = []
  const clock = Object.assign(new ManualClock(), { align: async () => undefined })
  const stepped: string[] = []
  let looks = 0
  let failing = false
  const job = startAlgorithmJob({
    store: {
      async takeDue(options) {
        looks++
        taken.push(options)
        if (failing) throw new Error('the database is away')
        return (due.shift() ?? []).map(rowOf)
      },
    },
    async step({ id }) {
      stepped.push(id)
      if (id.includes('slow')) await new Promise<void>((resolve) => held.push(resolve))
      if (id === 'broken') throw new Error('it cannot be recorded')
      return id === 'last' ? 'ended' : 'stepped'
    },
    clock,
    log: silentLog,
  })
  /** After everything that is under way. */
  const quiet = async () => {
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    ...{ job, clock, stepped, quiet, taken },
    release: () => {
      for (const end of held.splice(0)) end()
    },
    looks: () => looks,
    fail: (fails: boolean) => {
      failing = fails
    },
  }
}

it('takes steps until nothing is due, and looks again later', async () => {
  const due = [['a', 'b'], ['a']]
  const { job, clock, stepped, quiet, looks } = scene(due)
  await quiet()
  expect(stepped).toEqual(['a', 'b', 'a'])
  due.push(['last'])
  clock.advance(500)
  await quiet()
  expect(stepped.at(-1)).toBe('last')
  expect(job.stats()).toEqual({ stepped: 3, ended: 1, lost: 0, failed: 0 })
  await job.stop()
  const before = looks()
  clock.advance(10_000)
  await quiet()
  expect(looks()).toBe(before)
})

it('goes on after a step that failed, and after a look that failed', async () => {
  const due = [['broken', 'a']]
  const { job, clock, stepped, quiet, fail } = scene(due)
  await quiet()
  expect(job.stats()).toMatchObject({ stepped: 1, failed: 1 })
  fail(true)
  clock.advance(500)
  await quiet()
  fail(false)
  due.push(['b'])
  clock.advance(500)
  await quiet()
  expect(stepped).toEqual(['broken', 'a', 'b'])
  await job.stop()
})

it('takes other steps while one does not end, with what is left of the limits', async () => {
  const due = [['kalshi slow', 'novig a']]
  const { job, clock, stepped, quiet, taken, release } = scene(due)
  await quiet()
  due.push(['novig a', 'kalshi slow 2'])
  clock.advance(500)
  await quiet()
  expect(stepped).toEqual(['kalshi slow', 'novig a', 'novig a', 'kalshi slow 2'])
  expect(taken[0]).toMatchObject({ limit: 60, venueLimit: { max: 10, running: {} } })
  expect(taken.at(-1)).toMatchObject({ limit: 58, venueLimit: { max: 10, running: { kalshi: 2 } } })
  let isStopped = false
  const stopping = job.stop().then(() => {
    isStopped = true
  })
  await quiet()
  expect(isStopped).toBe(false)
  release()
  await stopping
  expect(job.stats()).toMatchObject({ stepped: 4 })
})

it('looks no further while as many steps as it takes at once are in progress', async () => {
  const due = [Array.from({ length: 60 }, (_, number) => `venue${number} slow`)]
  const { job, clock, quiet, looks, release } = scene(due)
  await quiet()
  const before = looks()
  clock.advance(500)
  await quiet()
  expect(looks()).toBe(before)
  release()
  await quiet()
  expect(looks()).toBeGreaterThan(before)
  await job.stop()
})
