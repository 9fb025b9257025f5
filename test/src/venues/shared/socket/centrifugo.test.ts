// Our side of Centrifugo’s protocol: the order of requests, and the handling of replies, pushes and codes. It is tested against a server in
// test/lab/centrifugo.test.ts, whose lab also works with Centrifugo’s own client.
import { expect, it } from 'vitest'
import { streamWorld } from '#test/support/streamFeed'
import { centrifugoSession } from '#venues/shared/socket/centrifugo'
import type { FeedSink } from '#venues/venue'

/** Books `m:0` and `m:1` of one market share a channel; trades of all markets use another. */
const open = (isUnseeded: boolean, token?: string) => (feed: FeedSink) =>
  centrifugoSession(feed, { name: 'crossbook', token }, (books) => ({
    isUnseeded,
    channelsOf: (bookId) => [`book:${bookId.split(':')[0]}`, 'trades'],
    publication(channel, data, recvTs) {
      const { id, size } = data as { id: string; size: number }
      if (channel !== 'trades') books.whole(id, { bids: [[400_000, size]], asks: [], eventTs: null }, recvTs)
      return 'data'
    },
  }))

const ids = ['m:0', 'm:1', 'n:0']
function connected(isUnseeded = false) {
  const world = streamWorld('sxbet', ids, open(isUnseeded))
  expect(world.session.subscribe(['m:0', 'm:1'])).toEqual(['{"id":1,"connect":{"name":"crossbook"}}'])
  expect(world.session.subscribe(['n:0'])).toEqual([])
  world.session.unsubscribe(['n:0'])
  world.receive({ id: 1, connect: { client: 'c', version: '5', ping: 25, pong: true } })
  return world
}
const push = (size: number, offset?: number, channel = 'book:m') => ({
  push: { channel, pub: { data: { id: 'm:0', size }, ...(offset === undefined ? {} : { offset }) } },
})

it('connects first, subscribes once per channel, and leaves a channel with its last book', () => {
  const world = connected()
  expect(world.sent.splice(0)).toEqual([
    '{"id":2,"subscribe":{"channel":"book:m"}}',
    '{"id":3,"subscribe":{"channel":"trades"}}',
  ])
  expect(world.session.feeds('m:0')).toBe(false)
  world.receive({ id: 2, subscribe: {} })
  expect(['m:0', 'm:1'].map((id) => world.session.feeds(id))).toEqual([true, true])
  expect(world.receive(push(5))).toBe(true)
  expect(world.levels('m:0')!.bids).toEqual([[400_000, 5]])
  expect(world.session.unsubscribe(['m:0'])).toEqual([])
  expect(world.session.subscribe(['m:0'])).toEqual([])
  expect(world.session.feeds('m:0')).toBe(true)
  expect(world.session.unsubscribe(['m:0', 'm:1'])).toEqual([
    '{"id":4,"unsubscribe":{"channel":"book:m"}}',
    '{"id":5,"unsubscribe":{"channel":"trades"}}',
  ])
  expect(world.receive({ id: 4, unsubscribe: {} }, push(9))).toBe(false)
  expect(world.events).toEqual([])
})

it('sends the token, answers pings, and reads several lines of a frame', () => {
  const world = streamWorld('sxbet', ids, open(false, 'secret'))
  expect(world.session.subscribe(['m:0'])).toEqual(['{"id":1,"connect":{"token":"secret","name":"crossbook"}}'])
  world.receive('{"id":1,"connect":{"pong":true}}\n')
  world.sent.splice(0)
  const lines = ['{}', '{"id":2,"subscribe":{}}', JSON.stringify(push(5)), '{}', ''].join('\n')
  expect(world.receive(lines)).toBe(true)
  expect([world.sent, world.levels('m:0')!.bids]).toEqual([['{}', '{}'], [[400_000, 5]]])
})

it('does not answer pings of a server that expects none', () => {
  const world = streamWorld('sxbet', ids, open(false))
  world.session.subscribe(['m:0'])
  world.receive({ id: 1, connect: { ping: 25 } })
  world.sent.splice(0)
  world.receive({})
  expect(world.sent).toEqual([])
})

it('requests REST reads for books of a channel without initial data, also for those that join later', () => {
  const world = connected(true)
  world.session.unsubscribe(['m:1'])
  world.receive({ id: 2, subscribe: {} })
  expect(world.events.splice(0)).toEqual(['unseeded m:0'])
  world.session.subscribe(['m:1'])
  expect(world.events).toEqual(['unseeded m:1'])
})

it('counts offsets where the server does: a missing one is a gap, a duplicate is ignored', () => {
  const world = connected()
  world.receive({ id: 2, subscribe: { recoverable: true, positioned: true, epoch: 'e', offset: 7 } })
  expect(world.receive(push(1, 8), push(2, 8))).toBe(false)
  expect(world.levels('m:0')!.bids).toEqual([[400_000, 1]])
  world.receive(push(3, 10))
  expect(world.events).toEqual(['broken m:0 gap'])
  // A whole book needs no predecessor.
  expect(world.levels('m:0')!.bids).toEqual([[400_000, 3]])
})

