// When a chain is read, and how many blocks at once.
import { describe, expect, test } from 'vitest'
import { type ChainTapeMessage, initialChainTapeState, spanMax, stepChainTape } from '#actors/chainTape/step'

const pace = { blockMs: 250, random: () => 0 }
function stepAll(...messages: ChainTapeMessage[]) {
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

describe('a read', () => {
  test('starts at the stored position, and never overlaps another', () => {
    expect(stepAll({ kind: 'start' }).last).toEqual([{ kind: 'prepare' }])
    expect(stepAll(...ready).last).toEqual([{ kind: 'scan', span: 256 }])
    expect(stepAll(...ready, { kind: 'due' }).last).toEqual([])
  })

  test('follows immediately while there is more, and waits at the head, however fast the blocks come', () => {
    expect(stepAll(...ready, done('more')).last).toEqual([{ kind: 'dueIn', delayMs: 0 }])
    for (const result of ['atHead', 'waiting', 'doubt'] as const)
      expect(stepAll(...ready, done(result)).last).toEqual([{ kind: 'dueIn', delayMs: 3_000 }])
  })

  test('is retried with growing delays while the node stays behind or does not answer, also before the first success', () => {
    const waits = (message: ChainTapeMessage) => {
      const { effects } = stepAll(
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
    expect(stepAll({ kind: 'start' }, failed(), { kind: 'due' }).last).toEqual([{ kind: 'prepare' }])
  })
})

describe('a range', () => {
  test('is halved with every failure, down to one block, and doubled with every success, up to its maximum', () => {
    const spans = (...messages: ChainTapeMessage[]) => stepAll(...ready, ...messages).state.span
    expect(spans(failed(), { kind: 'due' }, failed())).toBe(64)
    expect(spans(...Array.from({ length: 20 }, () => failed()))).toBe(1)
    expect(spans(...Array.from({ length: 20 }, () => done('more')))).toBe(spanMax)
    expect(spans(done('waiting'), done('behind'), done('doubt'))).toBe(256)
  })

  test('is retried in halves soon when the node refuses it; a refused single block waits like any failure', () => {
    expect(stepAll(...ready, failed(true)).last).toEqual([{ kind: 'dueIn', delayMs: 3_000 }])
    const { state } = stepAll(...ready)
    state.span = 1
    state.failures = 5
    expect(stepChainTape(pace, state, failed(true))).toEqual([{ kind: 'dueIn', delayMs: 30_000 }])
  })
})
