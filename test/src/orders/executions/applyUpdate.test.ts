// Fault 41: whatever a venue reports and however it contradicts itself, a final status changes only on evidence.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settlingMs, updateFor } from '#orders/executions/applyUpdate'
import { isTerminal, nextStatus } from '#orders/executions/transitions'
import { type ExecutionStatus, executionStatuses } from '#schemas/executions'
import type { Observation } from '#venues/lane'

const now = 1_790_000_000_000
const row = (status: ExecutionStatus, endedMsAgo = settlingMs) => ({
  status,
  last_event: 'seenCanceled',
  updated_at: new Date(now - endedMsAgo),
})
const observation = (status: ExecutionStatus | null, more: Partial<Observation> = {}): Observation => ({
  status,
  shown: true,
  venueRef: 'v',
  fills: [],
  ...more,
})
const fill = (key: string) => ({ key, fill: { key }, filledAt: now })
const eventOf = (...given: Parameters<typeof updateFor>) => updateFor(...given)?.event ?? null

describe('a final status that the venue contradicts', () => {
  it.each([
    ['canceled', 'filled', 'correctedFilled'],
    ['expired', 'filled', 'correctedFilled'],
    ['canceled', 'acked', 'correctedAcked'],
    ['expired', 'canceled', 'correctedCanceled'],
    ['canceled', 'expired', 'correctedExpired'],
  ] as const)('%s, shown as %s: %s', (from, shown, event) => {
    expect(eventOf(row(from), observation(shown), [], now)).toBe(event)
  })

  it('is not corrected by a missing order', () => {
    expect(eventOf(row('expired'), observation('canceled', { inferred: true, shown: false }), [], now)).toBeNull()
  })

  it('ignores a resting order shown right after the end, because a replica may lag', () => {
    expect(eventOf(row('canceled', settlingMs - 1), observation('acked'), [], now)).toBeNull()
    expect(eventOf(row('canceled', settlingMs - 1), observation('filled'), [], now)).toBe('correctedFilled')
  })

  it.each(['provedUndone', 'resolvedFailed', 'resolvedCanceled', 'resolvedFilled'])(
    'is corrected by a later report of the venue if it ended by %s',
    (last_event) => {
      const settled = { ...row('failed'), last_event }
      expect(eventOf(settled, observation('acked'), [], now)).toBe('correctedAcked')
      expect(eventOf(settled, observation('filled'), [], now)).toBe('correctedFilled')
      expect(eventOf(settled, observation('canceled', { inferred: true }), [], now)).toBeNull()
    },
  )

  it('keeps an order that the venue rejected or filled', () => {
    for (const status of executionStatuses) {
      expect(updateFor(row('failed'), observation(status, { fills: [fill('f')] }), [], now)).toBeNull()
      expect(eventOf(row('filled'), observation(status), [], now)).toBeNull()
    }
  })

  it('appends a late fill to an ended order once', () => {
    const late = observation('canceled', { fills: [fill('f1'), fill('f2')] })
    expect(eventOf(row('canceled'), late, [{ id: '1', venue_key: 'f1' }], now)).toBe('fillsTold')
    const both = ['f1', 'f2'].map((venue_key, i) => ({ id: String(i), venue_key }))
    expect(updateFor(row('canceled'), late, both, now)).toBeNull()
  })

  it('appends the fills of an order that no longer rests once, and keeps those of a resting order for its next status', () => {
    const partly = { fills: [fill('f1')] }
    expect(updateFor(row('acked'), observation(null, partly), [], now)).toBeNull()
    expect(updateFor(row('acked'), observation('acked', partly), [], now)).toBeNull()
    expect(updateFor(row('acked'), observation(null, { ...partly, rests: false }), [], now)).toEqual({
      event: 'fillsTold',
      fills: partly.fills,
    })
    expect(
      updateFor(row('acked'), observation(null, { ...partly, rests: false }), [{ id: '1', venue_key: 'f1' }], now),
    ).toBeNull()
  })

  it('records a reverted fill in a row that names the fill, once, and the order is no longer filled', () => {
    const recorded = [{ id: '7', venue_key: 'f' }]
    const taken = { withdrawn: [fill('f'), fill('never reported')] }
    const row7 = { key: 'f:withdrawn', fill: { key: 'f', withdrawn: true, withdrawsFillId: '7' }, filledAt: now }
    expect(updateFor(row('filled'), observation('canceled', taken), recorded, now)).toEqual({
      event: 'correctedCanceled',
      fills: [row7],
    })
    expect(updateFor(row('acked'), observation(null, taken), recorded, now)).toEqual({
      event: 'fillsWithdrawn',
      fills: [row7],
    })
    const known = [...recorded, { id: '8', venue_key: 'f:withdrawn' }]
    expect(updateFor(row('canceled'), observation('canceled', taken), known, now)).toBeNull()
  })
})

it('produces only events of the transition table, and leaves a final status only on evidence', () => {
  const Read = fc.record({
    status: fc.constantFrom(...executionStatuses, null),
    shown: fc.boolean(),
    inferred: fc.boolean(),
    fills: fc.subarray([fill('a'), fill('b')]),
    withdrawn: fc.subarray([fill('a'), fill('b')]),
  })
  const Recorded = fc.subarray(['a', 'b', 'a:withdrawn'])
  fc.assert(
    fc.property(fc.constantFrom(...executionStatuses), fc.nat(100_000), Read, Recorded, (status, ago, read, keys) => {
      const recorded = keys.map((venue_key, i) => ({ id: String(i), venue_key }))
      const statusUpdate = updateFor(row(status, ago), { venueRef: null, ...read }, recorded, now)
      if (statusUpdate === null) return
      const next = nextStatus(status, statusUpdate.event)
      expect(next).not.toBeNull()
      if (!isTerminal(status) || next === status) return
      expect([read.inferred, next, status !== 'failed']).toEqual([false, read.status, true])
      if (status === 'filled')
        expect(statusUpdate.fills.some(({ key }) => key === 'a:withdrawn' || key === 'b:withdrawn')).toBe(true)
    }),
  )
})
