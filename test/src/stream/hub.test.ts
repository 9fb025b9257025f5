import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notPolledReason } from '#schemas/topics'
import { snapshotWaitMs } from '#stream/hub'
import type { Subscription } from '#stream/topic'
import { type SlowPeer, setUp } from './slowPeer.ts'
import { bookUpdate, seqOf, tradeUpdate } from './support.ts'

const types = (peer: SlowPeer) => peer.received.map((frame) => `${frame.type} ${seqOf(frame)}`)

describe('books', () => {
  it('the first frame to a reader is a snapshot, later ones are updates, each a complete book', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    hub.subscribe(member, 'orderbook', 'test', 'm')
    hub.book(bookUpdate('m', 1))
    hub.flush()
    hub.book(bookUpdate('m', 2))
    hub.flush()
    expect(types(peer)).toEqual(['snapshot 1', 'update 2'])
    expect(peer.received[1]).toMatchObject({ venue: 'test', marketId: 'm', ts: expect.any(Number) })
    expect(Object.keys(peer.received[1]!.data!)).toEqual(['bids', 'asks', 'timestamp'])
  })

  it('a late reader gets the current book as its snapshot', () => {
    const { hub, held, connect } = setUp()
    held.set('test:m', bookUpdate('m', 7))
    const { peer, member } = connect()
    hub.subscribe(member, 'orderbook', 'test', 'm')
    expect(types(peer)).toEqual(['snapshot 7'])
    const second = connect(2)
    hub.book(bookUpdate('m', 8))
    hub.subscribe(second.member, 'orderbook', 'test', 'm')
    hub.flush()
    expect(types(peer)).toEqual(['snapshot 7', 'update 8'])
    expect(types(second.peer)).toEqual(['snapshot 8'])
  })

  it('many changes of one market in a tick are one frame, many markets are one write of at most 15 KB', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    for (let market = 0; market < 40; market++) hub.subscribe(member, 'orderbook', 'test', `m${market}`)
    for (let seq = 1; seq <= 5; seq++) {
      for (let market = 0; market < 40; market++) hub.book(bookUpdate(`m${market}`, seq, {}, 26))
    }
    peer.corks = 0
    peer.runs = []
    hub.flush()
    expect(peer.received).toHaveLength(40)
    expect(peer.corks).toBe(3)
    expect(Math.max(...peer.runs)).toBeLessThanOrEqual(15 * 1024)
    expect(hub.sum()).toMatchObject({ produced: 200, sent: 40, conflated: 160, dropped: 0, waiting: 0 })
  })

  it('a frame larger than a write is still sent', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    hub.subscribe(member, 'orderbook', 'test', 'm')
    hub.book(bookUpdate('m', 1, {}, 2_000))
    hub.flush()
    expect(types(peer)).toEqual(['snapshot 1'])
  })

  it('a slow socket gets the newest book once as a snapshot when it drains, before any update', () => {
    const { hub, connect } = setUp({ bufferedBytesMax: 1_000 })
    const { peer, member } = connect()
    hub.subscribe(member, 'orderbook', 'test', 'm')
    hub.book(bookUpdate('m', 1))
    hub.flush()
    peer.window = 0
    for (let seq = 2; seq <= 100; seq++) {
      hub.book(bookUpdate('m', seq))
      hub.flush()
    }
    peer.window = Number.POSITIVE_INFINITY
    peer.read()
    hub.drained(member)
    hub.book(bookUpdate('m', 101))
    hub.flush()
    const sequence = types(peer)
    expect(sequence.at(-2)).toBe('snapshot 100')
    expect(sequence.at(-1)).toBe('update 101')
    expect(sequence.filter((entry) => entry.startsWith('snapshot'))).toEqual(['snapshot 1', 'snapshot 100'])
    const [row] = hub.accounts()
    expect(row).toMatchObject({ produced: 101, sent: peer.received.length, dropped: 0, waiting: 0 })
    expect(row!.sent + row!.conflated).toBe(101)
  })

  it('announces a stale book once, withholds it, and sends a snapshot when it is back', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    hub.subscribe(member, 'orderbook', 'test', 'm')
    hub.book(bookUpdate('m', 1))
    hub.flush()
    hub.book(bookUpdate('m', 2))
    hub.book(bookUpdate('m', 3, { state: 'stale', staleReason: 'gap' }))
    hub.book(bookUpdate('m', 4, { state: 'stale', staleReason: 'silence' }))
    hub.flush()
    hub.flush()
    hub.book(bookUpdate('m', 5))
    hub.flush()
    expect(peer.received.map((frame) => frame.type)).toEqual(['snapshot', 'error', 'snapshot'])
    expect(peer.received[1]).toMatchObject({
      code: 'NETWORK_ERROR',
      message: 'book is stale: gap',
      venue: 'test',
      marketId: 'm',
      channel: 'orderbook',
      ts: expect.any(Number),
    })
    expect(seqOf(peer.received[2]!)).toBe(5)
    expect(hub.accounts()[0]).toMatchObject({ produced: 3, sent: 2, dropped: 1, conflated: 0 })
  })

  it('a new reader of a stale book gets an error and never the old book', () => {
    const { hub, held, connect } = setUp()
    held.set('test:m', bookUpdate('m', 9, { state: 'stale', staleReason: 'disconnected' }))
    const { peer, member } = connect()
    hub.subscribe(member, 'orderbook', 'test', 'm')
    hub.flush()
    expect(peer.received.map((frame) => frame.message)).toEqual(['book is stale: disconnected'])
  })

  it('dates the notice of a stale book with the time it is written, however long the book has been stale', () => {
    const { hub, held, clock, connect } = setUp()
    held.set('test:m', bookUpdate('m', 9, { state: 'stale', staleReason: 'disconnected' }))
    const [first, second] = [connect(), connect()]
    hub.subscribe(first.member, 'orderbook', 'test', 'm')
    hub.flush()
    clock.advance(3_600_000)
    hub.subscribe(second.member, 'orderbook', 'test', 'm')
    hub.flush()
    expect(second.peer.received.map(({ ts }) => ts)).toEqual([clock.now()])
  })

  it('ignores updates of an older ingest process, and repeated ones', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    hub.subscribe(member, 'orderbook', 'test', 'm')
    hub.book(bookUpdate('m', 5, { epoch: 2 }))
    hub.book(bookUpdate('m', 5, { epoch: 2 }))
    hub.book(bookUpdate('m', 4, { epoch: 2 }))
    hub.book(bookUpdate('m', 900, { epoch: 1 }))
    hub.book(bookUpdate('m', 901, { epoch: 1, state: 'stale' }))
    hub.flush()
    expect(types(peer)).toEqual(['snapshot 5'])
    expect(hub.sum().outdated).toBe(4)
    hub.book(bookUpdate('m', 1, { epoch: 3 }))
    hub.flush()
    expect(types(peer)).toEqual(['snapshot 5', 'update 1'])
  })
})

