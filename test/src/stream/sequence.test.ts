// The sequence of a book's frames, and books with a limited depth.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TopicRef } from '#stream/topic'
import { type SlowPeer, setUp } from './slowPeer.ts'
import { bookUpdate, type Frame, seqOf } from './support.ts'

const booksOf = (peer: SlowPeer): Frame[] => peer.received.filter(({ type }) => type !== 'error')

describe('sequence', () => {
  it('counts in every update the books that were left out since the last frame, however slowly a client reads', () => {
    const step = fc.record({
      books: fc.integer({ min: 0, max: 3 }),
      reads: fc.tuple(fc.nat(2_000), fc.nat(200)),
      stale: fc.boolean(),
      joins: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { hub, connect } = setUp({ bufferedBytesMax: 300 })
        const peers = [connect(1), connect(2)]
        for (const { peer } of peers) peer.window = 0
        for (const { member } of peers) hub.subscribe(member, 'orderbook', 'test', 'm')
        let seq = 0
        for (const { books, reads, stale, joins } of steps) {
          if (joins) {
            const late = connect(peers.length + 1)
            peers.push(late)
            hub.subscribe(late.member, 'orderbook', 'test', 'm')
          }
          for (let i = 0; i < books; i++) hub.book(bookUpdate('m', ++seq))
          if (stale) hub.book(bookUpdate('m', seq, { state: 'stale', staleReason: 'gap' }))
          hub.flush()
          for (const [i, { peer, member }] of peers.entries()) {
            peer.window = reads[i % 2]!
            peer.read()
            hub.drained(member)
          }
        }
        for (const { peer, member } of peers) {
          peer.window = Number.POSITIVE_INFINITY
          peer.read()
          hub.drained(member)
          let before: Frame | undefined
          for (const frame of booksOf(peer)) {
            if (frame.type === 'update') expect(frame.sequence).toBe(before!.sequence! + 1 + (frame.conflated ?? 0))
            // No book is repeated and none goes back, also across stale periods.
            else if (before !== undefined) expect(frame.sequence).toBeGreaterThan(before.sequence!)
            expect(frame.conflated).not.toBe(0)
            before = frame
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  it('counts what a tick leaves out, and is equal for every reader', () => {
    const { hub, connect } = setUp()
    const [first, second] = [connect(1), connect(2)]
    for (const { member } of [first, second]) hub.subscribe(member, 'orderbook', 'test', 'm')
    hub.book(bookUpdate('m', 1))
    hub.flush()
    for (const seq of [2, 3, 4]) hub.book(bookUpdate('m', seq))
    hub.flush()
    expect(booksOf(first.peer)).toMatchObject([{ type: 'snapshot' }, { type: 'update', conflated: 2 }])
    expect(booksOf(first.peer).map(({ sequence }) => sequence)).toEqual([1, 4])
    expect(booksOf(second.peer)).toEqual(booksOf(first.peer))
  })
})

describe('books that ingest skipped', () => {
  it('are counted, across repeats and at any depth, but not across stale periods', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect(1)
    hub.subscribe(member, 'orderbook', 'test', 'm')
    const publish = (seq: number, commits: number, of: object = {}): void => {
      hub.book(bookUpdate('m', seq, { commits, ...of }))
      hub.flush()
    }
    publish(1, 5)
    publish(2, 6)
    publish(3, 10)
    expect(booksOf(peer).map(({ sequence, conflated }) => [sequence, conflated])).toEqual([
      [1, undefined],
      [2, undefined],
      [6, 3],
    ])
    publish(4, 14, { state: 'stale', staleReason: 'gap' })
    publish(5, 20)
    publish(6, 21)
    // The book was reopened.
    publish(7, 1)
    publish(8, 3)
    expect(booksOf(peer).slice(3)).toMatchObject([
      { type: 'snapshot' },
      { type: 'update', sequence: 8 },
      { type: 'update', sequence: 9 },
      { type: 'update', sequence: 11, conflated: 1 },
    ])
  })
})

describe('depth', () => {
  const deep = (seq: number, sizes: number[]) => {
    const levels = sizes.map((size, i) => ({ price: (40 - i) / 100, size }))
    const text = JSON.stringify({ bids: levels, asks: [{ price: 0.5, size: 7 }], timestamp: seq })
    return bookUpdate('m', seq, { core: Buffer.from(text.slice(0, -1)) })
  }
  const ref = (depth?: number): TopicRef => ({
    bookId: 'm',
    complement: false,
    ...(depth !== undefined && { depth }),
  })

  it('cuts both sides, and sends nothing while the visible levels are unchanged', () => {
    const { hub, connect } = setUp()
    const [best, whole] = [connect(1), connect(2)]
    hub.subscribe(best.member, 'orderbook', 'test', 'm', ref(1))
    hub.subscribe(whole.member, 'orderbook', 'test', 'm', ref())
    for (const [i, sizes] of [
      [1, 2, 3],
      [1, 9, 3],
      [1, 9],
      [4, 9],
    ].entries()) {
      hub.book(deep(i + 1, sizes))
      hub.flush()
    }
    expect(booksOf(whole.peer).map(({ data }) => data!.bids.length)).toEqual([3, 3, 2, 2])
    expect(booksOf(best.peer).map(({ data, sequence }) => [data!.bids.map(({ size }) => size), sequence])).toEqual([
      [[1], 1],
      [[4], 2],
    ])
    expect(hub.sum()).toMatchObject({ produced: 6, sent: 6 })
  })

  it('applies to the complement outcome as well, and a later reader gets the newest book', () => {
    const { hub, connect } = setUp()
    const [early, late] = [connect(1), connect(2)]
    const other = { ...ref(1), complement: true }
    hub.subscribe(early.member, 'orderbook', 'test', 'm-NO', other)
    hub.book(deep(1, [1, 2]))
    hub.flush()
    hub.book(deep(2, [1, 5]))
    hub.flush()
    hub.subscribe(late.member, 'orderbook', 'test', 'm-NO', other)
    expect(booksOf(early.peer)).toHaveLength(1)
    expect(booksOf(late.peer)).toMatchObject([
      { type: 'snapshot', data: { asks: [{ price: 0.6, size: 1 }], timestamp: 2 } },
    ])
  })

  it('is live and stale with its book', () => {
    const { hub, connect, watched } = setUp()
    const { peer, member } = connect()
    const subscription = hub.subscribe(member, 'orderbook', 'test', 'm', ref(5))
    hub.book(deep(1, [1]))
    hub.flush()
    hub.book(bookUpdate('m', 1, { state: 'stale', staleReason: 'gap' }))
    hub.flush()
    // The same book again: it is fresh now, which is a change.
    hub.book(deep(2, [1]))
    hub.flush()
    expect(peer.received.map(({ type }) => type)).toEqual(['snapshot', 'error', 'snapshot'])
    expect(seqOf(peer.received[2]!)).toBe(1)
    expect(watched).toEqual(['test:m'])
    hub.unsubscribe(subscription)
    expect(watched).toEqual([])
    expect(hub.sum().topics).toBe(0)
  })
})
