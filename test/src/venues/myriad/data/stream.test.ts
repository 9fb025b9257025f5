// The session frame by frame; the lab’s socket and the faults of a live feed are tested in test/conformance/venueStream.test.ts.
import { expect, test } from 'vitest'
import { streamWorld, writeSnapshot } from '#test/support/streamFeed'
import { stream } from '#venues/myriad/data/stream'
import { myriad } from '#venues/myriad/index'
import { hasTradesTape, streamsTrades } from '#venues/venue'

const [yes, no, other] = ['56:ob:42:0', '56:ob:42:1', '56:ob:43:0']
const cents = (count: number) => `${count}0000000000000000`
const share = '000000000000000000'

function connected() {
  const world = streamWorld('myriad', [yes, no, other], (feed) => stream.open(feed))
  expect(world.session.subscribe([yes, no, other])).toEqual(['{"id":1,"connect":{"name":"crossbook"}}'])
  world.receive({ id: 1, connect: { client: 'c', version: '5', ping: 25, pong: true } })
  // Both outcomes of a market share one channel.
  expect(world.sent.splice(0)).toEqual([
    '{"id":2,"subscribe":{"channel":"orderbook:56:42"}}',
    '{"id":3,"subscribe":{"channel":"orderbook:56:43"}}',
  ])
  world.receive({ id: 2, subscribe: {} })
  expect(world.events.splice(0)).toEqual([`unseeded ${yes}`, `unseeded ${no}`])
  return world
}
const changesFrame = (ts: number, ...changes: [outcome: number, side: string, price: string, amount: string][]) => ({
  push: {
    channel: 'orderbook:56:42',
    pub: {
      data: {
        networkId: 56,
        marketId: 42,
        ts,
        changes: changes.map(([outcome, side, price, amount]) => ({ outcome, side, price, amount })),
      },
    },
  },
})

test('sets levels in the book of their outcome, on top of the REST snapshot', () => {
  const world = connected()
  world.receive(changesFrame(1_790_000_000_001, [0, 'bid', cents(40), `7${share}`]))
  writeSnapshot(world, yes, { bids: [[390_000, 5]], asks: [[600_000, 5]] })
  writeSnapshot(world, no, { bids: [[400_000, 5]], asks: [[610_000, 5]] })
  expect(world.levels(yes)!.bids).toEqual([
    [400_000, 7],
    [390_000, 5],
  ])
  world.receive(
    changesFrame(
      1_790_000_000_002,
      [0, 'bid', cents(39), '0'],
      [1, 'ask', cents(61), '0'],
      [1, 'ask', cents(60), `7${share}`],
    ),
  )
  expect(world.levels(yes)).toEqual({ bids: [[400_000, 7]], asks: [[600_000, 5]] })
  expect(world.levels(no)).toEqual({ bids: [[400_000, 5]], asks: [[600_000, 7]] })
  // Ignored: its time is before that of the book.
  world.receive(changesFrame(1_790_000_000_001, [0, 'bid', cents(40), '0']))
  expect(world.levels(yes)!.bids).toEqual([[400_000, 7]])
  // The first message for a book without a snapshot means that it can be read now.
  expect(world.events).toEqual([`unseeded ${yes}`])
})

test('a price finer than a millionth breaks its book, and the other outcome continues', () => {
  const world = connected()
  for (const bookId of [yes, no]) writeSnapshot(world, bookId, { bids: [[400_000, 5]], asks: [[600_000, 5]] })
  world.receive(
    changesFrame(1_790_000_000_002, [0, 'bid', '410000000000000001', `7${share}`], [1, 'bid', cents(41), `7${share}`]),
  )
  expect(world.events).toEqual([`malformed a level of ${yes}`, `broken ${yes} unreadable`])
  expect(world.levels(no)!.bids[0]).toEqual([410_000, 7])
})

test('a malformed message is counted and makes the books of its market stale', () => {
  const world = connected()
  writeSnapshot(world, yes, { bids: [[400_000, 5]], asks: [] })
  world.receive({ push: { channel: 'orderbook:56:42', pub: { data: { changes: 'all' } } } })
  expect(world.events).toEqual([
    `broken ${yes} unreadable`,
    `broken ${no} unreadable`,
    expect.stringMatching(/^malformed/),
  ])
  expect(world.levels(yes)).toBeNull()
})

test('carries no pools, and trades are read over REST', () => {
  expect([yes, '2741:amm:549:0', 'nobody'].map((bookId) => stream.carries!(bookId))).toEqual([true, false, false])
  expect([streamsTrades(myriad.data), hasTradesTape(myriad.data)]).toEqual([false, true])
})

test('changes of a market that does not match the channel make the books of the channel stale', () => {
  const world = connected()
  for (const bookId of [yes, no]) writeSnapshot(world, bookId, { bids: [[400_000, 5]], asks: [] })
  const other = { networkId: 56, marketId: 43, ts: 1_790_000_000_002, changes: [] }
  world.receive({ push: { channel: 'orderbook:56:42', pub: { data: other } } })
  expect(world.events).toEqual([
    `broken ${yes} unreadable`,
    `broken ${no} unreadable`,
    'malformed a market that is not the channel’s',
  ])
})
