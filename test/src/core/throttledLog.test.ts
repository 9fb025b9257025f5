import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import type { Log } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'

it('logs a warning repeated a thousand times a second once in ten seconds, with the number of omitted ones', () => {
  const clock = new ManualClock()
  const logged: [object, string][] = []
  const lines = new ThrottledLog(
    { warn: (fields: object, text: string) => void logged.push([fields, text]) } as Log,
    clock,
  )
  for (let n = 0; n < 15_000; n++) {
    lines.warn({ n }, 'resync failed')
    clock.advance(1)
  }
  lines.warn({}, 'another')
  expect(logged).toEqual([
    [{ n: 0 }, 'resync failed'],
    [{ n: 10_000, leftOut: 9_999 }, 'resync failed'],
    [{}, 'another'],
  ])
})
