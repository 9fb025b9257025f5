import { describe, expect, test } from 'vitest'
import { initialRunState, type RunMessage, stepRuns } from '#actors/runtime/scheduledJob'
import { sportsPace } from '#actors/sports/sportsActor'

const pace = { intervalMs: 300_000, retryBaseMs: 5_000 }

function driven() {
  const state = initialRunState()
  return { state, send: (message: RunMessage, now: number) => stepRuns(pace, state, message, now) }
}

describe('the matcher', () => {
  test('runs at the start and at its interval, never twice at once', () => {
    const { send } = driven()
    expect(send({ kind: 'start' }, 0)).toEqual([{ kind: 'run' }])
    expect(send({ kind: 'due' }, 10)).toEqual([])
    expect(send({ kind: 'finished', ok: true, startedAt: 0 }, 500)).toEqual([{ kind: 'dueIn', delayMs: 300_000 }])
    expect(send({ kind: 'due' }, 300_500)).toEqual([{ kind: 'run' }])
  })

  test('runs earlier after a catalog was written, and is not delayed by the catalog’s further pages', () => {
    const { send } = driven()
    send({ kind: 'start' }, 0)
    send({ kind: 'finished', ok: true, startedAt: 0 }, 100)
    expect(send({ kind: 'catalogWritten' }, 10_000)).toEqual([{ kind: 'dueIn', delayMs: 1_000 }])
    expect(send({ kind: 'catalogWritten' }, 10_400)).toEqual([])
  })

  test('runs again after a catalog was written during a run, pausing three times the length of a long run', () => {
    const { send } = driven()
    send({ kind: 'start' }, 0)
    expect(send({ kind: 'catalogWritten' }, 5_000)).toEqual([])
    expect(send({ kind: 'finished', ok: true, startedAt: 0 }, 20_000)).toEqual([{ kind: 'dueIn', delayMs: 60_000 }])
  })

  test('runs immediately on an operator’s request, but not again for one that came during a run', () => {
    const { send } = driven()
    send({ kind: 'start' }, 0)
    expect(send({ kind: 'wanted' }, 10)).toEqual([])
    send({ kind: 'finished', ok: true, startedAt: 0 }, 100)
    expect(send({ kind: 'wanted' }, 2_000)).toEqual([{ kind: 'run' }])
  })

  test('retries a failing run with delays growing up to the interval, whatever is written or requested meanwhile', () => {
    const { send } = driven()
    send({ kind: 'start' }, 0)
    const delays: number[] = []
    for (let at = 0; at < 9; at++) {
      const [effect] = send({ kind: 'finished', ok: false, startedAt: 0 }, 0)
      if (effect?.kind === 'dueIn') delays.push(effect.delayMs)
      expect(send({ kind: 'wanted' }, 0)).toEqual([])
      expect(send({ kind: 'catalogWritten' }, 0)).toEqual([])
      expect(send({ kind: 'due' }, 0)).toEqual([{ kind: 'run' }])
    }
    expect(delays).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000])
    send({ kind: 'finished', ok: true, startedAt: 0 }, 0)
    expect(send({ kind: 'due' }, 300_000)).toEqual([{ kind: 'run' }])
    expect(send({ kind: 'finished', ok: false, startedAt: 0 }, 0)).toEqual([{ kind: 'dueIn', delayMs: 5_000 }])
  })
})

describe('the sports engine', () => {
  const { intervalMs } = sportsPace
  const stepAll = (...messages: [RunMessage, number][]) => {
    const state = initialRunState()
    return messages.map(([message, now]) => stepRuns(sportsPace, state, message, now))
  }
  const run = [{ kind: 'run' }]
  const due = (delayMs: number) => [{ kind: 'dueIn', delayMs }]

  test('runs at the start and at its interval', () => {
    expect(
      stepAll(
        [{ kind: 'start' }, 0],
        [{ kind: 'finished', ok: true, startedAt: 0 }, 100],
        [{ kind: 'due' }, 100 + intervalMs],
      ),
    ).toEqual([run, due(intervalMs), run])
  })

  test('never runs twice at once, and follows a catalog that was written meanwhile', () => {
    expect(
      stepAll(
        [{ kind: 'start' }, 0],
        [{ kind: 'catalogWritten' }, 10],
        [{ kind: 'due' }, 20],
        [{ kind: 'finished', ok: true, startedAt: 0 }, 100],
      ),
    ).toEqual([run, [], [], due(1_000)])
  })

  test('waits for the next pages of a walk, and rests three times as long as it worked', () => {
    expect(
      stepAll(
        [{ kind: 'start' }, 0],
        [{ kind: 'finished', ok: true, startedAt: 0 }, 4_000],
        [{ kind: 'catalogWritten' }, 5_000],
        [{ kind: 'catalogWritten' }, 6_000],
      ),
    ).toEqual([run, due(intervalMs), due(11_000), []])
  })

  test('retries sooner after a failure, with delays growing up to the interval', () => {
    const state = initialRunState()
    const delays: unknown[] = []
    for (let n = 0; n < 7; n++) {
      stepRuns(sportsPace, state, { kind: 'due' }, 0)
      delays.push(stepRuns(sportsPace, state, { kind: 'finished', ok: false, startedAt: 0 }, 0)[0])
    }
    expect(delays).toEqual(
      [2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000].map((delayMs) => ({ kind: 'dueIn', delayMs })),
    )
    // Its own retry is soon enough.
    expect(stepRuns(sportsPace, state, { kind: 'catalogWritten' }, 0)).toEqual([])
  })
})
