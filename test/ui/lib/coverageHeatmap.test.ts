import { describe, expect, it } from 'vitest'
import { heatOf, wholeShare } from '../../../ui/lib/coverageHeatmap.ts'

const iso = (ms: number): string => new Date(ms).toISOString()
const span = { sinceMs: 0, untilMs: 100_000 }
const complete = { tapeSince: iso(0), completeUntil: iso(100_000), gaps: [] }
const gap = (from: number | null, to: number | null, kind: 'gap' | 'closed' = 'gap') => ({
  kind,
  from: from === null ? null : iso(from),
  to: to === null ? null : iso(to),
  reason: null,
})
const words = (outcome: Parameters<typeof heatOf>[0]): string =>
  heatOf(outcome, span, 10)
    .map(({ from, to, tone }) => `${from}-${to} ${tone}`)
    .join(', ')

describe('a strip of the tape', () => {
  it.each<[string, Partial<Parameters<typeof heatOf>[0]>, string]>([
    ['whole where nothing is missing', {}, '0-10 whole'],
    ['empty before recording began', { tapeSince: iso(30_000) }, '0-3 before, 3-10 whole'],
    ['unconfirmed behind the watermark', { completeUntil: iso(80_000) }, '0-8 whole, 8-10 unconfirmed'],
    ['unconfirmed without a watermark', { completeUntil: null }, '0-10 unconfirmed'],
    [
      'lost, and partly lost at the edges of a gap',
      { gaps: [gap(15_000, 40_000)] },
      '0-1 whole, 1-2 part, 2-4 lost, 4-10 whole',
    ],
    ['lost to the end while a gap is open', { gaps: [gap(70_000, null)] }, '0-7 whole, 7-10 lost'],
    [
      'partly lost where a gap of unknown start ended, and unconfirmed before',
      { gaps: [gap(null, 55_000)] },
      '0-5 unconfirmed, 5-6 part, 6-10 whole',
    ],
    [
      'confirmed up to the end of the gap before such a one',
      { gaps: [gap(10_000, 20_000), gap(null, 55_000), gap(70_000, 80_000, 'closed')] },
      '0-1 whole, 1-2 lost, 2-5 unconfirmed, 5-6 part, 6-7 whole, 7-8 unwatched, 8-10 whole',
    ],
    [
      'not recorded before its beginning, whatever is unknown later',
      { tapeSince: iso(30_000), gaps: [gap(null, 55_000)] },
      '0-3 before, 3-5 unconfirmed, 5-6 part, 6-10 whole',
    ],
    ['unwatched, which is no loss', { gaps: [gap(20_000, 60_000, 'closed')] }, '0-2 whole, 2-6 unwatched, 6-10 whole'],
    [
      'lost also where the watermark is behind',
      { completeUntil: iso(0), gaps: [gap(90_000, null)] },
      '0-9 unconfirmed, 9-10 lost',
    ],
    ['partly lost where a gap is very short', { gaps: [gap(50_001, 50_002)] }, '0-5 whole, 5-6 part, 6-10 whole'],
  ])('is %s', (_, change, expected) => {
    expect(words({ ...complete, ...change })).toBe(expected)
  })

  it('reports the share of the recorded time that is whole, and null where nothing was recorded', () => {
    expect(wholeShare(heatOf({ ...complete, gaps: [gap(80_000, null)] }, span, 10))).toBe(0.8)
    expect(wholeShare(heatOf({ ...complete, tapeSince: iso(200_000) }, span, 10))).toBeNull()
  })
})
