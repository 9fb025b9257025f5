import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conflationMs } from '#core/books/conflation'
import { ASK, BID } from '#core/books/levelStore'
import { LiveBook } from '#core/books/liveBook'
import { createArena, SharedBooksReader, SharedDepth } from '#core/books/shared/index'
import { BookFeed, legProofMs, livenessCheckMs } from '#core/books/sharedBookPublisher'
import { ManualClock } from '#core/clock'
import { Random, sampleBook } from '#test/src/arbitrage/worlds'

const at = 1_790_000_000_000

function world(slots = 8) {
  const arena = createArena(slots)
  const touched: number[] = []
  const feed = new BookFeed(arena, (slot) => touched.push(slot))
  const reader = new SharedBooksReader(arena)
  const depth = new SharedDepth()
  const book = (marketId = 'm') =>
    new LiveBook({ venue: 'kalshi', marketId, tickMicros: null, onDirty: () => undefined })
  const fill = (live: LiveBook, ask: number, ts: number | null) => {
    live.beginSnapshot()
    live.set(BID, ask - 10_000, 5)
    live.set(ASK, ask, 7.25)
    live.commit(ts, Math.max(at, ts ?? at))
  }
  return { feed, touched, reader, depth, book, fill }
}

describe('books in shared memory', () => {
  it('equal the books that ingest published', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { feed, reader, depth, book } = world()
        const { slot, generation } = feed.slotOf('kalshi', 'm')!
        const live = book()
        const sample = sampleBook(new Random(seed), 'm', at)
        live.beginSnapshot()
        for (const { micros, size } of sample.bids) live.set(BID, micros, Number(size))
        for (const { micros, size } of sample.asks) live.set(ASK, micros, Number(size))
        live.commit(sample.asOf, at)
        feed.update(live.update(1))
        feed.flush()
        expect(reader.read(slot, depth, generation)).toBe('ok')
        const kept = (levels: typeof sample.asks) =>
          levels.slice(0, 32).map(({ micros, size }) => [micros, Number(size)])
        expect(Array.from({ length: depth.asks }, (_, i) => [depth.askMicros[i], depth.askSizes[i]])).toEqual(
          kept(sample.asks),
        )
        expect(Array.from({ length: depth.bids }, (_, i) => [depth.bidMicros[i], depth.bidSizes[i]])).toEqual(
          kept(sample.bids),
        )
        expect([depth.stale, depth.eventTs, depth.recvTs]).toEqual([false, sample.asOf, at])
      }),
      { numRuns: 200 },
    )
  })

  it('of a part of a venue become stale while those of the others stay live', () => {
    const { feed, reader, depth, book, fill } = world()
    const handles = ['a', 'b'].map((id) => feed.slotOf('kalshi', id)!)
    const isStale = () =>
      handles.map(({ slot, generation }) => {
        reader.read(slot, depth, generation)
        return depth.stale
      })
    for (const [id, part] of [
      ['a', '1/2'],
      ['b', '2/2'],
    ] as const) {
      const live = book(id)
      fill(live, 500_000, at)
      feed.update({ ...live.update(1), part })
    }
    feed.flush()
    expect(isStale()).toEqual([false, false])
    expect([...feed.markVenueStale('kalshi', ({ part }) => part === '1/2')]).toEqual([])
    expect(isStale()).toEqual([true, false])
  })

  it('of a silent venue are stale until they are published again, those of other venues stay live', () => {
    const { feed, touched, reader, depth, book, fill } = world()
    const { slot, generation } = feed.slotOf('kalshi', 'm')!
    const other = feed.slotOf('polymarket', 'p')!
    feed.slotOf('kalshi', 'never published')
    const live = book()
    fill(live, 500_000, at)
    feed.update(live.update(1))
    feed.update({ ...live.update(1), venue: 'polymarket', marketId: 'p' })
    feed.flush()
    touched.length = 0
    const silence = (venue: string): number => {
      const marking = feed.markVenueStale(venue)
      for (;;) {
        const step = marking.next()
        if (step.done === true) return step.value
      }
    }
    expect(silence('kalshi')).toBe(1)
    expect(touched).toEqual([slot])
    reader.read(slot, depth, generation)
    expect(depth.stale).toBe(true)
    reader.read(other.slot, depth, other.generation)
    expect(depth.stale).toBe(false)
    // Marked once: a continuing silence changes nothing.
    expect(silence('kalshi')).toBe(0)
    // The very same book, published again by an ingest that did not notice the silence.
    feed.update(live.update(1))
    feed.flush()
    reader.read(slot, depth, generation)
    expect(depth.stale).toBe(false)
  })

  it('are read once per flush, however many updates arrived', () => {
    const { feed, touched, reader, depth, book, fill } = world()
    const { slot } = feed.slotOf('kalshi', 'm')!
    const live = book()
    for (let i = 1; i <= 50; i++) {
      fill(live, 500_000 + i * 1_000, at + i)
      expect(feed.update(live.update(1))).toBe(true)
    }
    expect(feed.flush()).toBe(1)
    expect(touched).toEqual([slot])
    reader.read(slot, depth)
    expect(depth.askMicros[0]).toBe(550_000)
  })

  it('become stale, and live again even with older venue times', () => {
    const { feed, reader, depth, book, fill } = world()
    const { slot } = feed.slotOf('kalshi', 'm')!
    const read = () => {
      feed.flush()
      reader.read(slot, depth)
      return [depth.stale, depth.askMicros[0]]
    }
    const live = book()
    fill(live, 500_000, at)
    feed.update(live.update(1))
    expect(read()).toEqual([false, 500_000])
    live.markStale('gap')
    feed.update(live.update(1))
    expect(read()).toEqual([true, 500_000])
    const back = book()
    fill(back, 600_000, at - 60_000)
    feed.update(back.update(2))
    expect(read()).toEqual([false, 600_000])
  })

  it('count breaks between two reads, also those that ended before anything was read', () => {
    const { feed, reader, depth, book, fill } = world()
    const { slot } = feed.slotOf('kalshi', 'm')!
    const breaksAfter = (...updates: (() => void)[]): number => {
      reader.read(slot, depth)
      const { breaks } = depth
      for (const each of updates) each()
      feed.flush()
      reader.read(slot, depth)
      return depth.breaks - breaks
    }
    const live = book()
    const publish = (epoch = 1) => feed.update(live.update(epoch))
    fill(live, 500_000, at)
    breaksAfter(publish)
    const next = () => {
      fill(live, 510_000, at)
      publish()
    }
    const gap = () => {
      live.markStale('gap')
      publish()
    }
    expect(breaksAfter(next, next)).toBe(0)
    // The same book published again is no break, and its seq shows that it is not new.
    expect(breaksAfter(publish)).toBe(0)
    expect(breaksAfter(gap)).toBeGreaterThan(0)
    expect(breaksAfter(next)).toBe(0)
    expect(breaksAfter(gap, next)).toBeGreaterThan(0)
    // Recovered before its owner published the gap.
    expect(
      breaksAfter(() => {
        live.markStale('gap')
        next()
      }),
    ).toBeGreaterThan(0)
    expect(breaksAfter(() => publish(2))).toBeGreaterThan(0)
    const other = book()
    fill(other, 500_000, at)
    expect(breaksAfter(() => feed.update({ ...other.update(2), breaks: live.breaks }))).toBeGreaterThan(0)
    expect(breaksAfter(() => [...feed.markVenueStale('kalshi')])).toBeGreaterThan(0)
  })

  it('count a break between updates flushed together that are far apart in event time', () => {
    const { feed, reader, depth, book, fill } = world()
    const { slot } = feed.slotOf('kalshi', 'm')!
    const live = book()
    const breaksAfter = (...times: number[]): number => {
      reader.read(slot, depth)
      const { breaks } = depth
      for (const time of times) {
        fill(live, 500_000, time)
        feed.update(live.update(1))
      }
      feed.flush()
      reader.read(slot, depth)
      return depth.breaks - breaks
    }
    breaksAfter(at)
    expect(breaksAfter(at + 3_000)).toBe(0)
    expect(breaksAfter(at + 3_010, at + 3_010 + conflationMs)).toBe(0)
    expect(breaksAfter(at + 4_000, at + 4_040, at + 4_001 + conflationMs)).toBe(1)
    expect(breaksAfter(at + 5_000, at + 8_000)).toBe(1)
  })

  it('have the time of their last trade where the venue provides it', () => {
    const { feed, reader, depth, book, fill } = world()
    const { slot } = feed.slotOf('kalshi', 'm')!
    const live = book()
    const lastTrade = (): number[] => {
      fill(live, 500_000, at)
      feed.update(live.update(1))
      feed.flush()
      reader.read(slot, depth)
      return [depth.lastTradeMicros, depth.lastTradeTs]
    }
    expect(lastTrade()).toEqual([NaN, NaN])
    live.traded(490_000, at - 5_000)
    expect(lastTrade()).toEqual([490_000, at - 5_000])
    // The same price without a time is that trade; another price is another one.
    live.traded(490_000, null)
    expect(lastTrade()).toEqual([490_000, at - 5_000])
    live.traded(480_000, null)
    expect(lastTrade()).toEqual([480_000, NaN])
  })

  it('are missing until they first arrive, also when they are kept a second time', () => {
    const { feed, book, fill } = world()
    const ids = ['a', 'b']
    for (const id of ids) feed.slotOf('kalshi', id)
    expect(feed.lacking('kalshi', ids)).toEqual([0, 1])
    const live = book('b')
    fill(live, 500_000, at)
    feed.update(live.update(1))
    expect(feed.lacking('kalshi', ids)).toEqual([0])
    feed.retain(() => false)
    for (const id of ids) feed.slotOf('kalshi', id)
    expect(feed.lacking('kalshi', ids)).toEqual([0, 1])
  })

  it('without readers are not parsed, and release their slots', () => {
    const { feed, touched, book, fill } = world(1)
    const live = book()
    fill(live, 500_000, at)
    expect(feed.update(live.update(1))).toBe(false)
    expect(feed.slotOf('kalshi', 'm')).not.toBeNull()
    expect(feed.slotOf('kalshi', 'other')).toBeNull()
    expect(feed.refused).toBe(1)
    feed.update(live.update(1))
    feed.retain(() => false)
    feed.flush()
    expect(touched).toEqual([])
    expect(feed.slotOf('kalshi', 'other')).not.toBeNull()
    expect(feed.wanted()).toEqual(new Map([['kalshi', ['other']]]))
  })

  it('that cannot be parsed become stale', () => {
    const { feed, reader, depth, book, fill } = world()
    const { slot } = feed.slotOf('kalshi', 'm')!
    const live = book()
    fill(live, 500_000, at)
    feed.update(live.update(1))
    feed.flush()
    feed.update({ ...live.update(1), core: Buffer.from('{"bids":[{') })
    feed.flush()
    reader.read(slot, depth)
    expect(depth.stale).toBe(true)
    expect(feed.malformed).toBe(1)
  })
})