describe('an unwatched book', () => {
  const unwatched = (seq: number) => bookUpdate('m', seq, { state: 'stale', staleReason: 'unwatched' })

  it('is waited for without a notice; the first frame is its snapshot', () => {
    const { hub, held, clock, connect } = setUp()
    held.set('test:m', unwatched(9))
    const { peer, member } = connect()
    hub.subscribe(member, 'orderbook', 'test', 'm')
    clock.advance(snapshotWaitMs - 1_000)
    hub.flush()
    expect(peer.received).toEqual([])
    hub.book(bookUpdate('m', 10))
    hub.flush()
    clock.advance(3 * snapshotWaitMs)
    hub.flush()
    expect(types(peer)).toEqual(['snapshot 10'])
  })

  it('is waited for if only slow polling made it stale; while a reader has it, an error is sent', () => {
    const { hub, held, clock, connect } = setUp()
    const unread = (seq: number) => bookUpdate('m', seq, { state: 'stale', staleReason: notPolledReason })
    held.set('test:m', unread(1))
    const { peer, member } = connect()
    hub.subscribe(member, 'orderbook', 'test', 'm')
    clock.advance(snapshotWaitMs / 2)
    hub.book(unread(2))
    hub.flush()
    expect(peer.received).toEqual([])
    hub.book(bookUpdate('m', 3))
    hub.flush()
    hub.book(unread(4))
    hub.flush()
    expect(peer.received.map(({ type, message }) => message ?? type)).toEqual([
      'snapshot',
      `book is stale: ${notPolledReason}`,
    ])
    const other = connect(2)
    held.set('test:n', bookUpdate('n', 1, { state: 'stale', staleReason: notPolledReason }))
    hub.subscribe(other.member, 'orderbook', 'test', 'n')
    clock.advance(snapshotWaitMs - 1_000)
    hub.book(bookUpdate('n', 2, { state: 'stale', staleReason: notPolledReason }))
    clock.advance(2_000)
    hub.flush()
    expect(other.peer.received.map(({ message }) => message)).toEqual(['book is stale: not_received'])
  })

  it.each([[true], [false]])('sends an error after a while if no book arrives (released before: %s)', (before) => {
    const { hub, held, clock, connect } = setUp()
    if (before) held.set('test:m', unwatched(9))
    const { peer, member } = connect()
    hub.subscribe(member, 'orderbook', 'test', 'm')
    clock.advance(snapshotWaitMs + 1_000)
    hub.flush()
    clock.advance(3 * snapshotWaitMs)
    hub.flush()
    expect(peer.received.map(({ code, message }) => [code, message])).toEqual([
      ['NETWORK_ERROR', 'book is stale: not_received'],
    ])
    const late = connect(2)
    hub.subscribe(late.member, 'orderbook', 'test', 'm')
    hub.book(bookUpdate('m', 10))
    hub.flush()
    expect(types(peer).at(-1)).toBe('snapshot 10')
    expect(late.peer.received.map(({ type }) => type)).toEqual(['error', 'snapshot'])
  })

  it('is not shown in its old state: released while it has a reader, it comes again as a snapshot', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    hub.subscribe(member, 'orderbook', 'test', 'm')
    hub.book(bookUpdate('m', 1))
    hub.flush()
    hub.book(unwatched(2))
    const late = connect(2)
    hub.subscribe(late.member, 'orderbook', 'test', 'm')
    hub.flush()
    expect(types(late.peer)).toEqual([])
    hub.book(bookUpdate('m', 3))
    hub.flush()
    expect([types(peer), types(late.peer)]).toEqual([['snapshot 1', 'snapshot 3'], ['snapshot 3']])
    expect(hub.sum()).toMatchObject({ dropped: 0, waiting: 0, produced: 3, sent: 3 })
  })
})

