// The rise of a running total, as a pure rule: what is believed, what is kept, and when nobody knows.
import { describe, expect, test } from 'vitest'
import { applyTotal, keepEveryMs, reportGapMaxMs } from '#catalog/runningTotal'

const minuteMs = 60_000
const now = Date.UTC(2026, 10, 20)
const kept = (more: object = {}) => ({
  id: 'm',
  heard: now - 5 * minuteMs,
  at: now - 20 * minuteMs,
  total: 120,
  base: 100,
  ...more,
})

describe('the day’s rise', () => {
  test('is the newest total above the one that held a day ago', () => {
    expect(applyTotal(kept(), now, 130.25)).toEqual({ rise: 30.25, change: 'add' })
  })

  test('is unknown while nothing reaches back a day, and zero where nothing was traded in one', () => {
    expect(applyTotal(kept({ base: null }), now, 130).rise).toBeNull()
    expect(applyTotal(kept({ base: 120 }), now, 120).rise).toBe(0)
  })

  test('has no more decimals than venues have', () => {
    expect(applyTotal(kept({ total: 0.1, base: 0.1 }), now, 0.3).rise).toBe(0.2)
  })
})

describe('what is kept', () => {
  test('a rise soon after the last one kept counts and is not kept, later ones are', () => {
    const at = now - keepEveryMs + 1
    expect(applyTotal(kept({ at, heard: at }), now, 130)).toEqual({ rise: 30, change: null })
    expect(applyTotal(kept({ at: at - 1, heard: at - 1 }), now, 130)).toEqual({ rise: 30, change: 'add' })
  })

  test('a total that stays the same is renewed, and not before it is due', () => {
    expect(applyTotal(kept(), now, 120).change).toBeNull()
    expect(applyTotal(kept({ heard: now - keepEveryMs }), now, 120).change).toBe('renew')
  })
})

describe('silence', () => {
  test('an hour without a word ends the window, and the next total begins another', () => {
    expect(applyTotal(kept({ heard: now - reportGapMaxMs }), now, 130)).toEqual({ rise: 30, change: 'add' })
    expect(applyTotal(kept({ heard: now - reportGapMaxMs - 1 }), now, 130)).toEqual({ rise: null, change: 'begin' })
    expect(applyTotal(kept({ heard: now - reportGapMaxMs - 1 }), now, null)).toEqual({ rise: null, change: null })
  })

  test('a total that falls, one that is not told, and one from before what is known leave the last one standing', () => {
    const standing = { rise: 20, change: null }
    expect(applyTotal(kept(), now, 119)).toEqual(standing)
    expect(applyTotal(kept(), now, null)).toEqual(standing)
    expect(applyTotal(kept({ heard: now + minuteMs }), now, 150)).toEqual(standing)
  })

  test('a fall that lasts begins anew from the lower total', () => {
    expect(applyTotal(kept({ heard: now - reportGapMaxMs - 1 }), now, 7)).toEqual({ rise: null, change: 'begin' })
  })

  test('a market never heard of begins with its first total', () => {
    expect(applyTotal(undefined, now, 5)).toEqual({ rise: null, change: 'begin' })
    expect(applyTotal(undefined, now, null)).toEqual({ rise: null, change: null })
  })
})
