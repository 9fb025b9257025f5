import { describe, expect, test } from 'vitest'
import { type StreamWorld, streamWorld } from '#test/support/streamFeed'
import { canHaveCandles, hasTradesTape } from '#venues/venue'
import { xo } from '#venues/xo/index'
import { venueThat } from './rows.ts'

const { stream } = xo.data
const [up, down] = ['42.111', '42.222']
const frame = (token: string, bids: unknown[], asks: unknown[], more: object = {}) => ({
  event_type: 'book',
  asset_id: token,
  bids,
  asks,
  ...more,
})
const level = (price: string, size: string) => ({ price, size })
const open = (): StreamWorld => streamWorld('xo', [up, down], (feed) => stream.open(feed))

test('connects without a key, and has no trades', () => {
  const { context } = venueThat(() => ({ body: {} }))
  expect(stream.connect(context)).toEqual({ url: 'ws://clob/ws/market', headers: {} })
  expect(stream.connect({ ...context, urls: {} })).toBeNull()
  expect([hasTradesTape(xo.data), canHaveCandles(xo.data)]).toEqual([false, false])
})

describe('a session', () => {
  test('subscribes to tokens with the first book of each, and to more of them when wanted', () => {
    const { session } = open()
    expect(session.subscribe([up]).map((text) => JSON.parse(text))).toEqual([
      { type: 'market', assets_ids: ['111'], initial_dump: true },
    ])
    expect(session.subscribe([up, down]).map((text) => JSON.parse(text).assets_ids)).toEqual([['222']])
    expect([session.feeds(up), session.feeds(down)]).toEqual([true, true])
    expect([session.resync(up), session.confirm([up]), session.unsubscribe([up])]).toEqual([null, null, []])
    expect(session.feeds(up)).toBe(false)
  })

  test('takes a frame as the whole book: missing levels are removed', () => {
    const world = open()
    world.session.subscribe([up, down])
    expect(world.receive(frame('111', [level('0.4', '10'), level('0.41', '5')], [level('0.43', '7')]))).toBe(true)
    expect(world.levels(up)).toEqual({
      bids: [
        [410_000, 5],
        [400_000, 10],
      ],
      asks: [[430_000, 7]],
    })
    expect(world.levels(down)).toBeNull()
    world.receive(frame('111', [level('0.4', '3')], []))
    expect(world.levels(up)).toEqual({ bids: [[400_000, 3]], asks: [] })
    expect(world.events).toEqual([])
  })

  test.each([
    ['an impossible price', [level('1.5', '1')]],
    ['a size below zero', [level('0.4', '-1')]],
    ['a duplicate price', [level('0.4', '1'), level('0.40', '2')]],
  ])('an unreadable frame breaks the book: %s', (_, bids) => {
    const world = open()
    world.session.subscribe([up])
    world.receive(frame('111', [level('0.3', '1')], []), frame('111', bids, []))
    expect(world.levels(up)).toBeNull()
    expect(world.events).toContain(`broken ${up} unreadable`)
  })

  test('ignores frames of unwatched books and frames that are no book', () => {
    const world = open()
    world.session.subscribe([up])
    world.receive(frame('111', [level('0.4', '1')], []))
    expect(world.receive(frame('999', [], []))).toBe(false)
    for (const odd of ['no JSON', 7, [], {}, { event_type: 'price_change', asset_id: '111' }, { event_type: 'book' }]) {
      expect(world.receive(odd)).toBe(false)
    }
    world.session.unsubscribe([up])
    expect(world.receive(frame('111', [], []))).toBe(false)
    expect(world.levels(up)).toEqual({ bids: [[400_000, 1]], asks: [] })
    expect(world.events.filter((line) => line.startsWith('malformed'))).toHaveLength(6)
  })
})