describe('one book under several names', () => {
  const own = { bookId: 'm', complement: false }
  const other = { bookId: 'm', complement: true }

  it('is sent under each name; errors of the book reach all of them, and demand uses the name of the book', () => {
    const { hub, watched, connect } = setUp()
    const { peer, member } = connect()
    const subscriptions = [
      hub.subscribe(member, 'orderbook', 'test', 'm'),
      hub.subscribe(member, 'orderbook', 'test', 'm:long', own),
      hub.subscribe(member, 'orderbook', 'test', 'm:short', other),
    ]
    expect(watched).toEqual(['test:m', 'test:m', 'test:m'])
    hub.book(bookUpdate('m', 1))
    hub.flush()
    const shown = (id: string) => peer.received.find(({ marketId }) => marketId === id)?.data
    expect(shown('m:long')).toEqual(shown('m'))
    expect(shown('m:short')).toMatchObject({ bids: [{ price: 0.58, size: 7.5 }], asks: [{ price: 0.59, size: 1 }] })
    hub.unsubscribe(subscriptions[0]!)
    hub.book(bookUpdate('m', 2))
    hub.flush()
    expect(peer.received.slice(3).map(({ marketId, type }) => `${type} ${marketId}`)).toEqual([
      'update m:long',
      'update m:short',
    ])
    hub.book(bookUpdate('m', 3, { state: 'stale', staleReason: 'gap' }))
    hub.flush()
    expect(peer.received.slice(5).map(({ marketId, message }) => `${marketId} ${message}`)).toEqual([
      'm:long book is stale: gap',
      'm:short book is stale: gap',
    ])
    for (const subscription of subscriptions.slice(1)) hub.unsubscribe(subscription)
    expect(watched).toEqual([])
    expect(hub.sum()).toMatchObject({ topics: 0, subscriptions: 0 })
  })

  it('inverts the side of a trade for the complement outcome', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    hub.subscribe(member, 'trades', 'test', 'm-NO', other)
    hub.trade(tradeUpdate('m', 1))
    hub.flush()
    expect(peer.received).toMatchObject([
      {
        marketId: 'm-NO',
        data: { type: 'Sell', price: 0.59, usd: 1.9175, outcome: 'No', outcomeIndex: 1, shares: 3.25 },
      },
    ])
  })

  it('uses the outcome name of the catalog for a trade whose venue names none', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    const unnamed = tradeUpdate('m', 1)
    const trade = { ...unnamed, data: { ...unnamed.data, outcome: null, outcomeIndex: null } }
    hub.subscribe(member, 'trades', 'test', 'm')
    hub.trade(trade)
    hub.flush()
    const late = connect(2)
    hub.subscribe(late.member, 'trades', 'test', 'm', { ...own, outcome: { label: 'Over 2.5', index: 1 } })
    hub.trade({ ...trade, data: { ...trade.data, id: '2' } })
    hub.flush()
    expect(peer.received.map(({ data }) => data)).toMatchObject([
      { outcome: null, outcomeIndex: null },
      { outcome: 'Over 2.5', outcomeIndex: 1 },
    ])
    hub.trade(tradeUpdate('m', 3))
    hub.flush()
    expect(late.peer.received.at(-1)?.data, 'the name of the venue has priority').toMatchObject({ outcome: 'Yes' })
  })

  it('a venue-wide reader gets the book once', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    hub.subscribeVenue(member, 'test')
    const second = connect(2)
    hub.subscribe(second.member, 'orderbook', 'test', 'm:short', other)
    hub.book(bookUpdate('m', 1))
    hub.flush()
    expect(peer.received.map(({ marketId }) => marketId)).toEqual(['m'])
    expect(second.peer.received.map(({ marketId }) => marketId)).toEqual(['m:short'])
  })
})

