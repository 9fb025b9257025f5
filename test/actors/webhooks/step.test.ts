import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  backoffCapMs,
  type DeliveryMessage,
  type DeliveryPace,
  healthStates,
  initialDeliveryState,
  stepDeliveries,
} from '#actors/webhooks/step'

const pace: DeliveryPace = {
  pollMs: 100,
  slots: { good: { young: 4, total: 8 }, new: { young: 2, total: 4 }, bad: { young: 1, total: 2 } },
}
const wantedAll = [
  { standing: 'good', count: 4 },
  { standing: 'new', count: 2 },
  { standing: 'bad', count: 1 },
]
const nothing: DeliveryMessage = { kind: 'looked', ok: true, claimed: [], more: false }

describe('the step of deliveries', () => {
  it('polls for as many as there are slots, one poll at a time, then after a pause', () => {
    const state = initialDeliveryState()
    expect(stepDeliveries(pace, state, { kind: 'start' })).toEqual([{ kind: 'look', wanted: wantedAll }])
    expect(stepDeliveries(pace, state, nothing)).toEqual([{ kind: 'dueIn', delayMs: 100 }])
    expect(stepDeliveries(pace, state, { kind: 'due' })).toEqual([{ kind: 'look', wanted: wantedAll }])
    expect(stepDeliveries(pace, state, { kind: 'due' })).toEqual([])
  })

  it('polls again immediately when there was more, or something changed meanwhile', () => {
    const state = initialDeliveryState()
    stepDeliveries(pace, state, { kind: 'start' })
    expect(stepDeliveries(pace, state, { ...nothing, more: true })).toMatchObject([{ kind: 'look' }])
    stepDeliveries(pace, state, { ...nothing, claimed: ['new', 'new'] })
    stepDeliveries(pace, state, { kind: 'due' })
    expect(stepDeliveries(pace, state, { kind: 'ended', health: 'new', aged: false })).toEqual([])
    expect(stepDeliveries(pace, state, nothing)).toMatchObject([
      { kind: 'look', wanted: [{ count: 4 }, { count: 1 }, { count: 1 }] },
    ])
  })

  it('frees the slot of an attempt that aged, up to the total', () => {
    const state = initialDeliveryState()
    stepDeliveries(pace, state, { kind: 'start' })
    for (const round of [1, 2]) {
      stepDeliveries(pace, state, { ...nothing, claimed: ['new', 'new'] })
      expect(stepDeliveries(pace, state, { kind: 'aged', health: 'new' }), `round ${round}`).toMatchObject([
        { kind: 'look' },
      ])
      stepDeliveries(pace, state, { kind: 'aged', health: 'new' })
    }
    // Four attempts no longer count as young: the total is reached. Nothing of that row is requested until one ends; the other rows are
    // unaffected.
    stepDeliveries(pace, state, nothing)
    stepDeliveries(pace, state, nothing)
    expect(stepDeliveries(pace, state, { kind: 'due' })).toEqual([
      {
        kind: 'look',
        wanted: [
          { standing: 'good', count: 4 },
          { standing: 'new', count: 0 },
          { standing: 'bad', count: 1 },
        ],
      },
    ])
  })

  it('waits longer after each failed poll, up to the maximum', () => {
    const state = initialDeliveryState()
    const delays = Array.from({ length: 12 }, () => stepDeliveries(pace, state, { kind: 'looked', ok: false })[0])
    expect(delays.slice(0, 2)).toEqual([
      { kind: 'dueIn', delayMs: 200 },
      { kind: 'dueIn', delayMs: 400 },
    ])
    expect(delays.at(-1)).toEqual({ kind: 'dueIn', delayMs: backoffCapMs })
    stepDeliveries(pace, state, nothing)
    expect(state.failures).toBe(0)
  })

  it('runs one poll at a time, exceeds no slots and never gets stuck, in any order of messages', () => {
    const word = fc.record({
      pick: fc.nat(),
      kind: fc.constantFrom('look', 'fail', 'age', 'end', 'due'),
      claims: fc.array(fc.constantFrom(...healthStates), { maxLength: 8 }),
    })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), (script) => {
        const state = initialDeliveryState()
        let looking: readonly { standing: string; count: number }[] | null = null
        let timer = false
        const live: { health: (typeof healthStates)[number]; aged: boolean }[] = []
        const send = (message: DeliveryMessage): void => {
          for (const effect of stepDeliveries(pace, state, message)) {
            if (effect.kind === 'dueIn') timer = true
            else {
              expect(looking).toBeNull()
              looking = effect.wanted
              timer = false
            }
          }
        }
        send({ kind: 'start' })
        for (const { pick, kind, claims } of script) {
          if (looking !== null && (kind === 'look' || kind === 'fail')) {
            const left = new Map(
              (looking as { standing: string; count: number }[]).map((one) => [one.standing, one.count]),
            )
            looking = null
            const claimed = claims.filter((health) => {
              const freeSlots = left.get(health)!
              left.set(health, freeSlots - 1)
              return freeSlots > 0
            })
            if (kind === 'fail') send({ kind: 'looked', ok: false })
            else {
              live.push(...claimed.map((health) => ({ health, aged: false })))
              send({ kind: 'looked', ok: true, claimed, more: false })
            }
          }
          const slot = live[pick % Math.max(1, live.length)]
          if (kind === 'age' && slot !== undefined && !slot.aged) {
            slot.aged = true
            send({ kind: 'aged', health: slot.health })
          }
          if (kind === 'end' && slot !== undefined) {
            live.splice(live.indexOf(slot), 1)
            send({ kind: 'ended', ...slot })
          }
          if (kind === 'due' && timer) {
            timer = false
            send({ kind: 'due' })
          }
          for (const health of healthStates) {
            const mine = live.filter((one) => one.health === health)
            const young = mine.filter(({ aged }) => !aged).length
            expect(state.slots[health]).toEqual({ young, total: mine.length })
            expect(young).toBeLessThanOrEqual(pace.slots[health].young)
            expect(mine.length).toBeLessThanOrEqual(pace.slots[health].total)
          }
          expect(looking !== null || timer).toBe(true)
        }
      }),
    )
  })
})
