import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  errorFrame,
  type MarketOp,
  messageBytesMax,
  parseClientFrame,
  rejectFilters,
  subscribedFrame,
} from '#stream/protocol'

const parse = (text: string) => parseClientFrame(Buffer.from(text), false)
const parsed = (value: unknown) => parse(JSON.stringify(value))

describe('client messages', () => {
  it('lowercases venues and keeps the case of ids', () => {
    const frame = parsed({ op: 'subscribe', channel: 'orderbook', venue: 'Kalshi', marketId: 'KXBTC-Up' })
    expect(frame).toEqual({
      ok: true,
      op: {
        op: 'markets',
        markets: [{ op: 'subscribe', channel: 'orderbook', venue: 'kalshi', marketId: 'KXBTC-Up', depth: null }],
      },
    })
  })

  it('limits the bytes before it parses anything', () => {
    const over = parse(`{"op":"${'é'.repeat(messageBytesMax / 2)}"}`)
    expect(over).toMatchObject({ ok: false, message: expect.stringContaining('larger') })
    const json = JSON.stringify({ op: 'auth', apiKey: 'k' })
    expect(parse(json.padEnd(messageBytesMax))).toMatchObject({ ok: true })
    expect(parse(json.padEnd(messageBytesMax + 1))).toMatchObject({ ok: false })
  })

  it('a rejection repeats only bounded strings', () => {
    const frame = parsed({ op: 'subscribe', venue: 'V', marketId: 7, channel: 'x'.repeat(300), feed: 'f', symbol: 's' })
    expect(frame).toMatchObject({ ok: false, echo: { venue: 'v', feed: 'f', symbol: 's' }, op: 'subscribe' })
    expect(frame).not.toHaveProperty('echo.channel')
    expect(frame).not.toHaveProperty('echo.marketId')
  })

  it('never throws, whatever the bytes and the JSON', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseClientFrame(Buffer.from(bytes), false)),
      { numRuns: 5_000 },
    )
    const op = fc.record(
      {
        op: fc.oneof(
          fc.constantFrom('subscribe', 'subscribeAll', 'subscribePrice', 'auth', '__proto__'),
          fc.jsonValue(),
        ),
        venue: fc.jsonValue(),
        marketId: fc.jsonValue(),
        channel: fc.oneof(fc.constantFrom('orderbook', 'trades'), fc.jsonValue()),
        filters: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(op, (value) => {
        const frame = parsed(value)
        if (!frame.ok) expect(errorFrame('BAD_MESSAGE', frame.message, frame.echo, 1).length).toBeLessThan(4_096)
      }),
      { numRuns: 5_000 },
    )
  })

  it('rejects an unknown field of an operation, with the nearest known one and its channel', () => {
    const price = { op: 'subscribePrice', venue: 'rain', marketId: '1' }
    const feed = { op: 'subscribeFeedTicker', feed: 'binance', symbol: 'BTC/USDT' }
    const book = { op: 'subscribe', channel: 'orderbook', venue: 'kalshi', marketId: 'm' }
    const all = { op: 'subscribeAll', channel: 'orderbook', venue: 'kalshi' }
    const cases: [object, channel: string, RegExp][] = [
      [{ ...price, marketAdress: '0x1' }, 'price', /^marketAdress: .* did you mean marketAddress\?/],
      [{ ...price, filters: { status: 'all' } }, 'price', /^filters: is not known/],
      [{ ...price, channel: 'trades' }, 'price', /^channel: is not known/],
      [{ op: 'subscribePrice', venue: 'rain', marketID: '1' }, 'price', /^marketID: .* did you mean marketId\?/],
      [{ ...price, op: 'unsubscribePrice', x1: 1 }, 'price', /^x1: is not known; known are op, venue/],
      [{ ...feed, symbols: ['BTC/USDT'] }, 'feedTicker', /^symbols: .* did you mean symbol\?/],
      [{ ...feed, op: 'unsubscribeFeedTicker', venue: 'rain' }, 'feedTicker', /^venue: is not known/],
      [{ op: 'subscribeArbitrage', minedge: 1 }, 'arbitrage', /^minedge: .* did you mean minEdge\?/],
      [{ op: 'unsubscribeArbitrage', venues: [] }, 'arbitrage', /^venues: is not known/],
      [{ op: 'subscribeStructures', kind: 'ladder' }, 'structures', /^kind: .* did you mean kinds\?/],
      [{ op: 'unsubscribeStructures', kinds: [] }, 'structures', /^kinds: is not known/],
      [{ op: 'subscribeOrders', venue: 'kalshi' }, 'orders', /^venue: is not known/],
      [{ op: 'unsubscribeOrders', venue: 'kalshi' }, 'orders', /^venue: is not known/],
      [{ op: 'subscribePortfolio', venue: 'kalshi' }, 'portfolio', /^venue: is not known/],
      [{ op: 'unsubscribePortfolio', venue: 'kalshi' }, 'portfolio', /^venue: is not known/],
      [{ ...book, filter: { status: 'all' } }, 'orderbook', /^filter: .* did you mean filters\?/],
      [{ ...all, marketId: 'm' }, 'orderbook', /^marketId: is not known/],
    ]
    for (const [message, channel, words] of cases)
      expect(parsed(message), JSON.stringify(message)).toMatchObject({
        ok: false,
        message: expect.stringMatching(words),
        echo: { channel },
      })
    // Other errors in the message belong to its channel as well.
    expect(parsed({ ...price, marketAddress: 7 })).toMatchObject({ echo: { channel: 'price', marketId: '1' } })
    expect(parsed({ op: 'subscribeFeedTicker' })).toMatchObject({ echo: { channel: 'feedTicker' } })
    for (const message of [price, feed, book, { ...book, op: 'unsubscribe', filters: {} }, all])
      expect(parsed(message)).toMatchObject({ ok: true })
    // An extra field next to the key does not end a socket.
    expect(parsed({ op: 'auth', apiKey: 'k', client: 'x' })).toMatchObject({ ok: true })
  })

  it('keeps prototype names as plain keys', () => {
    parse('{"op":"subscribe","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('trade filters', () => {
  it('suggests the nearest key for an unknown one', () => {
    const refused = (filters: unknown) => rejectFilters({ channel: 'trades', venue: 'polymarket', filters })?.message
    expect(refused({ state: 'all', status: 'all' })).toBe('filters.state: is not known; did you mean status?')
    expect(refused({ Status: 'all' })).toBe('filters.Status: is not known; did you mean status?')
    expect(refused({ since: 1 })).toBe('filters.since: is not known; known are status')
  })

  const op = (filters: unknown, over: Partial<MarketOp> = {}) =>
    rejectFilters({ channel: 'trades', venue: 'polymarket', filters, ...over })?.code ?? null

  it('accepts only status (confirmed, pending, all), only for polymarket trades; NOT_SUPPORTED without a mempool watcher', () => {
    expect([op(undefined), op({}), op({ status: 'confirmed' })]).toEqual([null, null, null])
    expect([op({ status: 'pending' }), op({ status: 'all' })]).toEqual(['NOT_SUPPORTED', 'NOT_SUPPORTED'])
    for (const bad of [
      null,
      'all',
      1,
      [],
      ['status'],
      { status: 'x' },
      { status: null },
      { other: 1 },
      { status: 'all', x: 1 },
    ]) {
      expect(op(bad), JSON.stringify(bad)).toBe('BAD_MESSAGE')
    }
    expect(op({ status: 'confirmed' }, { venue: 'kalshi' })).toBe('BAD_MESSAGE')
    expect(op({ status: 'confirmed' }, { channel: 'orderbook' })).toBe('BAD_MESSAGE')
    expect(op(undefined, { venue: 'kalshi' })).toBeNull()
  })
})

it('frames have the fields of the specification and no others', () => {
  expect(JSON.parse(subscribedFrame({ channel: 'orderbook:all', venue: 'v' }).toString())).toEqual({
    type: 'subscribed',
    channel: 'orderbook:all',
    venue: 'v',
  })
  expect(JSON.parse(errorFrame('NOT_SUPPORTED', 'why', { feed: 'f', symbol: 's' }, 5).toString())).toEqual({
    type: 'error',
    code: 'NOT_SUPPORTED',
    message: 'why',
    feed: 'f',
    symbol: 's',
    ts: 5,
  })
})