describe('a repeated book', () => {
  it('is not sent to readers who have it; the next one is sent to all', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    hub.subscribe(member, 'orderbook', 'test', 'm')
    const update = bookUpdate('m', 1)
    hub.book(update)
    hub.flush()
    hub.book({ ...update, seq: 2 })
    hub.book({ ...update, seq: 3, core: Buffer.from(update.core) })
    hub.flush()
    expect(types(peer)).toEqual(['snapshot 1'])
    hub.book(bookUpdate('m', 4))
    hub.flush()
    expect(types(peer)).toEqual(['snapshot 1', 'update 4'])
  })
})

describe('trades', () => {
  it('sends every trade since the subscription once, in order', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    const early = connect(2)
    hub.subscribe(early.member, 'trades', 'test', 'm')
    hub.trade(tradeUpdate('m', 1))
    hub.subscribe(member, 'trades', 'test', 'm')
    hub.trade(tradeUpdate('m', 2))
    hub.trade(tradeUpdate('m', 3))
    hub.flush()
    hub.trade(tradeUpdate('m', 4))
    hub.flush()
    expect(peer.received.map((frame) => frame.data?.id)).toEqual(['2', '3', '4'])
    expect(early.peer.received.map((frame) => frame.data?.id)).toEqual(['1', '2', '3', '4'])
  })

  it('drops and counts trades while the socket is behind', () => {
    const { hub, connect } = setUp({ bufferedBytesMax: 1_000 })
    const { peer, member } = connect()
    hub.subscribe(member, 'trades', 'test', 'm')
    peer.window = 0
    for (let id = 1; id <= 50; id++) {
      hub.trade(tradeUpdate('m', id))
      hub.flush()
    }
    peer.window = Number.POSITIVE_INFINITY
    peer.read()
    hub.drained(member)
    const [row] = hub.accounts()
    expect(row).toMatchObject({ produced: 50, sent: peer.received.length, waiting: 0, conflated: 0 })
    expect(row!.dropped).toBe(50 - peer.received.length)
    expect(row!.dropped).toBeGreaterThan(0)
  })

  it('sends a burst within one tick before the buffer exceeds its limit', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    hub.subscribe(member, 'trades', 'test', 'm')
    for (let id = 1; id <= 5_000; id++) hub.trade(tradeUpdate('m', id))
    expect(peer.received.length).toBeGreaterThanOrEqual(4_096)
    hub.flush()
    expect(peer.received.map((frame) => frame.data?.id)).toEqual(Array.from({ length: 5_000 }, (_, i) => String(i + 1)))
  })
})

