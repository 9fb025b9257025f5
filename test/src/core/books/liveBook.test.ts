import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ASK, BID } from '#core/books/book'
import { conflationMs } from '#core/books/conflation'
import { aheadMaxMs, LiveBook, outOfOrderToleranceMs, repeatedOlderMs } from '#core/books/liveBook'
import { decodeCore } from './decodeCore.ts'
import { anyMicros, anySide, decimal, OracleBook } from './oracle.ts'

function watched(tickMicros: number | null = 10_000) {
  const dirtied: LiveBook[] = []
  const broken: string[] = []
  const book = new LiveBook({
    venue: 'kalshi',
    marketId: 'KXTEST-26-A',
    tickMicros,
    onDirty: (dirty) => dirtied.push(dirty),
    onBroken: (_, reason) => broken.push(reason),
  })
  return { book, dirtied, broken }
}

function snapshot(
  book: LiveBook,
  bids: [number, number][],
  asks: [number, number][],
  eventTs: number | null,
  recvTs = 50,
) {
  book.beginSnapshot()
  for (const [micros, size] of bids) book.set(BID, micros, size)
  for (const [micros, size] of asks) book.set(ASK, micros, size)
  return book.commit(eventTs, recvTs)
}

const read = (book: LiveBook) => decodeCore(book.core())

