import { describe, expect, it } from 'vitest'
import { idsPerStatement, lookUpsWaitingMax, type OutcomeKey, OutcomeLookUps } from '#catalog/outcomeLoader'
import { ManualClock } from '#lib/clock'

/** Statements are answered by the test; every outcome but those called `ghost…` has one row. */
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
  it('asks for what one turn wants in as few statements as there can be, each id once', async () => {
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

  it('who asks for one waits for two statements at most behind who asks for thousands', async () => {
    const run = world()
    const many = Promise.all(names('a', 3_000).map((id) => run.lookUps.find('v', id, run)))
    await Promise.resolve()
    const one = run.lookUps.find('v', 'mine', {})
    await answerAll(run, Promise.all([many, one]))
    expect(run.statements.findIndex(({ ids }) => ids.includes('mine'))).toBe(2)
  })

  it('a statement that fails fails those it asked for; too many, or too old, are refused', async () => {
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