describe('pressure', () => {
  it('closes a socket whose oldest frame waits too long with 4008, also a very slow one', () => {
    const { hub, clock, connect } = setUp({ slowConsumerMs: 30_000 })
    const stuck = connect(1)
    const dribbling = connect(2)
    const healthy = connect(3)
    for (const { member } of [stuck, dribbling, healthy]) hub.subscribe(member, 'orderbook', 'test', 'm')
    stuck.peer.window = 0
    dribbling.peer.window = 0
    for (let seq = 1; seq <= 45; seq++) {
      hub.book(bookUpdate('m', seq, {}, 20))
      hub.flush()
      // One frame of 800 bytes every two seconds: it always progresses and always falls further behind.
      if (seq % 2 === 0) {
        dribbling.peer.window += 900
        dribbling.peer.read()
        hub.drained(dribbling.member)
      }
      clock.advance(1_000)
    }
    expect(stuck.peer.closedWith).toBe(4008)
    expect(healthy.peer.closedWith).toBeNull()
    expect(hub.sum().slowClosed).toBe(1)
    for (let seq = 46; seq <= 120; seq++) {
      hub.book(bookUpdate('m', seq, {}, 20))
      hub.flush()
      if (seq % 2 === 0) {
        dribbling.peer.window += 900
        dribbling.peer.read()
        hub.drained(dribbling.member)
      }
      clock.advance(1_000)
    }
    expect(dribbling.peer.closedWith).toBe(4008)
    expect(healthy.peer.closedWith).toBeNull()
    hub.stop()
    expect(clock.pendingCount).toBe(0)
  })

  it('closes a socket that cannot take an acknowledgement', () => {
    const { hub, connect } = setUp()
    const { peer, member } = connect()
    peer.window = 0
    peer.refuseAbove = 100
    for (let i = 0; i < 20; i++) hub.control(member, Buffer.from('{"type":"subscribed"}'))
    expect(peer.closedWith).toBe(4008)
    expect(member.gone).toBe(true)
  })

  it('counters are exact for random publications, stalls, drains, joins and leaves', () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ kind: fc.constant('book' as const), market: fc.integer({ min: 0, max: 2 }) }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('trade' as const), market: fc.integer({ min: 0, max: 2 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('stale' as const), market: fc.integer({ min: 0, max: 2 }) }),
      },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('read' as const), bytes: fc.integer({ min: 0, max: 3_000 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('leave' as const), market: fc.integer({ min: 0, max: 2 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('join' as const), market: fc.integer({ min: 0, max: 2 }) }),
      },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const { hub, connect } = setUp({ bufferedBytesMax: 600 })
        const { peer, member } = connect()
        peer.window = 0
        peer.refuseAbove = 5_000
        const subscriptions = new Map<string, Subscription>()
        let seq = 0
        let produced = 0
        const reading = (channel: string, market: number) => subscriptions.has(`${channel}${market}`)
        for (const action of steps) {
          if (action.kind === 'book') {
            hub.book(bookUpdate(`m${action.market}`, ++seq))
            if (reading('orderbook', action.market)) produced++
          } else if (action.kind === 'stale') {
            hub.book(bookUpdate(`m${action.market}`, ++seq, { state: 'stale', staleReason: 'gap' }))
          } else if (action.kind === 'trade') {
            hub.trade(tradeUpdate(`m${action.market}`, ++seq))
            if (reading('trades', action.market)) produced++
          } else if (action.kind === 'flush') hub.flush()
          else if (action.kind === 'read') {
            peer.window += action.bytes
            peer.read()
            hub.drained(member)
          } else {
            for (const channel of ['orderbook', 'trades'] as const) {
              const key = `${channel}${action.market}`
              const subscription = subscriptions.get(key)
              if (action.kind === 'join') {
                subscriptions.set(key, hub.subscribe(member, channel, 'test', `m${action.market}`))
              } else if (subscription !== undefined) {
                hub.unsubscribe(subscription)
                subscriptions.delete(key)
              }
            }
          }
          const sum = hub.sum()
          expect(sum.sent + sum.conflated + sum.dropped + sum.waiting).toBe(sum.produced)
          expect(sum.produced).toBe(produced)
          for (const row of hub.accounts()) {
            expect(row.sent + row.conflated + row.dropped + row.waiting).toBe(row.produced)
            expect(Math.min(row.sent, row.conflated, row.dropped, row.waiting)).toBeGreaterThanOrEqual(0)
          }
        }
        hub.flush()
        peer.window = Number.POSITIVE_INFINITY
        peer.refuseAbove = Number.POSITIVE_INFINITY
        peer.read()
        hub.drained(member)
        peer.read()
        const data = peer.received.filter((frame) => frame.type !== 'error')
        expect(hub.sum()).toMatchObject({ sent: data.length, waiting: 0, produced })
        // After a gap a reader first gets a snapshot; the frames of one market never go back.
        for (const market of [0, 1, 2]) {
          const seqs = data.filter((frame) => frame.type !== 'trade' && frame.marketId === `m${market}`).map(seqOf)
          expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
        }
        hub.leave(member)
        expect(hub.sum()).toMatchObject({ topics: 0, subscriptions: 0, sockets: 0, produced })
      }),
      { numRuns: 300 },
    )
  })
})

