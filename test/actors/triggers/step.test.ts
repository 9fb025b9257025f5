import { describe, expect, it } from 'vitest'
import {
  debounceMs,
  initialTriggersState,
  pollBackoffMaxMs,
  quietPeriodMs,
  retryMaxMs,
  saveBestsMs,
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
    const send = world()
    expect(send({ kind: 'start' })).toEqual([{ kind: 'startEngine' }, { kind: 'look' }])
    expect(send({ kind: 'due' })).toEqual([])
    expect(send({ kind: 'looked', ok: true })).toEqual([{ kind: 'dueIn', delayMs: 250 }])
    const delays = Array.from({ length: 8 }, () => {
      expect(send({ kind: 'due' })).toEqual([{ kind: 'look' }])
      return send({ kind: 'looked', ok: false })
    })
    expect(delays.slice(0, 3).flat()).toEqual([500, 1_000, 2_000].map((delayMs) => ({ kind: 'dueIn', delayMs })))
    expect(delays.at(-1)).toEqual([{ kind: 'dueIn', delayMs: pollBackoffMaxMs }])
  })

  it('poll soon after a notification, once for many, and not before the retry delay while polls fail', () => {
    const send = world()
    const soon = [{ kind: 'dueIn', delayMs: debounceMs }]
    send({ kind: 'start' })
    expect(send({ kind: 'rung' })).toEqual([])
    expect(send({ kind: 'looked', ok: true })).toEqual(soon)
    expect(send({ kind: 'rung' })).toEqual([])
    expect(send({ kind: 'due' })).toEqual([{ kind: 'look' }])
    expect(send({ kind: 'looked', ok: true })).toEqual([{ kind: 'dueIn', delayMs: 250 }])
    expect(send({ kind: 'rung' })).toEqual(soon)
    expect(send({ kind: 'rung' })).toEqual([])
    send({ kind: 'due' })
    send({ kind: 'looked', ok: false })
    expect(send({ kind: 'rung' })).toEqual([])
  })

  it('restart a lost worker immediately, and later each time it is lost again, until one was stable for a while', () => {
    const send = world()
    send({ kind: 'start' })
    const forget = { kind: 'forget', reason: 'hung' }
    expect(send(failed)).toEqual([forget, { kind: 'startEngine' }])
    expect(send(failed)).toEqual([forget, { kind: 'restartIn', delayMs: 200 }])
    expect(send(failed)).toEqual([])
    expect(send({ kind: 'restart' })).toEqual([{ kind: 'startEngine' }])
    expect(send(failed)).toEqual([forget, { kind: 'restartIn', delayMs: 400 }])
    send({ kind: 'restart' })
    expect(send(failed, quietPeriodMs)).toEqual([forget, { kind: 'startEngine' }])
  })

  it('hand over one batch after the other, and wait while the store is unavailable', () => {
    const send = world()
    expect(send({ kind: 'decided' })).toEqual([{ kind: 'handOver' }])
    expect(send({ kind: 'decided' })).toEqual([])
    expect(send({ kind: 'handed', ok: true, nextInMs: 0 })).toEqual([{ kind: 'handOver' }])
    expect(send({ kind: 'handed', ok: true, nextInMs: null })).toEqual([])
    expect(send({ kind: 'decided' })).toEqual([{ kind: 'handOver' }])
    expect(send({ kind: 'handed', ok: false })).toEqual([{ kind: 'retryIn', delayMs: 100 }])
    expect(send({ kind: 'decided' })).toEqual([])
    for (let i = 0; i < 8; i++) {
      expect(send({ kind: 'retry' })).toEqual([{ kind: 'handOver' }])
      send({ kind: 'handed', ok: false })
    }
    send({ kind: 'retry' })
    expect(send({ kind: 'handed', ok: false })).toEqual([{ kind: 'retryIn', delayMs: retryMaxMs }])
    expect(send({ kind: 'retry' })).toEqual([{ kind: 'handOver' }])
  })

  it('hand over again when a postponed decision is due, and sooner when others arrive', () => {
    const send = world()
    send({ kind: 'decided' })
    expect(send({ kind: 'handed', ok: true, nextInMs: 50 })).toEqual([{ kind: 'retryIn', delayMs: 50 }])
    expect(send({ kind: 'decided' })).toEqual([{ kind: 'handOver' }])
    expect(send({ kind: 'retry' })).toEqual([])
    expect(send({ kind: 'handed', ok: true, nextInMs: 40 })).toEqual([{ kind: 'retryIn', delayMs: 40 }])
    expect(send({ kind: 'retry' })).toEqual([{ kind: 'handOver' }])
  })

  it('save best prices at once and then once a second, and later while the store is unavailable', () => {
    const send = world()
    send({ kind: 'start' })
    expect(send({ kind: 'improved' })).toEqual([{ kind: 'saveBestsIn', delayMs: 0 }])
    expect(send({ kind: 'improved' })).toEqual([])
    expect(send({ kind: 'bestsDue' })).toEqual([{ kind: 'saveBests' }])
    expect(send({ kind: 'improved' })).toEqual([])
    expect(send({ kind: 'bestsSaved', ok: true, more: true })).toEqual([{ kind: 'saveBestsIn', delayMs: saveBestsMs }])
    expect(send({ kind: 'bestsDue' }, saveBestsMs)).toEqual([{ kind: 'saveBests' }])
    expect(send({ kind: 'bestsSaved', ok: false }, saveBestsMs)).toEqual([
      { kind: 'saveBestsIn', delayMs: 2 * saveBestsMs },
    ])
    expect(send({ kind: 'bestsDue' })).toEqual([{ kind: 'saveBests' }])
    expect(send({ kind: 'bestsSaved', ok: true, more: false })).toEqual([])
    expect(send({ kind: 'improved' })).toEqual([{ kind: 'saveBestsIn', delayMs: saveBestsMs }])
  })
})
