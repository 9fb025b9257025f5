import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairQueue } from '#net/fairQueue'

const limits = { atOnce: 4, atOncePerParty: 3, waitingMax: 100, patienceMs: 60_000 }
const stays = new AbortController().signal
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('line', () => {
  it('many requests of one party delay neither the first request of another, nor its second by more than one slot', async () => {
    const line = new FairQueue(limits)
    const queued = Array.from({ length: 50 }, () => line.enter('crowd', stays))
    const leaves = await Promise.all(queued.slice(0, 3))
    const first = await line.enter('other', stays)
    expect(first).not.toBeNull()
    let second: (() => void) | null = null
    void line.enter('other', stays).then((leave) => {
      second = leave
    })
    await turn()
    expect(second).toBeNull()
    leaves[0]!()
    await turn()
    expect(second).not.toBeNull()
  })

  it('any order of entering and leaving: limits hold, nothing waits while a slot is free, everything gets in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ party: fc.constantFrom('a', 'b', 'c'), leaves: fc.boolean() }), { maxLength: 80 }),
        async (steps) => {
          const line = new FairQueue(limits)
          const inside: { party: string; leave: () => void }[] = []
          let entered = 0
          let done = 0
          const check = (): void => {
            expect(inside.length).toBeLessThanOrEqual(limits.atOnce)
            for (const name of ['a', 'b', 'c'])
              expect(inside.filter(({ party }) => party === name).length).toBeLessThanOrEqual(limits.atOncePerParty)
          }
          for (const { party, leaves } of steps) {
            entered++
            void line.enter(party, stays).then((leave) => inside.push({ party, leave: leave! }))
            await turn()
            check()
            if (!leaves) continue
            inside.shift()?.leave()
            done++
            await turn()
            check()
          }
          while (inside.length > 0) {
            inside.shift()!.leave()
            done++
            await turn()
            check()
          }
          expect(done).toBe(entered)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('an aborted request is never admitted, and the queue is bounded', async () => {
    const line = new FairQueue({ ...limits, atOnce: 1, waitingMax: 2 })
    const leave = await line.enter('a', stays)
    const impatient = new AbortController()
    const left = line.enter('b', impatient.signal)
    const next = line.enter('c', stays)
    expect(await line.enter('d', stays)).toBeNull()
    impatient.abort()
    expect(await left).toBeNull()
    leave!()
    expect(await next).not.toBeNull()
  })
})
