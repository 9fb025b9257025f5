// When a chain is read, and how much of it at once.
import { describe, expect, test } from 'vitest'
import { type ChainTapeMessage, initialChainTapeState, spanMax, stepChainTape } from '#actors/chainTape/step'

const pace = { blockMs: 250, random: () => 0 }
function told(...messages: ChainTapeMessage[]) {
  const state = initialChainTapeState()
  const effects = messages.map((message) => stepChainTape(pace, state, message))
  return { state, effects, last: effects.at(-1)! }
}
const ready: ChainTapeMessage[] = [{ kind: 'start' }, { kind: 'ready' }]
const done = (result: Extract<ChainTapeMessage, { kind: 'done' }>['result']): ChainTapeMessage => ({
  kind: 'done',
  result,
})
const failed = (isRefusal = false): ChainTapeMessage => ({ kind: 'failed', isRefusal })

describe('a turn', () => {
  test('follows the kept position, and is never taken twice at once', () => {
    expect(told({ kind: 'start' }).last).toEqual([{ kind: 'prepare' }])
    expect(told(...ready).last).toEqual([{ kind: 'scan', span: 256 }])
    expect(told(...ready, { kind: 'due' }).last).toEqual([])
  })

  test('comes at once while there is more, and rests at the head, however fast the blocks are', () => {
    expect(told(...ready, done('more')).last).toEqual([{ kind: 'dueIn', delayMs: 0 }])
    for (const result of ['atHead', 'waiting', 'doubt'] as const)
      expect(told(...ready, done(result)).last).toEqual([{ kind: 'dueIn', delayMs: 3_000 }])
  })

  test('is tried again ever more rarely where the node stays behind or silent, also before the first', () => {
    const waits = (message: ChainTapeMessage) => {
      const { effects } = told(
        ...ready,
        ...Array.from({ length: 10 }, () => [message, { kind: 'due' } as const]).flat(),
      )
      return effects.flat().flatMap((effect) => (effect.kind === 'dueIn' ? [effect.delayMs] : []))
    }
    for (const message of [failed(), done('behind')]) {
      const delays = waits(message)
      expect(delays).toEqual(delays.toSorted((a, b) => a - b))
      expect(delays.at(-1)).toBe(30_000)
    }
    expect(told({ kind: 'start' }, failed(), { kind: 'due' }).last).toEqual([{ kind: 'prepare' }])
  })
})

describe('a range', () => {
  test('is halved with every failure, to one block, and doubled with every success, to its bound', () => {
    const spans = (...messages: ChainTapeMessage[]) => told(...ready, ...messages).state.span
    expect(spans(failed(), { kind: 'due' }, failed())).toBe(64)
    expect(spans(...Array.from({ length: 20 }, () => failed()))).toBe(1)
    expect(spans(...Array.from({ length: 20 }, () => done('more')))).toBe(spanMax)
    expect(spans(done('waiting'), done('behind'), done('doubt'))).toBe(256)
  })

  test('that the node refuses is asked for in halves soon; one block that it refuses waits like any failure', () => {
    expect(told(...ready, failed(true)).last).toEqual([{ kind: 'dueIn', delayMs: 3_000 }])
    const { state } = told(...ready)
    state.span = 1
    state.failures = 5
    expect(stepChainTape(pace, state, failed(true))).toEqual([{ kind: 'dueIn', delayMs: 30_000 }])
  })
})
