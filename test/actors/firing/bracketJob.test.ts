import { expect, it } from 'vitest'
import { startBracketJob } from '#actors/firing/bracketJob'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { BracketRow } from '#storage/postgres/brackets/bracketRow'
import { firstWaiting, lastWaiting } from '#storage/postgres/brackets/dueBrackets'

const rowOf = (id: string) => ({ id }) as BracketRow
const twenty = Array.from({ length: 20 }, (_, i) => `full ${i}`)

/** `due`: what each query for due brackets returns. `expired`: what each expiry returns. `ends`: of the pages of those that wait. */
function scene(due: string[][], expired: number[] = [], ends: string[] = []) {
  const clock = Object.assign(new ManualClock(), { align: async () => undefined })
  const armed: string[] = []
  const queries = { due: 0, expired: 0 }
  const failing = { is: false }
  const pages: unknown[] = []
  let ended: Promise<void> | null = null
  const job: ReturnType<typeof startBracketJob> = startBracketJob({
    store: {
      endOfWaitingPage: async () => ends.shift() ?? lastWaiting,
      async takeDue({ page }) {
        pages.push(page)
        queries.due++
        if (failing.is) throw new Error('the database is away')
        return (due.shift() ?? []).map(rowOf)
      },
      async expire() {
        queries.expired++
        return expired.shift() ?? 0
      },
    },
    async arm({ id }) {
      armed.push(id)
      if (id === 'broken') throw new Error('it cannot be recorded')
      if (id === 'last') ended = job.stop()
      return 'armed'
    },
    clock,
    log: silentLog,
  })
  /** After everything that is under way. */
  const quiet = async () => {
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
  }
  const later = async () => {
    clock.advance(1_000)
    await quiet()
  }
  return { job, armed, queries, pages, failing, quiet, later, clock, ended: () => ended }
}

it('continues at once after a full batch, of due brackets and of expired ones, and otherwise a second later', async () => {
  const { job, armed, queries, quiet, later } = scene([twenty, ['a'], ['b']], [20, 3])
  await quiet()
  expect(armed).toEqual([...twenty, 'a'])
  expect(queries).toEqual({ due: 2, expired: 2 })
  await later()
  expect(armed.at(-1)).toBe('b')
  expect(queries).toEqual({ due: 3, expired: 3 })
  await job.stop()
})

it('continues after a bracket that failed, and after a query that failed', async () => {
  const { job, armed, failing, quiet, later } = scene([['broken', 'a'], ['b']])
  await quiet()
  failing.is = true
  await later()
  failing.is = false
  await later()
  expect(armed).toEqual(['broken', 'a', 'b'])
  await job.stop()
})

it('stops after a batch that is being armed, and queries nothing afterwards', async () => {
  const batch = [...twenty.slice(1), 'last']
  const { armed, queries, quiet, clock, ended } = scene([batch, ['a']])
  await quiet()
  await ended()
  clock.advance(10_000)
  await quiet()
  expect(armed).toEqual(batch)
  expect(queries).toEqual({ due: 1, expired: 0 })
})

it('looks at those that wait in pages, and begins again after the last one', async () => {
  const end = '88888888-8888-4888-8888-888888888888'
  const { job, pages, quiet, later } = scene([twenty, ['a']], [], [end])
  await quiet()
  await later()
  await later()
  expect(pages).toEqual([
    { after: firstWaiting, until: end },
    { after: firstWaiting, until: end },
    { after: end, until: lastWaiting },
    { after: firstWaiting, until: lastWaiting },
  ])
  await job.stop()
})
