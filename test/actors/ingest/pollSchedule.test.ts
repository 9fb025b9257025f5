// Which books are read when more are wanted than the venue's rate limit allows.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { legSkewMaxMs, PollSchedule } from '#actors/ingest/pollSchedule'

const gemini = { requestsPerSecond: 1, poll: { intervalMs: 5_000, concurrency: 1 } }

const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

/** One request after the other, `requestMs` each; returns when each book was read. */
function run(schedule: PollSchedule, untilMs: number, requestMs: number): Map<string, number[]> {
  const reads = new Map<string, number[]>()
  for (let now = 0; now < untilMs; ) {
    const group = schedule.take(now)
    if (group.length === 0) {
      const next = schedule.nextDueAt()
      if (next === null) break
      now = Math.max(next, now + 1)
      continue
    }
    now += requestMs
    for (const id of group) {
      schedule.done(id, now)
      reads.set(id, [...(reads.get(id) ?? []), now])
    }
  }
  return reads
}

const longestGap = (reads: readonly number[] = [], from: number, until: number): number => {
  const times = [from, ...reads.filter((at) => at > from), until]
  return Math.max(...times.slice(1).map((at, i) => at - times[i]!))
}

describe('PollSchedule', () => {
  it('defers reads while other books are repaired, except near legs, books never read and books whose last read failed', () => {
    const schedule = new PollSchedule({ ...gemini, requestsPerSecond: 4 })
    const due = (now: number, deferMs?: number): string[] => {
      const found: string[] = []
      for (let group = schedule.take(now, deferMs); group.length > 0; group = schedule.take(now, deferMs))
        found.push(...group)
      return found.sort()
    }
    const all = ['failed', 'mine', 'near', 'rest']
    for (const id of all) schedule.add(id, 0)
    schedule.rank(new Set(['mine']), ['near'])
    expect(due(0, 10_000)).toEqual(all)
    for (const id of all) schedule.done(id, id === 'failed' ? null : 100)
    expect(schedule.nextDueAt(10_000)).toBeLessThanOrEqual(5_000)
    expect(due(5_000, 10_000)).toEqual(['failed', 'near'])
    expect(schedule.nextDueAt(10_000)).toBe(15_000)
    expect(due(14_999, 10_000)).toEqual([])
    expect(due(15_000, 10_000)).toEqual(['mine', 'rest'])
  })

  it('keeps the pace of a reader’s book among eighty of the surface, and reads all eighty regularly', () => {
    const schedule = new PollSchedule(gemini)
    const rest = names('rest', 80)
    for (const id of rest) schedule.add(id, 0)
    schedule.add('mine', 0)
    schedule.rank(new Set(['mine']), [])
    const reads = run(schedule, 600_000, 1_000)
    expect(longestGap(reads.get('mine'), 0, 600_000)).toBeLessThanOrEqual(7_000)
    for (const id of rest) expect(longestGap(reads.get(id), 0, 600_000)).toBeLessThanOrEqual(130_000)
    expect(schedule.intervalOf('mine')).toBeLessThanOrEqual(6_000)
    expect(schedule.intervalOf('rest7')).toBeGreaterThan(60_000)
  })

  it('reads legs near execution in time to stay executable, as many as possible, nearest first', () => {
    const schedule = new PollSchedule(gemini)
    const books = names('leg', 50)
    for (const id of books) schedule.add(id, 0)
    schedule.rank(new Set(), ['leg30', 'leg10', 'leg20', 'leg40'])
    const reads = run(schedule, 300_000, 1_000)
    expect(longestGap(reads.get('leg30'), 60_000, 300_000)).toBeLessThanOrEqual(legSkewMaxMs)
    expect(longestGap(reads.get('leg40'), 60_000, 300_000)).toBeGreaterThan(5_000)
    expect([...reads.keys()].filter((id) => schedule.keepsLegPace(id))).toEqual(['leg30'])
    for (const id of books) expect(longestGap(reads.get(id), 0, 300_000)).toBeLessThanOrEqual(180_000)
  })

  it('measures the pace from the second read after a class change in both directions, ignoring the gap across the change', () => {
    const schedule = new PollSchedule(gemini)
    schedule.add('book', 0)
    const read = (at: number) => {
      schedule.done('book', at)
      return [schedule.intervalOf('book'), schedule.hasNewPace('book')]
    }
    expect([0, 34_000, 68_000].map(read)).toEqual([
      [null, false],
      [34_000, true],
      [34_000, false],
    ])
    schedule.rank(new Set(['book']), [])
    expect([90_000, 95_000, 101_000].map(read)).toEqual([
      [34_000, false],
      [5_000, true],
      [5_300, false],
    ])
    schedule.rank(new Set(), [])
    expect([110_000, 140_000].map(read)).toEqual([
      [5_300, false],
      [30_000, true],
    ])
  })

  it('does not exceed a venue’s limit of two requests a minute for a near leg', () => {
    const schedule = new PollSchedule({ requestsPerSecond: 1, poll: { intervalMs: 30_000, concurrency: 1 } })
    schedule.add('leg', 0)
    schedule.rank(new Set(), ['leg'])
    expect(run(schedule, 300_000, 100).get('leg')).toHaveLength(10)
  })

  it('reads a newly wanted reader’s book first', () => {
    const schedule = new PollSchedule(gemini)
    for (const id of names('rest', 80)) schedule.add(id, 0)
    schedule.rank(new Set(['a', 'b', 'c']), [])
    for (const id of ['a', 'b', 'c']) schedule.add(id, 0)
    run(schedule, 60_000, 1_000)
    schedule.add('new', 60_000)
    schedule.rank(new Set(['a', 'b', 'c', 'new']), [])
    expect(schedule.take(60_000)).toEqual(['new'])
  })

  it('reserves a quarter of a batch for lower classes', () => {
    const batched = { ...gemini, fetchOrderBooks: () => Promise.resolve(new Map()) }
    const schedule = new PollSchedule(batched)
    const readers = names('reader', 60)
    for (const id of [...readers, ...names('rest', 60)]) schedule.add(id, 0)
    schedule.rank(new Set(readers), [])
    const group = schedule.take(0)
    expect(group).toHaveLength(50)
    expect(group.filter((id) => id.startsWith('rest'))).toHaveLength(12)
  })

  it('reads every book eventually, one at a time and never before it is due, for any demand and venue speed', () => {
    fc.assert(
      fc.property(
        fc.nat(12),
        fc.nat(12),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 50, max: 4_000 }),
        (readers, near, rest, requestMs) => {
          const schedule = new PollSchedule(gemini)
          const ids = [...names('reader', readers), ...names('near', near), ...names('rest', rest)]
          for (const id of ids) schedule.add(id, 0)
          schedule.rank(new Set(names('reader', readers)), names('near', near))
          const reads = run(schedule, requestMs * 5 * (ids.length + 5) + 60_000, requestMs)
          for (const id of ids) {
            const times = reads.get(id) ?? []
            expect(times.length).toBeGreaterThan(0)
            for (let i = 1; i < times.length; i++) expect(times[i]! - times[i - 1]!).toBeGreaterThanOrEqual(2_000)
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
