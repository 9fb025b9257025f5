import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import type { BusFigures } from '#storage/bus/bus'
import { BusHealth, provenAfterMs, publishWithinMs, readWithinMs } from '#storage/bus/busHealth'
import { createLocalBus } from '#storage/bus/local'

test.each(['stalledMs', 'unreadMs'] as const)(
  'a bus with a long %s is unhealthy, and counts as proven only some time after it recovered',
  (name) => {
    const clock = new ManualClock()
    const figures: BusFigures = createLocalBus({ onError: () => undefined }).figures()
    const health = new BusHealth({ figures: () => figures }, clock)
    expect([health.works(), health.isProven()]).toEqual([true, true])
    figures[name] = (name === 'stalledMs' ? publishWithinMs : readWithinMs) - 1
    expect(health.works()).toBe(true)
    figures[name]++
    expect([health.works(), health.isProven()]).toEqual([false, false])
    figures[name] = 0
    expect([health.works(), health.isProven()]).toEqual([true, false])
    clock.advance(provenAfterMs)
    expect(health.isProven()).toBe(true)
  },
)