describe('a live book', () => {
  it('ignores deltas before its first snapshot and announces nothing', () => {
    const { book, dirtied } = watched()
    expect([book.set(BID, 400_000, 5), book.add(BID, 400_000, 5), book.commit(1, 1)]).toEqual([true, 0, 'ignored'])
    expect([book.state, book.synced, book.bestBidMicros(), dirtied.length, book.seq]).toEqual([
      'awaiting',
      false,
      null,
      0,
      0,
    ])
    expect(read(book)).toEqual({ bids: [], asks: [], timestamp: 0 })
  })

  it('counts a break when conflated changes of its best price span more time than one update covers, but not deeper levels', () => {
    const { book } = watched()
    const best = (micros: number, time: number) => snapshot(book, [[micros, 5]], [[900_000, 5]], time, time)
    best(400_000, 1_000)
    book.core()
    // Published one by one, however far apart.
    best(410_000, 4_000)
    book.core()
    expect(book.breaks).toBe(0)
    best(420_000, 4_100)
    best(410_000, 4_100 + conflationMs)
    book.core()
    expect(book.breaks).toBe(0)
    best(400_000, 4_500)
    best(410_000, 4_501 + conflationMs)
    book.core()
    expect(book.breaks).toBe(1)
    best(410_000, 5_000)
    book.set(BID, 300_000, 7)
    book.commit(9_000, 9_000)
    book.core()
    expect(book.breaks).toBe(1)
  })

  it('publishes snapshots and deltas, best first, with the event time', () => {
    const { book } = watched()
    expect(
      snapshot(
        book,
        [
          [400_000, 5],
          [410_000, 2.5],
        ],
        [
          [430_000, 1],
          [420_000, 3],
        ],
        1_000,
      ),
    ).toBe('published')
    book.set(BID, 410_000, 0)
    book.add(ASK, 420_000, 1.5)
    expect(book.commit(1_001, 60)).toBe('published')
    expect(read(book)).toEqual({
      bids: [{ price: 0.4, size: 5 }],
      asks: [
        { price: 0.42, size: 4.5 },
        { price: 0.43, size: 1 },
      ],
      timestamp: 1_001,
    })
    expect([book.state, book.synced, book.recvTs]).toEqual(['live', true, 60])
  })

  it('is announced once between two reads, and its seq increases by one with each announcement', () => {
    const { book, dirtied } = watched()
    snapshot(book, [[400_000, 5]], [], 1)
    book.set(BID, 400_000, 6)
    book.commit(2, 51)
    expect([dirtied.length, book.seq]).toEqual([1, 1])
    const core = book.core()
    expect(book.core()).toBe(core)
    book.set(BID, 400_000, 7)
    book.commit(3, 52)
    book.markStale('gap')
    expect([dirtied.length, book.seq]).toEqual([2, 2])
    expect(book.update(9)).toMatchObject({ seq: 2, commits: 3 })
    snapshot(book, [[400_000, 8]], [], 4)
    expect([dirtied.length, book.seq]).toEqual([3, 3])
  })

  it('has no level that the newest snapshot does not contain, in 100 of 100 cases', () => {
    const anySnapshot = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 49 }), fc.integer({ min: 1, max: 1_000 })), {
      selector: ([tick]) => tick,
    })
    fc.assert(
      fc.property(anySnapshot, anySnapshot, fc.boolean(), (first, second, disconnects) => {
        const { book } = watched()
        snapshot(
          book,
          first.map(([tick, size]) => [tick * 10_000, size]),
          first.map(([tick, size]) => [(100 - tick) * 10_000, size]),
          1,
        )
        if (disconnects) book.markStale('disconnected')
        snapshot(
          book,
          second.map(([tick, size]) => [tick * 10_000, size]),
          [],
          2,
        )
        const fresh = watched().book
        snapshot(
          fresh,
          second.map(([tick, size]) => [tick * 10_000, size]),
          [],
          2,
        )
        expect(book.core().equals(fresh.core())).toBe(true)
        expect(book.count(ASK)).toBe(0)
      }),
      { numRuns: 100 },
    )
  })

  it('equals the reference over random streams with stale times, older snapshots and mixed grids', () => {
    const anyEvent = fc.record({
      kind: fc.constantFrom('delta', 'delta', 'delta', 'delta', 'snapshot', 'older', 'stale'),
      levels: fc.array(fc.tuple(anySide, anyMicros, fc.nat(100_000)), { minLength: 1, maxLength: 6 }),
      step: fc.nat(5),
    })
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        const { book } = watched()
        let oracle = new OracleBook()
        let live = false
        let dropped = 0
        let now = 1_000
        let published = 0
        for (const { kind, levels, step } of events) {
          now += step
          if (kind === 'stale') {
            book.markStale('gap')
            live = false
            continue
          }
          const isSnapshot = kind !== 'delta'
          const refused = kind === 'older' && book.eventTs !== null
          const next = new OracleBook()
          if (!isSnapshot)
            for (const side of [BID, ASK] as const)
              for (const level of oracle.levels(side))
                next.set(side, level.priceMicros, decimal(Math.round(level.size * 100)))
          if (isSnapshot) book.beginSnapshot()
          for (const [side, micros, hundredths] of levels) {
            // Bids below the middle, asks above, so that this stream never crosses.
            const apart = side === BID ? Math.min(micros, 490_000) : Math.max(micros, 510_000)
            book.set(side, apart, hundredths / 100)
            next.set(side, apart, decimal(hundredths))
          }
          const result = book.commit(refused ? book.eventTs! - 1 : now, now)
          if (refused) {
            dropped++
            expect(result).toBe('older')
          } else if (isSnapshot || live) {
            expect(result).toBe('published')
            oracle = next
            live = true
          } else expect(result).toBe('ignored')
          expect(book.synced).toBe(live)
          if (!live) continue
          const core = read(book)
          expect(core.timestamp).toBeGreaterThanOrEqual(published)
          published = core.timestamp
          for (const [side, got] of [
            [BID, core.bids],
            [ASK, core.asks],
          ] as const)
            expect(got).toEqual(
              oracle.levels(side).map(({ priceMicros, size }) => ({ price: priceMicros / 1e6, size })),
            )
        }
        expect(book.olderDropped).toBe(dropped)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('a held book', () => {
  it('keeps its published bytes until the next commit, even when a commit was not yet published', () => {
    const { book, dirtied } = watched()
    snapshot(book, [[400_000, 5]], [[600_000, 1]], 1)
    const core = book.core()
    book.set(BID, 400_000, 6)
    book.commit(2, 51)
    book.set(BID, 700_000, 7)
    expect([book.hold(), book.hold(), book.isHeld, book.holds]).toEqual([true, true, true, 1])
    expect(book.update(3)).toMatchObject({ state: 'live', core })
    book.set(BID, 700_000, 0)
    expect(dirtied.length).toBe(2)
    expect(book.commit(3, 52)).toBe('published')
    expect([book.isHeld, dirtied.length]).toEqual([false, 3])
    expect(read(book).bids).toEqual([{ price: 0.4, size: 6 }])
  })

  it('requires published bytes from the current live state, and is not possible while withheld', () => {
    const { book } = watched()
    expect(book.hold()).toBe(false)
    snapshot(book, [[400_000, 5]], [[600_000, 1]], 1)
    expect(book.hold()).toBe(false)
    book.core()
    book.markStale('gap')
    expect(book.hold()).toBe(false)
    snapshot(book, [[410_000, 5]], [[600_000, 1]], 2)
    expect(book.hold()).toBe(false)
    book.core()
    book.withhold('lagging')
    expect(book.hold()).toBe(false)
    book.release()
    expect(book.hold()).toBe(true)
    book.markStale('best_mismatch')
    expect([book.isHeld, book.update(3).staleReason]).toEqual([false, 'best_mismatch'])
  })
})

describe('a stale book', () => {
  it('ignores deltas, keeps the last read bytes and stays stale until the next snapshot', () => {
    const { book } = watched()
    snapshot(book, [[400_000, 5]], [[600_000, 1]], 1)
    const core = book.core()
    book.set(BID, 400_000, 77)
    book.markStale('best_mismatch')
    expect([book.set(BID, 390_000, 1), book.add(BID, 400_000, 1), book.commit(2, 51)]).toEqual([true, 0, 'ignored'])
    expect(book.core()).toBe(core)
    expect(book.update(3)).toMatchObject({ state: 'stale', staleReason: 'best_mismatch', core, epoch: 3 })
    expect([book.count(BID), book.bestBidMicros()]).toEqual([0, null])
    snapshot(book, [[410_000, 1]], [], 2)
    const update = book.update(3)
    expect([update.state, update.staleReason]).toEqual(['live', undefined])
    expect(decodeCore(update.core).bids).toEqual([{ price: 0.41, size: 1 }])
  })

  it('is announced once, whatever further reasons follow', () => {
    const { book, dirtied } = watched()
    snapshot(book, [[400_000, 5]], [], 1)
    book.core()
    book.markStale('gap')
    book.core()
    book.markStale('gap')
    expect(dirtied.length).toBe(2)
    book.markStale('silence')
    expect([dirtied.length, book.staleReason]).toEqual([2, 'silence'])
  })

  it('drops a half-written snapshot', () => {
    const { book } = watched()
    book.beginSnapshot()
    book.set(BID, 400_000, 5)
    book.markStale('disconnected')
    expect(book.commit(1, 50)).toBe('ignored')
    book.beginSnapshot()
    book.set(BID, 300_000, 5)
    book.abandonSnapshot()
    expect(book.commit(1, 50)).toBe('ignored')
    snapshot(book, [], [[500_000, 1]], 1)
    expect(read(book).bids).toEqual([])
  })
})

describe('a crossed book', () => {
  it('is not published, becomes stale and requests a resync, whether a delta or a snapshot crossed it', () => {
    for (const bySnapshot of [false, true]) {
      for (const price of [600_000, 610_000]) {
        const { book, broken } = watched()
        snapshot(book, [[400_000, 5]], [[600_000, 1]], 1)
        const core = book.core()
        const version = book.topVersion
        if (bySnapshot) expect(snapshot(book, [[price, 5]], [[600_000, 1]], 2)).toBe('crossed')
        else {
          book.set(BID, price, 1)
          expect(book.commit(2, 51)).toBe('crossed')
        }
        expect([book.state, book.staleReason, broken, book.topVersion]).toEqual([
          'stale',
          'crossed',
          ['crossed'],
          version,
        ])
        expect(book.update(1).core).toBe(core)
      }
    }
  })
})

describe('time', () => {
  it('never goes back in published frames, even where deltas in sequence carry older times', () => {
    const { book } = watched()
    snapshot(book, [[400_000, 5]], [], 1_000)
    book.add(BID, 400_000, 1)
    expect(book.commit(998, 51)).toBe('published')
    expect([read(book).timestamp, read(book).bids[0]?.size, book.eventTs]).toEqual([1_000, 6, 1_000])
  })

  it('rejects and counts an older snapshot, but accepts an equal or unknown time', () => {
    const { book, dirtied } = watched()
    snapshot(book, [[400_000, 5]], [], 1_000)
    book.core()
    expect(snapshot(book, [[300_000, 1]], [], 999)).toBe('older')
    expect([book.olderDropped, dirtied.length, book.accepts(999), book.accepts(1_000), book.accepts(null)]).toEqual([
      1,
      1,
      false,
      true,
      true,
    ])
    expect(read(book).bids).toEqual([{ price: 0.4, size: 5 }])
    book.set(BID, 390_000, 1)
    expect(book.commit(1_001, 52)).toBe('published')
    expect(read(book).bids).toHaveLength(2)
    expect(snapshot(book, [[310_000, 1]], [], 1_001)).toBe('published')
    expect(snapshot(book, [[320_000, 1]], [], null, 2_000)).toBe('published')
    expect([read(book).bids, read(book).timestamp]).toEqual([[{ price: 0.32, size: 1 }], 2_000])
    expect([book.eventTs, book.accepts(1_000)]).toEqual([null, false])
  })

  it('going back is accepted by a stale book after repeated snapshots, never by a live one', () => {
    const { book } = watched()
    snapshot(book, [[400_000, 5]], [], 1_000, 50)
    expect(snapshot(book, [[300_000, 1]], [], 10, 50 + 10 * repeatedOlderMs)).toBe('older')
    book.markStale('gap')
    expect(snapshot(book, [[300_000, 1]], [], 10, 60)).toBe('older')
    expect(snapshot(book, [[300_000, 1]], [], 11, 59 + repeatedOlderMs)).toBe('older')
    expect(snapshot(book, [[300_000, 1]], [], 12, 60 + repeatedOlderMs)).toBe('published')
    expect([book.eventTs, read(book).timestamp]).toEqual([12, 1_000])
  })

  it('going back breaks a live book after nothing newer arrived for a while', () => {
    const { book, broken } = watched()
    const offer = (eventTs: number, recvTs: number) => snapshot(book, [[800_000, 1]], [], eventTs, recvTs)
    snapshot(book, [[400_000, 5]], [], 100_000, 100_000)
    expect([offer(90_000, 101_000), offer(94_999, 100_999 + outOfOrderToleranceMs), book.state]).toEqual([
      'older',
      'older',
      'live',
    ])
    // An accepted update in between resets the timer.
    expect(offer(100_500, 106_100)).toBe('published')
    expect([offer(96_000, 106_200), offer(100_100, 106_199 + outOfOrderToleranceMs), book.state]).toEqual([
      'older',
      'older',
      'live',
    ])
    expect([offer(100_101, 106_200 + outOfOrderToleranceMs), book.state, broken]).toEqual([
      'older',
      'stale',
      ['clock_turned_back'],
    ])
    // It counts from the first one.
    expect([offer(100_200, 106_199 + repeatedOlderMs), offer(100_201, 106_200 + repeatedOlderMs)]).toEqual([
      'older',
      'published',
    ])
    expect([book.state, read(book).bids]).toEqual(['live', [{ price: 0.8, size: 1 }]])
    // Rejected changes that a session skips count as well.
    for (const ms of [0, outOfOrderToleranceMs]) book.refused(150_000 + ms)
    expect([book.state, broken]).toEqual(['stale', ['clock_turned_back', 'clock_turned_back']])
  })

  it('that is impossible counts as unknown', () => {
    for (const absurd of [NaN, -5, Infinity, 1_790_000_000_000_000]) {
      const { book } = watched()
      snapshot(book, [[400_000, 5]], [], absurd, 70)
      expect([book.eventTs, read(book).timestamp]).toEqual([null, 70])
      expect(snapshot(book, [[300_000, 1]], [], 1_000, 71)).toBe('published')
    }
  })

  it('too far ahead of its receipt counts as unknown, so later updates with correct times are accepted', () => {
    const { book } = watched()
    const now = 1_790_000_000_000
    snapshot(book, [[400_000, 5]], [], now, now)
    expect(snapshot(book, [[410_000, 1]], [], now + 3_600_000, now + 10)).toBe('published')
    expect([book.eventTs, read(book).timestamp]).toEqual([null, now + 10])
    expect(book.accepts(now + 20)).toBe(true)
    expect(snapshot(book, [[800_000, 1]], [], now + 20, now + 20)).toBe('published')
    expect([book.eventTs, read(book).timestamp, read(book).bids]).toEqual([
      now + 20,
      now + 20,
      [{ price: 0.8, size: 1 }],
    ])
    expect(snapshot(book, [[810_000, 1]], [], now + 30 + aheadMaxMs, now + 30)).toBe('published')
    expect(book.eventTs).toBe(now + 30 + aheadMaxMs)
  })
})

describe('the top', () => {
  it('has a version that increases only when a best price or size changes', () => {
    const { book } = watched()
    const top = book.top()
    snapshot(
      book,
      [
        [400_000, 5],
        [390_000, 1],
      ],
      [[600_000, 2]],
      1,
    )
    expect(top).toEqual({ bidMicros: 400_000, bidSize: 5, askMicros: 600_000, askSize: 2 })
    expect(book.topVersion).toBe(1)
    book.set(BID, 390_000, 7)
    book.commit(2, 51)
    snapshot(
      book,
      [
        [400_000, 5],
        [100_000, 1],
      ],
      [[600_000, 2]],
      3,
    )
    expect(book.topVersion).toBe(1)
    book.set(ASK, 600_000, 0)
    book.commit(4, 52)
    expect([book.topVersion, top]).toEqual([2, { bidMicros: 400_000, bidSize: 5, askMicros: null, askSize: 0 }])
    book.set(BID, 400_000, 5.5)
    book.commit(5, 53)
    expect([book.topVersion, book.top() === top]).toEqual([3, true])
  })
})

it('counts malformed writes and leaves the book unchanged', () => {
  const { book } = watched()
  snapshot(book, [[400_000, 5]], [], 1)
  expect([book.set(BID, 400_000, NaN), book.set(BID, -1, 5), book.add(ASK, 0.5, 1)]).toEqual([false, false, NaN])
  expect([book.malformed, read(book).bids]).toEqual([3, [{ price: 0.4, size: 5 }]])
})
