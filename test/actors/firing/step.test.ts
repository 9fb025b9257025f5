import { expect, it } from 'vitest'
import { backoffCapMs, type FiringState, initialFiringState, stepFiring } from '#actors/firing/step'

const pace = { pollMs: 500, atOnce: 4 }
const step = (state: FiringState, message: Parameters<typeof stepFiring>[2]) => stepFiring(pace, state, message)
const idle = { kind: 'dueIn', delayMs: 500 }
const looked = (claimed: number) => ({ kind: 'looked', ok: true, claimed }) as const

it('polls once at a time, and polls again for orders that triggered meanwhile', () => {
  const state = initialFiringState()
  expect(step(state, { kind: 'start' })).toEqual([{ kind: 'look', limit: 4 }])
  expect(step(state, { kind: 'woken' })).toEqual([])
  expect(step(state, { kind: 'woken' })).toEqual([])
  expect(step(state, looked(0))).toEqual([{ kind: 'look', limit: 4 }])
  expect(step(state, looked(0))).toEqual([idle])
  expect(step(state, { kind: 'woken' })).toEqual([{ kind: 'look', limit: 4 }])
})

it('works on the maximum number at once, and takes one more for each that ends', () => {
  const state = initialFiringState()
  step(state, { kind: 'start' })
  expect(step(state, looked(3))).toEqual([{ kind: 'look', limit: 1 }])
  expect(step(state, looked(1))).toEqual([idle])
  expect(step(state, { kind: 'woken' })).toEqual([idle])
  expect(step(state, { kind: 'ended' })).toEqual([{ kind: 'look', limit: 1 }])
})

it('waits longer after each failed poll, up to the maximum', () => {
  const state = initialFiringState()
  const delays = Array.from({ length: 12 }, () => {
    step(state, { kind: 'due' })
    step(state, { kind: 'woken' })
    return step(state, { kind: 'looked', ok: false })[0]
  })
  expect(delays.slice(0, 2)).toEqual([
    { kind: 'dueIn', delayMs: 1_000 },
    { kind: 'dueIn', delayMs: 2_000 },
  ])
  expect(delays.at(-1)).toEqual({ kind: 'dueIn', delayMs: backoffCapMs })
})
