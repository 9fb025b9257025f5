import { describe, expect, it } from 'vitest'
import {
  debounceMs,
  initialTriggersState,
  pollBackoffMaxMs,
  quietPeriodMs,
  retryMaxMs,
  stepTriggers,
  type TriggersEffect,
  type TriggersMessage,
} from '#actors/triggers/step'

function world() {
  const state = initialTriggersState()
  return (message: TriggersMessage, now = 0): TriggersEffect[] =>
    stepTriggers({ lookEveryMs: 250 }, state, message, now)
}
const failed = { kind: 'failed', reason: 'hung' } as const

describe('the triggers', () => {
  it('poll again after each poll, one at a time, with growing delays while polls fail', () => {
    const tell = world()
    expect(tell({ kind: 'start' })).toEqual([{ kind: 'startEngine' }, { kind: 'look' }])
    expect(tell({ kind: 'due' })).toEqual([])
    expect(tell({ kind: 'looked', ok: true })).toEqual([{ kind: 'dueIn', delayMs: 250 }])
    const delays = Array.from({ length: 8 }, () => {
      expect(tell({ kind: 'due' })).toEqual([{ kind: 'look' }])
      return tell({ kind: 'looked', ok: false })
    })
    expect(delays.slice(0, 3).flat()).toEqual([500, 1_000, 2_000].map((delayMs) => ({ kind: 'dueIn', delayMs })))
    expect(delays.at(-1)).toEqual([{ kind: 'dueIn', delayMs: pollBackoffMaxMs }])
  })

  it('poll soon after a notification, once for many, and not before the retry delay while polls fail', () => {
    const tell = world()
    const soon = [{ kind: 'dueIn', delayMs: debounceMs }]
    tell({ kind: 'start' })
    expect(tell({ kind: 'rung' })).toEqual([])
    expect(tell({ kind: 'looked', ok: true })).toEqual(soon)
    expect(tell({ kind: 'rung' })).toEqual([])
    expect(tell({ kind: 'due' })).toEqual([{ kind: 'look' }])
    expect(tell({ kind: 'looked', ok: true })).toEqual([{ kind: 'dueIn', delayMs: 250 }])
    expect(tell({ kind: 'rung' })).toEqual(soon)
    expect(tell({ kind: 'rung' })).toEqual([])
    tell({ kind: 'due' })
    tell({ kind: 'looked', ok: false })
    expect(tell({ kind: 'rung' })).toEqual([])
  })

  it('restart a lost worker immediately, and later each time it is lost again, until one was stable for a while', () => {
    const tell = world()
    tell({ kind: 'start' })
    const forget = { kind: 'forget', reason: 'hung' }
    expect(tell(failed)).toEqual([forget, { kind: 'startEngine' }])
    expect(tell(failed)).toEqual([forget, { kind: 'restartIn', delayMs: 200 }])
    expect(tell(failed)).toEqual([])
    expect(tell({ kind: 'restart' })).toEqual([{ kind: 'startEngine' }])
    expect(tell(failed)).toEqual([forget, { kind: 'restartIn', delayMs: 400 }])
    tell({ kind: 'restart' })
    expect(tell(failed, quietPeriodMs)).toEqual([forget, { kind: 'startEngine' }])
  })

  it('hand over one batch after the other, and wait while the store is unavailable', () => {
    const tell = world()
    expect(tell({ kind: 'decided' })).toEqual([{ kind: 'handOver' }])
    expect(tell({ kind: 'decided' })).toEqual([])
    expect(tell({ kind: 'handed', ok: true, nextInMs: 0 })).toEqual([{ kind: 'handOver' }])
    expect(tell({ kind: 'handed', ok: true, nextInMs: null })).toEqual([])
    expect(tell({ kind: 'decided' })).toEqual([{ kind: 'handOver' }])
    expect(tell({ kind: 'handed', ok: false })).toEqual([{ kind: 'retryIn', delayMs: 100 }])
    expect(tell({ kind: 'decided' })).toEqual([])
    for (let i = 0; i < 8; i++) {
      expect(tell({ kind: 'retry' })).toEqual([{ kind: 'handOver' }])
      tell({ kind: 'handed', ok: false })
    }
    tell({ kind: 'retry' })
    expect(tell({ kind: 'handed', ok: false })).toEqual([{ kind: 'retryIn', delayMs: retryMaxMs }])
    expect(tell({ kind: 'retry' })).toEqual([{ kind: 'handOver' }])
  })

  it('hand over again when a postponed decision is due, and sooner when others arrive', () => {
    const tell = world()
    tell({ kind: 'decided' })
    expect(tell({ kind: 'handed', ok: true, nextInMs: 50 })).toEqual([{ kind: 'retryIn', delayMs: 50 }])
    expect(tell({ kind: 'decided' })).toEqual([{ kind: 'handOver' }])
    expect(tell({ kind: 'retry' })).toEqual([])
    expect(tell({ kind: 'handed', ok: true, nextInMs: 40 })).toEqual([{ kind: 'retryIn', delayMs: 40 }])
    expect(tell({ kind: 'retry' })).toEqual([{ kind: 'handOver' }])
  })
})
