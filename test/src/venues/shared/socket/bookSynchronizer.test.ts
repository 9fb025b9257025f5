// What a connection may write into its books: whole books, changes on top of them, and changes held until a book arrives.
import { describe, expect, it } from 'vitest'
import { createPrng } from '#lab/prng'
import { type StreamWorld, streamWorld, writeSnapshot } from '#test/support/streamFeed'
import type { BookSynchronizer } from '#venues/shared/socket/bookSynchronizer'
import { jsonSession } from '#venues/shared/socket/jsonSession'
import { ASK, BID } from '#venues/venue'

const T = 1_790_000_000_000
const seeds = process.env.CROSSBOOK_TEST_LONG === '1' ? 3_000 : 100
const empty = { bids: [], asks: [] }

/** A session without protocol: the test writes into its books itself. */
function world(...bookIds: string[]): StreamWorld & { fed: BookSynchronizer } {
  let fed!: BookSynchronizer
  const made = streamWorld('myriad', bookIds, (feed) =>
    jsonSession(feed, (books) => {
      fed = books
      return { subscribe: () => [], unsubscribe: () => [], read: () => 'data' }
    }),
  )
  made.session.subscribe(bookIds)
  return { ...made, fed }
}

describe('whole books', () => {
  it('replace the previous book, and older ones are ignored', () => {
    const { fed, levels, session } = world('a')
    expect(session.feeds('a')).toBe(false)
    fed.whole('a', { bids: [[400_000, 5]], asks: [[600_000, 7]], eventTs: null, sequence: '0000042' }, T)
    expect(session.feeds('a')).toBe(true)
    fed.whole('a', { bids: [[410_000, 1]], asks: [], eventTs: null, sequence: '0000041' }, T)
    expect(levels('a')).toEqual({ bids: [[400_000, 5]], asks: [[600_000, 7]] })
    fed.whole('a', { bids: [[410_000, 1]], asks: [], eventTs: null, sequence: '0000100' }, T)
    expect(levels('a')).toEqual({ bids: [[410_000, 1]], asks: [] })
    expect(fed.counts.late).toBe(1)
  })

  it('that are unreadable remove the book', () => {
    const { fed, levels, events } = world('a')
    fed.whole('a', { bids: [[400_000, 5]], asks: [], eventTs: null }, T)
    fed.whole('a', { bids: null, asks: [], eventTs: null }, T)
    expect(levels('a')).toBeNull()
    expect(events).toEqual(['malformed a level of a', 'broken a unreadable'])
  })

  it('that are crossed are not shown', () => {
    const { fed, levels, events } = world('a')
    fed.whole('a', { bids: [[600_000, 5]], asks: [[400_000, 5]], eventTs: null }, T)
    expect(levels('a')).toBeNull()
    expect(events).toEqual(['broken a crossed'])
  })

  it('of an unwatched book are ignored', () => {
    const { fed, session, levels, events } = world('a')
    session.unsubscribe(['a'])
    fed.whole('a', { bids: [[400_000, 5]], asks: [], eventTs: null }, T)
    fed.change('a', { levels: [[BID, 400_000, 1]], eventTs: null }, T)
    expect([levels('a'), session.feeds('a'), events]).toEqual([null, false, []])
  })
})

