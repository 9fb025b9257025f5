import { expect, it } from 'vitest'
import { failureCapMs, initialTradersState, stepTraders, type TradersMessage } from '#actors/traders/step'

const pace = { rollUpMs: 2_000 }
const pass = [{ kind: 'pass' }]

it('rolls up immediately and repeatedly while there is more, and then pauses', () => {
  const state = initialTradersState()
  const send = (message: TradersMessage) => stepTraders(pace, state, message)
  expect(send({ kind: 'start' })).toEqual(pass)
  expect(send({ kind: 'due' })).toEqual([])
  expect(send({ kind: 'passed', ok: true, more: true })).toEqual(pass)
  expect(send({ kind: 'passed', ok: true, more: false })).toEqual([{ kind: 'dueIn', delayMs: 2_000 }])
  expect(send({ kind: 'due' })).toEqual(pass)
})

it('waits longer after each failed pass, and normally after a successful one', () => {
  const state = initialTradersState()
  const failed = () => {
    stepTraders(pace, state, { kind: 'due' })
    return stepTraders(pace, state, { kind: 'passed', ok: false })
  }
  expect([failed(), failed(), failed()].flat()).toEqual(
    [4_000, 8_000, 16_000].map((delayMs) => ({ kind: 'dueIn', delayMs })),
  )
  for (let n = 0; n < 100; n++) failed()
  expect(failed()).toEqual([{ kind: 'dueIn', delayMs: failureCapMs }])
  stepTraders(pace, state, { kind: 'due' })
  expect(stepTraders(pace, state, { kind: 'passed', ok: true, more: false })).toEqual([
    { kind: 'dueIn', delayMs: 2_000 },
  ])
})
