import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { idsPerStatement, lookUpsWaitingMax, type OutcomeKey, OutcomeLookUps } from '#marketData/catalog/outcomeLoader'

/** The test answers the statements; every outcome except those named `ghost…` has one row. */
function world() {
  const clock = new ManualClock()
  const statements: { ids: string[]; answer(): void; fail(error: Error): void }[] = []
  const lookUps = new OutcomeLookUps<OutcomeKey>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<OutcomeKey[]>()
    statements.push({
      ids: keys.map(({ outcomeId }) => outcomeId),
      answer: () => resolve(keys.filter(({ outcomeId }) => !outcomeId.startsWith('ghost'))),
      fail: reject,
    })
    return promise
  }, clock)
  return { clock, statements, lookUps }
}

const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

async function answerAll({ statements }: ReturnType<typeof world>, done: Promise<unknown>): Promise<void> {
  let over = false
  const end = done.then(() => {
    over = true
  })
  for (let next = 0; !over; await Promise.resolve()) while (next < statements.length) statements[next++]!.answer()
  await end
}

describe('OutcomeLookUps', () => {
  it('loads the ids of one event-loop turn in as few statements as possible, each id once', async () => {
    const run = world()
    const ids = [...names('a', 150), ...names('ghost', 100), 'a0']
    const found = Promise.all(ids.map((id) => run.lookUps.find('v', id)))
    await answerAll(run, found)
    expect((await found).map((rows) => rows.length)).toEqual(ids.map((id) => (id.startsWith('ghost') ? 0 : 1)))
    expect(run.statements).toHaveLength(3)
    expect(run.statements.every(({ ids }) => ids.length <= idsPerStatement && new Set(ids).size === ids.length)).toBe(
      true,
    )
  })

  it('lets a single lookup wait for at most two statements of a caller with thousands', async () => {
    const run = world()
    const many = Promise.all(names('a', 3_000).map((id) => run.lookUps.find('v', id, run)))
    await Promise.resolve()
    const one = run.lookUps.find('v', 'mine', {})
    await answerAll(run, Promise.all([many, one]))
    expect(run.statements.findIndex(({ ids }) => ids.includes('mine'))).toBe(2)
  })

  it('fails only the lookups of a failed statement, and rejects lookups when too many wait or when they wait too long', async () => {
    const { clock, statements, lookUps } = world()
    const outcomes: string[] = []
    const note = (id: string): void => {
      lookUps.find('v', id).then(
        () => outcomes.push('found'),
        (error: { code?: string; message: string }) => outcomes.push(error.code ?? error.message),
      )
    }
    for (const id of names('a', lookUpsWaitingMax + 1)) note(id)
    await Promise.resolve()
    clock.advance(5_001)
    statements[0]!.fail(new Error('broken'))
    statements[1]!.answer()
    const count = (what: string) => outcomes.filter((outcome) => outcome === what).length
    await expect.poll(() => outcomes.length).toBe(lookUpsWaitingMax + 1)
    expect([count('broken'), count('found'), count('CATALOG_UNAVAILABLE')]).toEqual([100, 100, lookUpsWaitingMax - 199])
    note('later')
    await expect.poll(() => statements.length).toBe(3)
    statements[2]!.answer()
    await expect.poll(() => count('found')).toBe(101)
  })
})
