import { expect, it } from 'vitest'
import { initialSportsState, intervalMs, type SportsMessage, stepSports } from '#actors/sports/step'

const told = (...messages: [SportsMessage, number][]) => {
  const state = initialSportsState()
  return messages.map(([message, now]) => stepSports(state, message, now))
}
const pass = [{ kind: 'pass' }]
const due = (delayMs: number) => [{ kind: 'dueIn', delayMs }]

it('passes at the start and at its interval', () => {
  expect(
    told(
      [{ kind: 'start' }, 0],
      [{ kind: 'finished', ok: true, startedAt: 0 }, 100],
      [{ kind: 'due' }, 100 + intervalMs],
    ),
  ).toEqual([pass, due(intervalMs), pass])
})

it('never passes twice at once, and follows a catalog that was written meanwhile', () => {
  expect(
    told(
      [{ kind: 'start' }, 0],
      [{ kind: 'catalogWritten' }, 10],
      [{ kind: 'due' }, 20],
      [{ kind: 'finished', ok: true, startedAt: 0 }, 100],
    ),
  ).toEqual([pass, [], [], due(1_000)])
})

it('waits for the next pages of a walk, and rests three times as long as it worked', () => {
  expect(
    told(
      [{ kind: 'start' }, 0],
      [{ kind: 'finished', ok: true, startedAt: 0 }, 4_000],
      [{ kind: 'catalogWritten' }, 5_000],
      [{ kind: 'catalogWritten' }, 6_000],
    ),
  ).toEqual([pass, due(intervalMs), due(11_000), []])
})

it('tries again sooner after a failure, and ever later up to the interval', () => {
  const state = initialSportsState()
  const delays: unknown[] = []
  for (let n = 0; n < 7; n++) {
    stepSports(state, { kind: 'due' }, 0)
    delays.push(stepSports(state, { kind: 'finished', ok: false, startedAt: 0 }, 0)[0])
  }
  expect(delays).toEqual(
    [2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000].map((delayMs) => ({ kind: 'dueIn', delayMs })),
  )
  // Its own retry is soon enough.
  expect(stepSports(state, { kind: 'catalogWritten' }, 0)).toEqual([])
})