describe('watched books', () => {
  it('many readers of one market are one watch, and none after they left', () => {
    const { hub, watched, connect } = setUp()
    const members = Array.from({ length: 100 }, (_, id) => connect(id).member)
    for (const member of members) hub.subscribe(member, 'orderbook', 'test', 'm')
    expect(watched).toEqual(['test:m'])
    for (const member of members) hub.leave(member)
    expect(watched).toEqual([])
    expect(hub.sum().topics).toBe(0)
  })

  it('a venue-wide reader gets every present and future book of the venue, and one subscribed twice only once', () => {
    const { hub, watched, connect } = setUp()
    const other = connect(2)
    hub.subscribe(other.member, 'orderbook', 'test', 'a')
    hub.book(bookUpdate('a', 1))
    const { peer, member } = connect(1)
    hub.subscribeVenue(member, 'test')
    const named = hub.subscribe(member, 'orderbook', 'test', 'a')
    hub.book(bookUpdate('b', 2))
    hub.book(bookUpdate('a', 3))
    hub.flush()
    expect(types(peer).sort()).toEqual(['snapshot 1', 'snapshot 2', 'update 3'])
    expect(watched.sort()).toEqual(['test:*', 'test:a'])
    hub.unsubscribeVenue(member, 'test')
    hub.book(bookUpdate('b', 4))
    hub.book(bookUpdate('a', 5))
    hub.flush()
    expect(types(peer).slice(3)).toEqual(['update 5'])
    hub.unsubscribe(named)
    hub.leave(other.member)
    hub.leave(member)
    expect(watched).toEqual([])
    expect(hub.sum().topics).toBe(0)
  })
})

describe('frames of plugged-in channels', () => {
  it('are sent at once, or dropped and counted', () => {
    const { hub, connect } = setUp({ bufferedBytesMax: 100 })
    const { peer, member } = connect()
    peer.window = 0
    const results = Array.from({ length: 10 }, (_, i) =>
      hub.offer(member, 'ticker', Buffer.from(`{"type":"t","i":${i}} `.repeat(4).slice(0, 60))),
    )
    expect(results).toContain('dropped')
    const sum = hub.sum()
    expect(sum.produced).toBe(10)
    expect(sum.sent + sum.dropped).toBe(10)
    expect(sum.dropped).toBe(results.filter((result) => result === 'dropped').length)
  })
})
