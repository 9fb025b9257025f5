// Hyperliquid’s socket, frame by frame in the documented formats: subscriptions, each channel, and frames that are ignored.
import { readFileSync } from 'node:fs'
import { L2BookRequest } from '@nktkas/hyperliquid/api/subscription'
import { parse } from 'valibot'
import { describe, expect, it } from 'vitest'
import { createPrng } from '#lab/prng'
import { sharedFixture } from '#test/support/fixtures'
import { streamWorld } from '#test/support/streamFeed'
import { stream } from '#venues/hyperliquid/data/stream'

const T = 1_790_000_000_000
const world = (...coins: string[]) => {
  const made = streamWorld('hyperliquid', coins, (feed) => stream.open(feed))
  return { ...made, subscribeFrames: made.session.subscribe(coins) }
}
const rows = (...levels: [string, string][]) => levels.map(([px, sz]) => ({ px, sz, n: 1 }))
const bookFrame = (coin: string, time: number, bids: [string, string][], asks: [string, string][]) => ({
  channel: 'l2Book',
  data: { coin, time, levels: [rows(...bids), rows(...asks)], fast: true },
})
const acknowledged = (type: string, coin: string) => ({
  channel: 'subscriptionResponse',
  data: { method: 'subscribe', subscription: { type, coin, nSigFigs: null, mantissa: null, fast: true } },
})
const tradeRow = (coin: string, tid: number) => ({
  coin,
  side: 'B',
  px: '0.41',
  sz: '120.0',
  time: T,
  hash: '0x0',
  tid,
  users: ['0x1', '0x2'],
})

describe('the session', () => {
  it('subscribes to books and trades of each coin, like the venue’s client', () => {
    const { subscribeFrames, session } = world('#5160')
    expect(subscribeFrames.map((text) => JSON.parse(text))).toEqual([
      { method: 'subscribe', subscription: { type: 'l2Book', coin: '#5160', fast: true } },
      { method: 'subscribe', subscription: { type: 'trades', coin: '#5160' } },
    ])
    const { subscription } = JSON.parse(subscribeFrames[0]!) as { subscription: unknown }
    expect(parse(L2BookRequest, subscription)).toEqual(subscription)
    expect(session.unsubscribe(['#5160']).map((text) => JSON.parse(text).method)).toEqual([
      'unsubscribe',
      'unsubscribe',
    ])
    expect([session.subscribe(['#5160']).length, session.subscribe(['#5160'])]).toEqual([2, []])
    expect([session.resync('#5160'), session.confirm(['#5160'])]).toEqual([null, null])
  })

  it('takes each message as the whole book', () => {
    const { receive, levels, session, books } = world('#5160', '#5161')
    expect(receive('Websocket connection established.', acknowledged('l2Book', '#5160'))).toBe(false)
    expect([session.feeds('#5160'), session.feeds('#5161')]).toEqual([true, false])
    expect(
      receive(
        bookFrame(
          '#5160',
          T,
          [['0.41', '5.0']],
          [
            ['0.43', '7.0'],
            ['0.44', '1.0'],
          ],
        ),
      ),
    ).toBe(true)
    expect(levels('#5160')).toEqual({
      bids: [[410_000, 5]],
      asks: [
        [430_000, 7],
        [440_000, 1],
      ],
    })
    receive(bookFrame('#5160', T + 500, [['0.42', '2.0']], []))
    expect(levels('#5160')).toEqual({ bids: [[420_000, 2]], asks: [] })
    // A late message with an older time.
    receive(bookFrame('#5160', T, [['0.41', '5.0']], []))
    expect(levels('#5160')).toEqual({ bids: [[420_000, 2]], asks: [] })
    expect(books.get('#5160')!.eventTs).toBe(T + 500)
  })

  it('never shows a crossed book or half a book', () => {
    const { receive, levels, events } = world('#5160')
    receive(bookFrame('#5160', T, [['0.45', '5.0']], [['0.43', '7.0']]))
    expect([levels('#5160'), events.splice(0)]).toEqual([null, ['broken #5160 crossed']])
    receive(bookFrame('#5160', T, [['0.41', 'many']], []))
    expect([levels('#5160'), events.splice(0)]).toEqual([
      null,
      ['malformed a level of #5160', 'broken #5160 unreadable'],
    ])
    receive(bookFrame('#5160', T, [['0.41', '5.0']], []))
    expect(levels('#5160')).not.toBeNull()
  })

  it('publishes trades of watched coins and skips unreadable ones', () => {
    const { receive, trades, events } = world('#5160')
    const odd = { ...tradeRow('#5160', 3), px: '1.7' }
    expect(receive({ channel: 'trades', data: [tradeRow('#5160', 1), tradeRow('#77770', 2), odd] })).toBe(true)
    expect(trades).toMatchObject([
      { venue: 'hyperliquid', marketId: '#5160', outcomeId: '#5160', data: { id: '1', type: 'Buy', usd: 49.2 } },
    ])
    expect(events).toEqual(['lastTrade #5160 410000', 'malformed a trade'])
  })

  it('refuses a coin unknown to the venue, in each format of the error', () => {
    const { receive, events } = world('#5160', '#5161')
    receive({ channel: 'error', data: 'Invalid subscription {"type":"trades","coin":"#5160"}' })
    receive({ channel: 'error', data: 'Invalid subscription {"type":"l2Book","coin":"#5160","fast":true}' })
    receive({
      channel: 'error',
      data: 'Invalid subscription {"method":"subscribe","subscription":{"type":"l2Book","coin":"#5161"}}',
    })
    expect(events.filter((line) => line.startsWith('refused'))).toEqual([
      'refused #5160 Invalid subscription',
      'refused #5161 Invalid subscription',
    ])
    events.splice(0)
    receive({ channel: 'error', data: 'Already subscribed: {"type":"l2Book","coin":"#5161"}' }, { channel: 'pong' })
    expect(events).toEqual([])
  })

  it('survives random garbage', () => {
    const { receive, events, levels } = world('#5160')
    receive(bookFrame('#5160', T, [['0.41', '5.0']], []))
    const random = createPrng('garbage')
    const good = JSON.stringify(bookFrame('#5160', T + 1, [['0.41', '5.0']], [['0.43', '7.0']]))
    for (let i = 0; i < 2_000; i++) {
      const at = random.int(good.length)
      receive(good.slice(0, at) + '{}[]",:x0-'[random.int(10)] + good.slice(at + random.int(3)))
    }
    receive('null', '[]', '7', { channel: 'other', data: 1 }, { channel: 'error', data: 7 }, { channel: 'l2Book' })
    expect(events.some((line) => line.startsWith('failed'))).toBe(false)
    // One more digit in a time is far in the future.
    receive(bookFrame('#5160', 9.9e13, [['0.40', '1.0']], []))
    expect(levels('#5160')).toEqual({ bids: [[400_000, 1]], asks: [] })
  })
})

const recorded = sharedFixture('hyperliquid/nautilus/ws_book_data.json')
it.skipIf(recorded === null)('a book frame recorded by a third party has the fields we read', () => {
  const data = JSON.parse(readFileSync(recorded!, 'utf8')) as { coin: string; levels: unknown[][] }
  const { receive, events } = world(data.coin)
  receive({ channel: 'l2Book', data })
  // It is of a perpetual: its prices are not probabilities, everything else is valid.
  expect(events).toEqual([`malformed a level of ${data.coin}`, `broken ${data.coin} unreadable`])
})
