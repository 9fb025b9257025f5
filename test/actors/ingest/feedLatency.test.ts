// How late a feed is, measured by the times its messages carry. The clock is a number.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FeedLag, lagMaxMs, lagTrustedMs, pollJitterMs, suspectQuietMs } from '#actors/ingest/feedLatency'

function world() {
  const lag = new FeedLag()
  /** A frame that happened at `eventTs` on the venue's clock. */
  const frame = (now: number, eventTs: number | null, isSnapshot = false, shard = 0): number => {
    lag.begin(shard, now)
    const late = lag.note(eventTs, isSnapshot)
    lag.end()
    return late
  }
  return { lag, frame, lagging: (now: number) => [...lag.lagging(now)] }
}

describe('a connection opened while its feed is too late', () => {
  const late = () => {
    const trusted: number[] = []
    const lag = new FeedLag((shard) => trusted.push(shard))
    const frame = (shard: number, now: number, eventTs: number | null, isSnapshot = false): boolean | null => {
      lag.begin(shard, now)
      lag.note(eventTs, isSnapshot)
      const { isFrameDistrusted } = lag
      lag.end()
      return isFrameDistrusted
    }
    for (let at = 0; at < 10_000; at += 250) frame(0, at, at)
    for (let at = 10_000; at < 12_000; at += 250) frame(0, at, at - lagMaxMs)
    lag.opened(0, 12_000)
    lag.opened(1, 12_000)
    return { lag, frame, trusted }
  }

  it('is not trusted until one of its messages took at most half the limit; this holds for each connection of the venue', () => {
    const { lag, frame, trusted } = late()
    for (const shard of [0, 1]) {
      expect(frame(shard, 13_000, null, true)).toBe(true)
      expect(frame(shard, 13_100, 13_100 - lagTrustedMs)).toBe(true)
      // A timestamp far in the future proves nothing.
      expect(frame(shard, 13_200, 13_200 + 2 * pollJitterMs)).toBe(true)
      expect(lag.isQuiet(shard, 60_000)).toBe(false)
      expect(trusted).toEqual(shard === 0 ? [] : [0])
      expect(frame(shard, 13_300, 13_301 - lagTrustedMs, shard === 1)).toBe(false)
    }
    expect(trusted).toEqual([0, 1])
    expect(frame(0, 13_400, 13_400 - lagMaxMs)).toBe(false)
  })

  it('lets REST prove single books after a time without a conclusive message', () => {
    const { lag, frame } = late()
    frame(0, 13_000, null, true)
    expect([12_000, 12_000 + suspectQuietMs - 1, 12_000 + suspectQuietMs].map((at) => lag.isQuiet(0, at))).toEqual([
      false,
      false,
      true,
    ])
  })

  it('is trusted immediately when the feed was in time', () => {
    const { lag, frame } = world()
    for (let at = 0; at < 10_000; at += 250) frame(at, at)
    lag.opened(0, 10_000)
    expect(lag.isQuiet(0, 10_000)).toBe(true)
  })
})

describe('the lag of a feed', () => {
  it('is zero for any constant clock offset', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.array(fc.integer({ min: 0, max: pollJitterMs - 1 }), { minLength: 5, maxLength: 200 }),
        (offset, ways) => {
          const { frame, lagging } = world()
          ways.forEach((way, i) => {
            expect(frame(i * 500 + way, i * 500 + offset)).toBe(0)
          })
          expect(lagging(ways.length * 500 + 10_000)).toEqual([])
        },
      ),
    )
  })

  it('is measured when it grows with every message, and retires its socket soon after the limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e7, max: 1e7 }),
        fc.double({ min: 0.02, max: 0.9, noNaN: true }),
        (offset, slope) => {
          const { frame, lagging } = world()
          for (let at = 0; at < 60_000; at += 250) frame(at + 20, at + offset)
          let retiredAt: number | null = null
          for (let at = 60_000; retiredAt === null; at += 250) {
            const delay = (at - 60_000) * slope
            const now = at + 20 + delay
            const late = frame(now, at + offset)
            if (delay >= pollJitterMs) expect(late).toBeCloseTo(delay, -1)
            if (lagging(now).length > 0) retiredAt = now - at
          }
          expect(retiredAt).toBeGreaterThanOrEqual(lagMaxMs)
          expect(retiredAt).toBeLessThanOrEqual(lagMaxMs + 4_000)
        },
      ),
    )
  })

  it('is not inferred from snapshots of quiet markets, nor from one old message', () => {
    const { frame, lagging } = world()
    for (let at = 0; at < 10_000; at += 250) frame(at, at)
    for (let n = 0; n < 20; n++) expect(frame(10_000, n * 10, true)).toBe(0)
    expect(lagging(20_000)).toEqual([])
    frame(10_000, 0)
    frame(10_100, 0)
    expect(lagging(20_000)).toEqual([])
    frame(10_200, 10_200)
    frame(10_300, 0)
    expect(lagging(20_000)).toEqual([])
  })

  it('is not affected by one message from the future', () => {
    const { frame, lagging } = world()
    for (let at = 0; at < 10_000; at += 250) frame(at, at)
    frame(10_000, 10_000_000)
    for (let at = 10_250; at < 20_000; at += 250) expect(frame(at, at)).toBe(0)
    expect(lagging(20_000)).toEqual([])
  })

  it('applies to messages without a time, also on the next connection', () => {
    const { frame, lag } = world()
    for (let at = 0; at < 10_000; at += 250) frame(at, at)
    for (let at = 10_000; at < 12_000; at += 250) frame(at, at - 9_000)
    expect(frame(12_000, null, true)).toBe(9_000)
    lag.opened(0, 12_000)
    expect([...lag.lagging(20_000)]).toEqual([])
    expect(frame(12_100, null, true)).toBe(9_000)
    expect(frame(12_200, null, true, 1)).toBe(9_000)
    expect(frame(12_300, 12_300)).toBe(0)
    expect(frame(12_400, null, true)).toBe(0)
  })
})
