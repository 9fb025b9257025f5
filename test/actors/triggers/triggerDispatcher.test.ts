import { expect, it } from 'vitest'
import { ArmedSet } from '#actors/triggers/armedOrders'
import { TriggerDispatcher } from '#actors/triggers/triggerDispatcher'
import type { Decision } from '#orders/triggers/decision'
import type { WatchedOrder } from '#storage/postgres/conditional/find'

const order: WatchedOrder = {
  id: '0a7b8f5e-6c1f-4a52-9d0e-0c5f1f6f2a11',
  account_id: 'a',
  status: 'armed',
  fire_mode: 'client',
  venue: 'lab',
  market_id: 'm',
  outcome_id: 'o',
  trigger_rule: {
    at: '2026-06-01T12:00:00.000Z',
    reference: 'mark',
    confirmations: 1,
    dwellMs: 0,
    maxSpread: 1,
    minSize: 0,
  },
  expires_at: new Date('2026-06-02T12:00:00Z'),
  changed_in: '1',
  trail_best: null,
}
const at = '2026-06-01T12:00:00.100Z'
const evidence: Decision['evidence'] = {
  bookTime: at,
  reference: 'mark',
  referencePrice: 0.5,
  samples: 1,
  firstSampleAt: at,
  lastSampleAt: at,
  spread: 0.01,
  size: 5,
  sequence: 1,
  at: '2026-06-01T12:00:00.000Z',
  readAt: at,
}

it('a time that was decided by a book whose proof has expired waits until it is proven, or the decision is withdrawn', async () => {
  const book = { isProven: false }
  const written: string[] = []
  let monotonic = 0
  let now = Date.parse(evidence.at!)
  const set = new ArmedSet({
    engine: { arm: () => undefined, disarm: () => undefined },
    slotOf: () => ({ slot: 1, generation: 1 }),
    isProven: () => book.isProven,
  })
  const dispatcher = new TriggerDispatcher({
    store: {
      triggerUnlessRecalled: async (decisions) => {
        written.push(...decisions.map(({ id }) => id))
        return { rows: [], turns: [], held: [], stopped: [] }
      },
    },
    set,
    now: () => now,
    monotonic: () => monotonic,
    isAwake: () => true,
  })
  const decide = (serial: number) =>
    dispatcher.receive({ decisions: [{ handle: 0, serial, evidence }], withdrawn: [], bests: [] })
  set.put(order, { bookId: 'o', complement: false })
  expect(decide(1)).toBe(true)
  const nextInMs = (await dispatcher.run())!
  expect(nextInMs).toBeGreaterThan(0)
  expect(written).toEqual([])
  monotonic += nextInMs
  book.isProven = true
  // The worker's clock is ahead of the one of all processes.
  now -= 1
  monotonic += (await dispatcher.run())!
  expect(written).toEqual([])
  now += 1
  expect(await dispatcher.run()).toBeNull()
  expect(written).toEqual([order.id])

  book.isProven = false
  set.put({ ...order, changed_in: '2' }, { bookId: 'o', complement: false })
  dispatcher.receive({ decisions: [{ handle: 1, serial: 2, evidence }], withdrawn: [], bests: [] })
  await dispatcher.run()
  expect(dispatcher.waitingCount).toBe(1)
  dispatcher.receive({ decisions: [], withdrawn: [{ handle: 1, serial: 2 }], bests: [] })
  book.isProven = true
  monotonic += 10_000
  expect(await dispatcher.run()).toBeNull()
  expect(written).toHaveLength(1)
})
