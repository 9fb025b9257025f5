// Frames by hand, in the documented format.
import { describe, expect, test } from 'vitest'
import { type StreamWorld, streamWorld, writeSnapshot } from '#test/support/streamFeed'
import { pascal } from '#venues/pascal/index'
import { venueThat } from './rows.ts'

const { stream } = pascal.data
const [one, two] = ['ME_SEN_2026.REP', 'ME_SEN_2026.DEM']
const start = 1_790_000_000_000
const frame = (type: string, symbol: string, bids: unknown[], asks: unknown[], atMs = 50) => ({
  channel: 'book',
  symbol,
  type,
  data: { asks, bids },
  seq: '67891',
  state_time_ms: String(start + atMs),
  server_time_ms: String(start + 123),
})
const open = (): StreamWorld => {
  const world = streamWorld('pascal', [one, two], (feed) => stream.open(feed))
  world.session.subscribe([one, two])
  return world
}

test('connects without a key and subscribes to books by symbol', () => {
  const { context } = venueThat(() => ({}))
  expect(stream.connect(context)).toEqual({ url: 'ws://venue/ws', headers: {} })
  const { session } = streamWorld('pascal', [one, two], (feed) => stream.open(feed))
  expect(session.subscribe([one, two]).map((text) => JSON.parse(text))).toEqual([
    {
      type: 'subscribe',
      channels: [
        { channel: 'book', symbol: one },
        { channel: 'book', symbol: two },
      ],
    },
  ])
  expect([session.feeds(one), session.resync(one), session.confirm([one])]).toEqual([true, null, null])
})

describe('a session', () => {
  test('writes the whole book and then changes; a size of 0 removes a level', () => {
    const world = open()
    world.receive(
      frame(
        'snapshot',
        one,
        [
          ['0.540000', '15'],
          ['0.530000', '7'],
        ],
        [['0.560000', '12']],
      ),
    )
    world.receive(
      frame(
        'update',
        one,
        [
          ['0.540000', '0'],
          ['0.520000', '3'],
        ],
        [['0.570000', '20']],
        60,
      ),
    )
    expect(world.levels(one)).toEqual({
      bids: [
        [530_000, 7],
        [520_000, 3],
      ],
      asks: [
        [560_000, 12],
        [570_000, 20],
      ],
    })
    expect(world.books.get(one)!.eventTs).toBe(start + 60)
    expect(world.levels(two)).toBeNull()
    expect(world.events).toEqual([])
  })

  test('ignores changes older than the book, but not those with the same time', () => {
    const world = open()
    world.receive(frame('snapshot', one, [['0.5', '1']], []))
    world.receive(frame('update', one, [['0.5', '9']], [], 40), frame('update', one, [['0.4', '2']], []))
    expect(world.levels(one)!.bids).toEqual([
      [500_000, 1],
      [400_000, 2],
    ])
  })

  test('holds changes that precede the first book and applies them to the REST snapshot', () => {
    const world = open()
    world.receive(frame('update', one, [['0.5', '9']], [], 40), frame('update', one, [['0.4', '2']], [], 70))
    expect(world.levels(one)).toBeNull()
    writeSnapshot(world, one, { bids: [[500_000, 1]], asks: [] }, start + 50)
    expect(world.levels(one)!.bids).toEqual([
      [500_000, 1],
      [400_000, 2],
    ])
  })

  test.each([
    ['snapshot', [['1.5', '1']]],
    [
      'snapshot',
      [
        ['0.5', '1'],
        ['0.50', '1'],
      ],
    ],
    ['update', [['0.5', '-1']]],
    ['update', [['x', '1']]],
  ])('an unreadable %s breaks the book: %j', (type, bids) => {
    const world = open()
    world.receive(frame('snapshot', one, [['0.4', '1']], []), frame(type, one, bids, [], 60))
    expect(world.levels(one)).toBeNull()
    expect(world.events).toContain(`broken ${one} unreadable`)
  })

  test('refuses a symbol unknown to the venue; other errors and frames change nothing', () => {
    const world = open()
    world.receive(frame('snapshot', one, [['0.4', '1']], []))
    const error = (code: string) => ({ channel: 'book', symbol: two, type: 'error', data: { code, message: 'no' } })
    expect(world.receive(error('SYMBOL_NOT_FOUND'))).toBe(false)
    expect(world.events).toEqual([`refused ${two} SYMBOL_NOT_FOUND`])
    for (const odd of [
      error('INVALID_REQUEST'),
      frame('snapshot', 'OTHER.AAA', [], []),
      'x',
      7,
      [],
      { channel: 'trades' },
    ]) {
      expect(world.receive(odd)).toBe(false)
    }
    expect(world.events.filter((line) => line.startsWith('malformed'))).toHaveLength(4)
    expect(world.levels(one)!.bids).toEqual([[400_000, 1]])
  })
})
