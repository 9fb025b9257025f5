import { describe, expect, test } from 'vitest'
import { initialMatcherState, type MatcherMessage, stepMatcher } from '#actors/matcher/step'

const pace = { intervalMs: 300_000 }

function driven() {
  const state = initialMatcherState()
  return { state, tell: (message: MatcherMessage, now: number) => stepMatcher(pace, state, message, now) }
}

describe('the matcher', () => {
  test('runs at the start and at its interval, never twice at once', () => {
    const { tell } = driven()
    expect(tell({ kind: 'start' }, 0)).toEqual([{ kind: 'run' }])
    expect(tell({ kind: 'due' }, 10)).toEqual([])
    expect(tell({ kind: 'finished', ok: true, startedAt: 0 }, 500)).toEqual([{ kind: 'dueIn', delayMs: 300_000 }])
    expect(tell({ kind: 'due' }, 300_500)).toEqual([{ kind: 'run' }])
  })

  test('a written catalog brings the next run forward, and its further pages do not put it off', () => {
    const { tell } = driven()
    tell({ kind: 'start' }, 0)
    tell({ kind: 'finished', ok: true, startedAt: 0 }, 100)
    expect(tell({ kind: 'catalogWritten' }, 10_000)).toEqual([{ kind: 'dueIn', delayMs: 1_000 }])
    expect(tell({ kind: 'catalogWritten' }, 10_400)).toEqual([])
  })

  test('a catalog written during a run is matched after it, long runs leaving the thread three times their length', () => {
    const { tell } = driven()
    tell({ kind: 'start' }, 0)
    expect(tell({ kind: 'catalogWritten' }, 5_000)).toEqual([])
    expect(tell({ kind: 'finished', ok: true, startedAt: 0 }, 20_000)).toEqual([{ kind: 'dueIn', delayMs: 60_000 }])
  })

  test('an operator’s word runs at once, and one that is there already during a run starts no second', () => {
    const { tell } = driven()
    tell({ kind: 'start' }, 0)
    expect(tell({ kind: 'overridden' }, 10)).toEqual([])
    tell({ kind: 'finished', ok: true, startedAt: 0 }, 100)
    expect(tell({ kind: 'overridden' }, 2_000)).toEqual([{ kind: 'run' }])
  })

  test('a failing run is tried again ever later up to the interval, whatever is written or said meanwhile', () => {
    const { tell } = driven()
    tell({ kind: 'start' }, 0)
    const delays: number[] = []
    for (let at = 0; at < 9; at++) {
      const [effect] = tell({ kind: 'finished', ok: false, startedAt: 0 }, 0)
      if (effect?.kind === 'dueIn') delays.push(effect.delayMs)
      expect(tell({ kind: 'overridden' }, 0)).toEqual([])
      expect(tell({ kind: 'catalogWritten' }, 0)).toEqual([])
      expect(tell({ kind: 'due' }, 0)).toEqual([{ kind: 'run' }])
    }
    expect(delays).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000])
    tell({ kind: 'finished', ok: true, startedAt: 0 }, 0)
    expect(tell({ kind: 'due' }, 300_000)).toEqual([{ kind: 'run' }])
    expect(tell({ kind: 'finished', ok: false, startedAt: 0 }, 0)).toEqual([{ kind: 'dueIn', delayMs: 5_000 }])
  })
})
