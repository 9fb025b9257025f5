import { expect, it } from 'vitest'
import { startAlgorithmJob } from '#actors/algorithms/algorithmJob'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { AlgorithmRow } from '#storage/postgres/algorithms/algorithmRow'

const rowOf = (id: string) => ({ id }) as AlgorithmRow

function scene(due: string[][]) {
  const clock = Object.assign(new ManualClock(), { align: async () => undefined })
  const stepped: string[] = []
  let looks = 0
  let failing = false
  const job = startAlgorithmJob({
    store: {
      async takeDue() {
        looks++
        if (failing) throw new Error('the database is away')
        return (due.shift() ?? []).map(rowOf)
      },
    },
    async step({ id }) {
      stepped.push(id)
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
    ...{ job, clock, stepped, quiet },
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
  expect([stepped, looks()]).toEqual([['a', 'b', 'a'], 3])
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
