import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { observeCancel, observeSum, withFills } from '#venues/shared/exec/orderSnapshot'

describe('a row with the sum of its fills', () => {
  const row = { venueRef: 'o', size: '10', filled: '4', observation: {} }
  const sum = { row: { id: 'o', left: undefined }, filledAt: 5 }

  it('keeps the filled size while the order is open, and reports it as a fill only when it ends', () => {
    expect(observeSum({ ...row, status: 'acked' }, sum)).toMatchObject({ status: 'acked', matchedSize: '4', fills: [] })
    const fill = { key: 'o:sum', fill: { aggregate: true, id: 'o' }, filledAt: 5 }
    for (const status of ['canceled', 'expired'] as const) {
      expect(observeSum({ ...row, status }, sum)).toMatchObject({ status, fills: [fill] })
    }
    expect(observeSum({ ...row, status: 'canceled', filled: '0.00' }, sum).fills).toEqual([])
  })

  it('that ended without its filled size keeps its status, with a reason', () => {
    const seen = observeSum({ ...row, status: 'canceled', filled: null }, sum)
    expect(seen).toMatchObject({ status: null, shown: true, fills: [] })
    expect(seen.observation?.reason).toMatch(/canceled without its filled size/)
    expect(seen).not.toHaveProperty('matchedSize')
  })

  it('that is filled without a count is filled to its size; without either it is not settled', () => {
    expect(observeSum({ ...row, status: 'filled', filled: null }, sum)).toMatchObject({
      status: 'filled',
      matchedSize: '10',
      fills: [{ key: 'o:sum' }],
    })
    expect(observeSum({ ...row, status: 'filled', size: null, filled: null }, sum)).toMatchObject({ status: null })
  })

  it('that is filled with a lower count is not final', () => {
    expect(observeSum({ ...row, status: 'filled' }, sum)).toMatchObject({ status: null, fills: [], matchedSize: '4' })
    expect(observeSum({ ...row, status: 'filled', filled: '10.0' }, sum)).toMatchObject({ status: 'filled' })
  })
})

it('a final state is reported once its fills are known, or after ten minutes', () => {
  const clock = new ManualClock()
  const since = clock.now()
  const statusWith = (hasFills: boolean, sinceMs = since) => withFills('canceled', hasFills, sinceMs, clock)
  expect([statusWith(true), statusWith(false), statusWith(false, Number.NaN)]).toEqual(['canceled', null, null])
  clock.advance(10 * 60_000)
  expect([statusWith(false), statusWith(false, Number.NaN)]).toEqual(['canceled', null])
  expect(withFills('acked', false, since, clock)).toBe('acked')
})

it('the state of the order decides the state of its cancellation', () => {
  const seen = { venueRef: 'o', fills: [] }
  expect(observeCancel('canceled', seen)).toEqual({ ...seen, status: 'acked' })
  expect(observeCancel('acked', seen)).toEqual({ ...seen, status: null, undone: true })
  expect(observeCancel(null, seen)).toEqual({ ...seen, status: null, undone: false })
  for (const status of ['filled', 'expired', 'failed'] as const) {
    const reason = `the order was ${status} before the cancellation`
    expect(observeCancel(status, seen)).toEqual({ ...seen, status: 'failed', reason })
  }
})
