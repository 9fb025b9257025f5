import { describe, expect, it } from 'vitest'
import { catchUpDaysMax, dueMetrics, nextDueInMs, tapeSettlesMs } from '#marketData/venueMetrics/schedule'

const at = (text: string): number => Date.parse(text)
const noon = at('2026-11-23T12:00:00Z')
const fresh = { venue: null, catalog: null, tape: null }
const all = { isPublished: true, tapedSince: '2026-11-20' }
const done = { venue: '2026-11-23', catalog: '2026-11-23', tape: '2026-11-22' }

describe('due metrics', () => {
  it('on the first day: everything of today, and the first day of the tape', () => {
    expect(dueMetrics(fresh, all, noon)).toEqual([
      { part: 'venue', day: '2026-11-23' },
      { part: 'catalog', day: '2026-11-23' },
      { part: 'tape', day: '2026-11-20' },
    ])
  })

  it('nothing, once the day is done', () => {
    expect(dueMetrics(done, all, noon)).toEqual([])
    expect(dueMetrics(done, all, at('2026-11-23T23:59:59Z'))).toEqual([])
  })

  it('nothing for a venue without metrics of its own, or for a tape that is unavailable or empty', () => {
    expect(dueMetrics(fresh, { isPublished: false }, noon)).toEqual([{ part: 'catalog', day: '2026-11-23' }])
    expect(dueMetrics(fresh, { isPublished: false, tapedSince: null }, noon)).toHaveLength(1)
  })

  it('after missed days: the days of the tape one by one, of the others today only', () => {
    const missed = { venue: '2026-11-18', catalog: '2026-11-18', tape: '2026-11-19' }
    const scheduled = []
    for (let progress: typeof missed = missed; ; ) {
      const [next] = dueMetrics(progress, all, noon)
      if (next === undefined) break
      scheduled.push(`${next.part} ${next.day}`)
      progress = { ...progress, [next.part]: next.day }
    }
    expect(scheduled).toEqual([
      'venue 2026-11-23',
      'catalog 2026-11-23',
      'tape 2026-11-20',
      'tape 2026-11-21',
      'tape 2026-11-22',
    ])
  })

  it('no more than a month of the tape, and no day before it began', () => {
    const old = { ...all, tapedSince: '2020-01-01' }
    const [, , tape] = dueMetrics(fresh, old, noon)
    expect(tape!.day).toBe('2026-10-23')
    expect((at('2026-11-22') - at(tape!.day)) / 86_400_000 + 1).toBe(catchUpDaysMax)
    expect(dueMetrics({ ...done, tape: '2019-01-01' }, old, noon)).toEqual([{ part: 'tape', day: '2026-10-23' }])
    expect(dueMetrics({ ...done, tape: null }, { ...all, tapedSince: '2026-11-23' }, noon)).toEqual([])
  })

  it('a day of the tape once its last trades have been read', () => {
    const midnight = at('2026-11-24T00:00:00Z')
    const progress = { venue: '2026-11-24', catalog: '2026-11-24', tape: '2026-11-22' }
    expect(dueMetrics(progress, all, midnight + tapeSettlesMs - 1)).toEqual([])
    expect(dueMetrics(progress, all, midnight + tapeSettlesMs)).toEqual([{ part: 'tape', day: '2026-11-23' }])
  })

  it('nothing again when the clock was set back', () => {
    expect(dueMetrics(done, all, noon - 3 * 86_400_000)).toEqual([])
  })
})

it('the next check is when a day begins or its tape has settled', () => {
  expect(nextDueInMs(noon)).toBe(12 * 3_600_000)
  expect(nextDueInMs(at('2026-11-24T00:00:00Z'))).toBe(tapeSettlesMs)
  expect(nextDueInMs(at('2026-11-24T00:30:00Z'))).toBe(tapeSettlesMs / 2)
  expect(nextDueInMs(at('2026-11-24T01:00:00Z'))).toBe(23 * 3_600_000)
  expect(nextDueInMs(at('2026-11-23T23:59:59.999Z'))).toBe(1)
})