describe('changes', () => {
  const start = {
    bids: [[400_000, 5]] as [number, number][],
    asks: [[600_000, 7]] as [number, number][],
    eventTs: null,
  }

  it('with a missing number break the book, and later ones wait for a whole book', () => {
    const { fed, levels, events } = world('a')
    fed.whole('a', { ...start, sequence: 10 }, T)
    fed.change('a', { levels: [[BID, 400_000, 6]], eventTs: null, sequence: 11 }, T)
    fed.change('a', { levels: [[BID, 400_000, 6]], eventTs: null, sequence: 11 }, T)
    expect(levels('a')!.bids).toEqual([[400_000, 6]])
    fed.change('a', { levels: [[BID, 390_000, 1]], eventTs: null, sequence: 13 }, T)
    fed.change('a', { levels: [[BID, 380_000, 1]], eventTs: null, sequence: 14 }, T)
    expect(levels('a')).toBeNull()
    expect(events).toEqual(['broken a gap'])
    expect(fed.counts).toEqual({ repeated: 1, late: 0, gaps: 1 })
    // In band: it contains all of them.
    fed.whole('a', { ...start, sequence: 14 }, T)
    fed.change('a', { levels: [[ASK, 600_000, 0]], eventTs: null, sequence: 15 }, T)
    expect(levels('a')).toEqual({ bids: [[400_000, 5]], asks: [] })
  })

  it('may contain the number of their predecessor', () => {
    const { fed, levels, events } = world('a')
    fed.whole('a', { ...start, sequence: 10 }, T)
    // Two at once, one of which is already in the book.
    fed.change('a', { levels: [[BID, 400_000, 8]], eventTs: null, sequence: 12, after: 9 }, T)
    fed.change('a', { levels: [[BID, 400_000, 9]], eventTs: null, sequence: 20, after: 12 }, T)
    expect([levels('a')!.bids, events]).toEqual([[[400_000, 9]], []])
    fed.change('a', { levels: [[BID, 400_000, 1]], eventTs: null, sequence: 22, after: 21 }, T)
    expect(events).toEqual(['broken a gap'])
  })

  it('without numbers are ordered by their times', () => {
    const { fed, levels } = world('a')
    fed.whole('a', { ...start, eventTs: T + 5 }, T)
    fed.change('a', { levels: [[BID, 400_000, 1]], eventTs: T + 4 }, T)
    fed.change('a', { levels: [[ASK, 600_000, 1]], eventTs: T + 5 }, T)
    expect(levels('a')).toEqual({ bids: [[400_000, 5]], asks: [[600_000, 1]] })
    expect(fed.counts.late).toBe(1)
  })

  it('wait for the REST snapshot after the subscription was acknowledged', () => {
    const made = world('a')
    const { fed, levels, events, session } = made
    fed.unseeded('a')
    expect([session.feeds('a'), events]).toEqual([true, ['unseeded a']])
    fed.change('a', { levels: [[BID, 410_000, 2]], eventTs: null }, T)
    fed.change(
      'a',
      {
        levels: [
          [BID, 410_000, 3],
          [ASK, 600_000, 0],
        ],
        eventTs: null,
      },
      T,
    )
    expect(levels('a')).toBeNull()
    writeSnapshot(made, 'a', start)
    expect(levels('a')).toEqual({
      bids: [
        [410_000, 3],
        [400_000, 5],
      ],
      asks: [],
    })
  })

  it('older than the REST snapshot are not applied to it', () => {
    const made = world('a')
    made.fed.unseeded('a')
    made.fed.change('a', { levels: [[BID, 410_000, 2]], eventTs: T }, T)
    made.fed.change('a', { levels: [[BID, 420_000, 2]], eventTs: T + 9 }, T)
    writeSnapshot(made, 'a', start, T + 5)
    expect(made.levels('a')!.bids).toEqual([
      [420_000, 2],
      [400_000, 5],
    ])
  })

  it('lost during a REST read cause another read', () => {
    const made = world('a')
    made.fed.change('a', { levels: [[BID, 410_000, 2]], eventTs: null, sequence: 1 }, T)
    made.fed.change('a', { levels: [[BID, 410_000, 4]], eventTs: null, sequence: 3 }, T)
    writeSnapshot(made, 'a', start)
    expect([made.levels('a'), made.events]).toEqual([null, ['unseeded a', 'broken a gap']])
    writeSnapshot(made, 'a', start)
    expect(made.levels('a')!.bids).toEqual([[400_000, 5]])
  })

  it('with more levels than any book has cause another read', () => {
    const made = world('a')
    for (let i = 1; i <= 10_001; i++) made.fed.change('a', { levels: [[BID, i, 1]], eventTs: null }, T)
    writeSnapshot(made, 'a', empty)
    expect(made.events).toEqual(['unseeded a', 'broken a gap'])
  })

  it('to a book without a base request a REST read once, with the first of them', () => {
    const made = world('a')
    expect(made.fed.isDelivered('a')).toBe(false)
    for (const size of [2, 3]) made.fed.change('a', { levels: [[BID, 410_000, size]], eventTs: null }, T)
    expect([made.fed.isDelivered('a'), made.events]).toEqual([true, ['unseeded a']])
  })
})

it('a live book always ends equal to the venue’s, however REST and socket interleave and whatever is lost', () => {
  for (let seed = 0; seed < seeds; seed++) {
    const random = createPrng(`interleaved ${seed}`)
    const made = world('a')
    const truth = { bids: new Map<number, number>(), asks: new Map<number, number>() }
    const shown = () => ({
      bids: [...truth.bids].sort(([a], [b]) => b - a),
      asks: [...truth.asks].sort(([a], [b]) => a - b),
    })
    const wire: (() => void)[] = []
    let number = 0
    const move = (): void => {
      const isBid = random.chance(0.5)
      const micros = (isBid ? 100_000 : 600_000) + random.int(8) * 10_000
      const size = random.chance(0.4) ? 0 : 1 + random.int(9)
      const side = isBid ? truth.bids : truth.asks
      if (size === 0) side.delete(micros)
      else side.set(micros, size)
      const sequence = ++number
      wire.push(() => made.fed.change('a', { levels: [[isBid ? BID : ASK, micros, size]], eventTs: null, sequence }, T))
    }
    made.fed.unseeded('a')
    let reading: ReturnType<typeof shown> | null = null
    for (let i = 0; i < 120; i++) {
      move()
      if (random.chance(0.05)) wire.splice(random.int(wire.length), 1)
      // The socket lags by some messages, REST by some more.
      while (wire.length > 3 || (wire.length > 0 && random.chance(0.4))) wire.shift()!()
      if (made.books.get('a')!.synced) reading = null
      else if (reading === null) reading = shown()
      else if (random.chance(0.5)) {
        writeSnapshot(made, 'a', reading)
        reading = null
      }
    }
    // Nothing is lost at the end, because only a later number would reveal it.
    move()
    while (wire.length > 0) wire.shift()!()
    for (let i = 0; i < 3 && !made.books.get('a')!.synced; i++) writeSnapshot(made, 'a', shown())
    expect(made.levels('a'), `seed ${seed}`).toEqual(shown())
  }
})
