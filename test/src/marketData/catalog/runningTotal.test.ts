// The rise of a running total, as a pure rule: which totals are accepted, which are kept, and when the rise is unknown.
import { describe, expect, test } from 'vitest'
import { applyTotal, keepEveryMs, reportGapMaxMs } from '#marketData/catalog/runningTotal'

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
  test('is the newest total minus the total of a day ago', () => {
    expect(applyTotal(kept(), now, 130.25)).toEqual({ rise: 30.25, change: 'add' })
  })

  test('is unknown without a total from a day ago, and zero when nothing was traded for a day', () => {
    expect(applyTotal(kept({ base: null }), now, 130).rise).toBeNull()
    expect(applyTotal(kept({ base: 120 }), now, 120).rise).toBe(0)
  })

  test('has no more decimals than the venue', () => {
    expect(applyTotal(kept({ total: 0.1, base: 0.1 }), now, 0.3).rise).toBe(0.2)
  })
})

describe('kept totals', () => {
  test('exclude a rise soon after the last kept one, which still counts, and include later ones', () => {
    const at = now - keepEveryMs + 1
    expect(applyTotal(kept({ at, heard: at }), now, 130)).toEqual({ rise: 30, change: null })
    expect(applyTotal(kept({ at: at - 1, heard: at - 1 }), now, 130)).toEqual({ rise: 30, change: 'add' })
  })

  test('renew an unchanged total when it is due, not before', () => {
    expect(applyTotal(kept(), now, 120).change).toBeNull()
    expect(applyTotal(kept({ heard: now - keepEveryMs }), now, 120).change).toBe('renew')
  })
})

describe('silence', () => {
  test('ends the window after an hour without a report, and the next total starts another', () => {
    expect(applyTotal(kept({ heard: now - reportGapMaxMs }), now, 130)).toEqual({ rise: 30, change: 'add' })
    expect(applyTotal(kept({ heard: now - reportGapMaxMs - 1 }), now, 130)).toEqual({ rise: null, change: 'begin' })
    expect(applyTotal(kept({ heard: now - reportGapMaxMs - 1 }), now, null)).toEqual({ rise: null, change: null })
  })

  test('lower, missing and outdated totals leave the last one in place', () => {
    const unchanged = { rise: 20, change: null }
    expect(applyTotal(kept(), now, 119)).toEqual(unchanged)
    expect(applyTotal(kept(), now, null)).toEqual(unchanged)
    expect(applyTotal(kept({ heard: now + minuteMs }), now, 150)).toEqual(unchanged)
  })

  test('starts again from the lower total when a drop lasts', () => {
    expect(applyTotal(kept({ heard: now - reportGapMaxMs - 1 }), now, 7)).toEqual({ rise: null, change: 'begin' })
  })

  test('starts a new market with its first total', () => {
    expect(applyTotal(undefined, now, 5)).toEqual({ rise: null, change: 'begin' })
    expect(applyTotal(undefined, now, null)).toEqual({ rise: null, change: null })
  })
})
