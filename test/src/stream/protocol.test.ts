import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ClientOp,
  errorFrame,
  messageBytesMax,
  parseClientFrame,
  refuseFilters,
  subscribedFrame,
} from '#stream/protocol'

const parse = (text: string) => parseClientFrame(Buffer.from(text), false)
const parsed = (value: unknown) => parse(JSON.stringify(value))

describe('client messages', () => {
  it('venues are lowercased, ids keep their case', () => {
    const frame = parsed({ op: 'subscribe', channel: 'orderbook', venue: 'Kalshi', marketId: 'KXBTC-Up' })
    expect(frame).toEqual({
      ok: true,
      op: { op: 'subscribe', channel: 'orderbook', venue: 'kalshi', marketId: 'KXBTC-Up' },
    })
  })

  it('the cap is on bytes, before anything is parsed', () => {
    const over = parse(`{"op":"${'é'.repeat(messageBytesMax / 2)}"}`)
    expect(over).toMatchObject({ ok: false, message: expect.stringContaining('larger') })
    const json = JSON.stringify({ op: 'auth', apiKey: 'k' })
    expect(parse(json.padEnd(messageBytesMax))).toMatchObject({ ok: true })
    expect(parse(json.padEnd(messageBytesMax + 1))).toMatchObject({ ok: false })
  })

  it('a refusal repeats only bounded strings', () => {
    const frame = parsed({ op: 'subscribe', venue: 'V', marketId: 7, channel: 'x'.repeat(300), feed: 'f', symbol: 's' })
    expect(frame).toMatchObject({ ok: false, echo: { venue: 'v', feed: 'f', symbol: 's' }, op: 'subscribe' })
    expect(frame).not.toHaveProperty('echo.channel')
    expect(frame).not.toHaveProperty('echo.marketId')
  })

  it('no bytes and no JSON make it throw', () => {
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

  it('prototype keys stay keys', () => {
    parse('{"op":"subscribe","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('trade filters', () => {
  const op = (filters: unknown, over: Partial<Extract<ClientOp, { op: 'subscribe' | 'unsubscribe' }>> = {}) =>
    refuseFilters({ op: 'subscribe', channel: 'trades', venue: 'polymarket', marketId: 'm', filters, ...over })?.code ??
    null

  it('only status, only confirmed, pending or all, only polymarket trades; what needs a mempool watcher is not supported', () => {
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

it('frames are the spec’s fields and nothing else', () => {
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