it('accepts the publications that the server kept for new subscribers', () => {
  const world = connected()
  const kept = { data: { id: 'm:0', size: 4 }, offset: 7 }
  expect(world.receive({ id: 2, subscribe: { recoverable: true, offset: 7, publications: [kept] } })).toBe(true)
  expect(world.levels('m:0')!.bids).toEqual([[400_000, 4]])
})

it('resubscribes after a temporary error when the book is requested again, and reports a permanent one', () => {
  const world = connected()
  world.sent.splice(0)
  world.receive({ id: 2, error: { code: 100, message: 'internal server error', temporary: true } })
  expect([world.events, world.session.feeds('m:0')]).toEqual([[], false])
  // Like ingest does when a book does not arrive.
  expect([...world.session.unsubscribe(['m:0', 'm:1']), ...world.session.subscribe(['m:0'])]).toEqual([
    '{"id":4,"unsubscribe":{"channel":"trades"}}',
    '{"id":5,"subscribe":{"channel":"book:m"}}',
    '{"id":6,"subscribe":{"channel":"trades"}}',
  ])
  world.receive({ id: 5, error: { code: 102, message: 'unknown channel' } })
  expect(world.events).toEqual(['refused m:0 102 unknown channel'])
})

it('books continue without a refused trades channel, but not while trades are temporarily unavailable', () => {
  const world = connected()
  world.receive({ id: 3, error: { code: 103, message: 'permission denied' } })
  expect(world.events).toEqual(['malformed the venue refuses trades: 103 permission denied'])
  const other = connected()
  other.receive({ id: 3, error: { code: 100, message: 'internal server error', temporary: true } })
  expect(other.events).toEqual(['failed trades is not available now: 100 internal server error'])
})

it('a reply to an abandoned subscription does not affect the new one', () => {
  const world = connected(true)
  world.session.unsubscribe(['m:0', 'm:1'])
  world.session.subscribe(['m:0'])
  world.receive({ id: 2, subscribe: {} })
  expect([world.session.feeds('m:0'), world.events]).toEqual([false, []])
  world.receive({ id: 6, subscribe: {} })
  expect(world.events).toEqual(['unseeded m:0'])
})

it('a subscription ended by the server is renewed or refused, depending on its code', () => {
  const world = connected()
  world.receive({ id: 2, subscribe: {} }, push(5))
  world.sent.splice(0)
  world.receive({ push: { channel: 'book:m', unsubscribe: { code: 2500, reason: 'insufficient state' } } })
  expect(world.events.splice(0)).toEqual(['broken m:0 unsubscribed', 'broken m:1 unsubscribed'])
  expect(world.sent).toEqual(['{"id":4,"subscribe":{"channel":"book:m"}}'])
  world.receive({ id: 4, subscribe: {} })
  world.receive({ push: { channel: 'book:m', unsubscribe: { code: 2000, reason: 'server unsubscribe' } } })
  expect(world.events).toEqual(['refused m:0 2000 server unsubscribe', 'refused m:1 2000 server unsubscribe'])
})

it('a refused or ended connection has failed, whatever follows in the frame', () => {
  const world = connected()
  world.receive({ id: 2, subscribe: {} })
  const lines = [{ push: { disconnect: { code: 3005, reason: 'connection expired' } } }, push(5)]
  world.receive(lines.map((line) => JSON.stringify(line)).join('\n'))
  expect(world.events).toEqual(['failed the venue ended the connection: 3005 connection expired'])
  expect(world.levels('m:0')).toBeNull()
  const refused = streamWorld('sxbet', ids, open(false, 'old'))
  refused.session.subscribe(['m:0'])
  refused.receive({ id: 1, error: { code: 109, message: 'token expired' } })
  expect(refused.events).toEqual(['failed the venue refused the connection: 109 token expired'])
})

it.each(['', 'null', '7', '[]', '{"id":"x"}', '{"push":7}', '{"id":99,"subscribe":{}}', 'no json', '{"odd":1}'])(
  'counts %j as malformed',
  (frame) => {
    const world = connected()
    expect(world.receive(frame)).toBe(false)
    expect(world.events.every((line) => line.startsWith('malformed'))).toBe(true)
    expect(world.events).toHaveLength(frame === '' ? 0 : 1)
  },
)

it('an unreadable push makes the books of its channel stale; an unreadable long frame makes all books stale', () => {
  const world = connected()
  world.receive({ id: 2, subscribe: {} })
  world.events.splice(0)
  world.receive({ push: { channel: 'book:m' } })
  world.receive({ push: { channel: 'book:m', pub: 7 } })
  const broken = ['broken m:0 unreadable', 'broken m:1 unreadable', 'malformed neither a reply nor a push']
  expect(world.events.splice(0)).toEqual([...broken, ...broken])
  world.receive({ push: { channel: 'book:m', join: { info: {} } } })
  world.receive({ push: { channel: 'another', pub: 7 } })
  expect(world.events.splice(0)).toEqual(['malformed neither a reply nor a push'])
  world.receive(JSON.stringify(push(5)).padEnd(100).slice(0, -1).replace('}', ''))
  expect(world.events).toEqual(broken)
})