describe('the proof of a book', () => {
  function proven() {
    const clock = new ManualClock(at)
    const arena = createArena(8)
    const touched: number[] = []
    const feed = new BookFeed(arena, (slot) => touched.push(slot), clock)
    const { slot, generation } = feed.slotOf('kalshi', 'm')!
    const reader = new SharedBooksReader(arena)
    const depth = new SharedDepth()
    const live = new LiveBook({ venue: 'kalshi', marketId: 'm', tickMicros: null, onDirty: () => undefined })
    live.beginSnapshot()
    live.set(ASK, 500_000, 7.25)
    live.commit(null, at)
    const update = live.update(3)
    feed.update(update)
    feed.flush()
    return {
      clock,
      feed,
      touched,
      update,
      isStale: () => {
        expect(reader.read(slot, depth, generation)).toBe('ok')
        return depth.stale
      },
      asks: () => depth.asks,
      checkProofs: () => {
        const judging = feed.expireProofs()
        for (;;) {
          const { done, value } = judging.next()
          if (done) return value
        }
      },
    }
  }

  it('expires without any message: the leg becomes stale, keeps its price, and is live again with the next proof', () => {
    const { clock, feed, touched, update, isStale, asks, checkProofs } = proven()
    // The next check would come after the limit.
    clock.advance(legProofMs - livenessCheckMs)
    expect([checkProofs(), isStale()]).toEqual([0, false])
    clock.advance(1)
    expect([checkProofs(), isStale(), asks()]).toEqual([1, true, 1])
    expect(touched).toHaveLength(2)
    const { venue, epoch, marketId, seq } = update
    expect(feed.prove({ venue, epoch, books: [[marketId, seq]], at: clock.now() })).toBe(true)
    expect([isStale(), touched.length]).toEqual([false, 3])
  })

  it('is known to be over as soon as its time has passed, before it is checked', () => {
    const { clock, feed, isStale, checkProofs } = proven()
    clock.advance(legProofMs - livenessCheckMs)
    expect([feed.isProven('kalshi', 'm'), feed.isProven('kalshi', 'other')]).toEqual([true, false])
    clock.advance(1)
    expect([feed.isProven('kalshi', 'm'), isStale()]).toEqual([false, false])
    checkProofs()
    expect(feed.isProven('kalshi', 'm')).toBe(false)
  })

  it('does not apply to another seq of the market, to a stale book, or when it is too old', () => {
    const { clock, feed, update, isStale, checkProofs } = proven()
    const { venue, epoch, marketId, seq } = update
    clock.advance(20_000)
    checkProofs()
    const prove = (over: Partial<Parameters<BookFeed['prove']>[0]>) =>
      feed.prove({ venue, epoch, books: [[marketId, seq]], at: clock.now(), ...over })
    expect(prove({ epoch: epoch - 1 })).toBe(false)
    expect(prove({ books: [[marketId, seq - 1]] })).toBe(false)
    expect(prove({ at: clock.now() - 16_000 })).toBe(false)
    expect(isStale()).toBe(true)
    feed.update({ ...update, seq: seq + 1, state: 'stale' })
    feed.flush()
    expect(prove({ books: [[marketId, seq + 1]] })).toBe(false)
    expect(isStale()).toBe(true)
  })

  it('has a shorter limit where the venue requires it', () => {
    const { clock, feed, isStale, checkProofs } = proven()
    feed.limitProofs('kalshi', 5_000)
    clock.advance(5_001)
    expect([checkProofs(), isStale()]).toEqual([1, true])
  })
})
