// One message for several markets, and the names of a market.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { marketsPerMessageMax } from '#schemas/stream'
import type { Resolution } from '#stream/ports'
import { type Stream, startStream } from '#stream/server'
import { bookUpdate, type Frame, KeyStore, MemoryBus, principal } from './support.ts'

const outcomes: Record<string, Resolution> = {
  token: { bookId: 'token', complement: false, outcomeId: 'token', catalogMarketId: 'market' },
  market: { bookId: 'token', complement: false, outcomeId: 'token', catalogMarketId: 'market' },
  slug: { instead: { venue: 'polymarket', marketId: 'token' } },
  TICKER: { instead: { venue: 'kalshi', marketId: 'TICKER' } },
}

/** Names that the catalog still looks up, each with its resolver. */
const looked = new Map<string, PromiseWithResolvers<Resolution>>()

let subscriptionsMax: number
let bus: MemoryBus
let stream: Stream
let frames: Frame[]
let request: (op: unknown) => void
beforeEach(async () => {
  subscriptionsMax = 700
  bus = new MemoryBus()
  frames = []
  const auth = new KeyStore()
  auth.keys.set('good', principal())
  stream = await startStream({
    ...{ bus, clock: new ManualClock(), log: silentLog, auth, gatewayId: 'g', books: { get: () => undefined } },
    catalog: {
      resolve: (_venue, marketId) => looked.get(marketId)?.promise ?? outcomes[marketId] ?? 'market_not_found',
      resolveAll: () => 'not_supported',
    },
    limitsOf: () => ({ subscriptionsPerConnection: subscriptionsMax, streamConnections: 1 }),
    bucket: { burst: 600, perSecond: 100, patience: 10 },
  })
  const send = (bytes: Buffer) => {
    frames.push(JSON.parse(String(bytes)))
    return 'sent' as const
  }
  const socket = { id: 1, send, cork: (run: () => void) => run(), bufferedAmount: () => 0, close: () => undefined }
  const connection = stream.open(socket, 'good')
  request = (op) => connection.message(Buffer.from(JSON.stringify(op)), false)
})
afterEach(() => {
  looked.clear()
  return stream.stop()
})

const named = { channel: 'orderbook', venue: 'polymarket' }
const subscribe = (over: object) => ({ op: 'subscribe', ...named, ...over })

describe('names', () => {
  it.each([
    [{ marketId: 'token' }, 'token'],
    [{ outcomeId: 'token' }, 'token'],
    [{ marketId: 'market' }, 'market'],
    [{ outcomeId: 'market' }, 'market'],
  ])(
    '%j is acknowledged and sent under that name, with the outcome, the market and the book it reads',
    (name, marketId) => {
      request(subscribe(name))
      bus.book(bookUpdate('token', 1, { venue: 'polymarket' }))
      stream.flush()
      expect(frames).toMatchObject([
        { type: 'subscribed', ...named, marketId, outcomeId: 'token', catalogMarketId: 'market', nativeId: 'token' },
        { type: 'snapshot', venue: 'polymarket', marketId },
      ])
      request(subscribe({ ...name, op: 'unsubscribe' }))
      expect(frames.at(-1)).toEqual({ type: 'unsubscribed', ...named, marketId })
    },
  )

  it('suggests a valid name, and its venue', () => {
    request(subscribe({ marketId: 'slug' }))
    request(subscribe({ marketId: 'TICKER' }))
    expect(frames).toMatchObject([
      { code: 'MARKET_NOT_FOUND', marketId: 'slug', message: 'the venue has no such market; did you mean token?' },
      { code: 'MARKET_NOT_FOUND', message: 'the venue has no such market; did you mean TICKER at kalshi?' },
    ])
  })

  it.each([
    [{}, /^marketId: is required/],
    [{ marketId: 'token', outcomeId: 'token' }, /only one of them/],
    [{ marketIds: ['token'], marketId: 'token' }, /only one of them/],
    [{ marketIds: [] }, /^marketIds: /],
    [{ marketIds: ['a', 7] }, /^marketIds\.1: /],
    [{ marketIds: Array.from({ length: marketsPerMessageMax + 1 }, String) }, /^marketIds: /],
    [{ marketId: 'token', depth: 2 }, /^depth: must be 1, 5, 20 or "all"$/],
    [{ marketId: 'token', channel: 'books' }, /^channel: must be "orderbook" or "trades"$/],
    [{ marketId: 'token', channel: 'trades', depth: 1 }, /^depth: is only for books/],
  ])('%j is a BAD_MESSAGE', (over, words) => {
    request(subscribe(over))
    expect(frames).toMatchObject([{ code: 'BAD_MESSAGE', message: expect.stringMatching(words) }])
  })
})

describe('several markets in one message', () => {
  it('are acknowledged or rejected one by one, in their order', () => {
    request(subscribe({ marketIds: ['token', 'nothing', 'market', 'slug'] }))
    expect(frames.map(({ type, code, marketId }) => `${code ?? type} ${marketId}`)).toEqual([
      'subscribed token',
      'MARKET_NOT_FOUND nothing',
      'subscribed market',
      'MARKET_NOT_FOUND slug',
    ])
    request({ op: 'unsubscribe', ...named, marketIds: ['token', 'market', 'nothing'] })
    expect(frames.slice(4).map(({ type, code }) => code ?? type)).toEqual([
      'unsubscribed',
      'unsubscribed',
      'NOT_SUBSCRIBED',
    ])
    expect(stream.totals().subscriptions).toBe(0)
  })

  const replies = () => frames.map(({ type, code, marketId }) => `${code ?? type} ${marketId}`)
  const lookUp = (...names: string[]) => {
    for (const name of names) looked.set(name, Promise.withResolvers())
  }
  const found = async (name: string, outcome: Resolution | Error = outcomes.token!) => {
    const { resolve, reject } = looked.get(name)!
    if (outcome instanceof Error) reject(outcome)
    else resolve(outcome)
    await new Promise(setImmediate)
  }

  it('are answered in their order, whichever the catalog finds first', async () => {
    lookUp('slow', 'slower')
    request(subscribe({ marketIds: ['slow', 'token', 'nothing', 'slower', 'market'] }))
    request(subscribe({ marketId: 'token', op: 'unsubscribe' }))
    await found('slower', new Error('the catalog is unavailable'))
    expect(replies()).toEqual([])
    expect(stream.totals().subscriptions).toBe(0)
    await found('slow')
    expect(replies()).toEqual([
      'subscribed slow',
      'subscribed token',
      'unsubscribed token',
      'MARKET_NOT_FOUND nothing',
      'CATALOG_UNAVAILABLE slower',
      'subscribed market',
    ])
    expect(stream.totals().subscriptions).toBe(2)
  })

  it('wait for an earlier operation on one of them', async () => {
    lookUp('slow')
    request(subscribe({ marketId: 'slow' }))
    request(subscribe({ marketIds: ['token', 'slow', 'market'] }))
    request({ op: 'unsubscribe', ...named, marketIds: ['slow', 'token'] })
    expect(replies()).toEqual(['subscribed token'])
    await found('slow')
    expect(replies()).toEqual([
      'subscribed token',
      'subscribed slow',
      'subscribed slow',
      'unsubscribed slow',
      'unsubscribed token',
      'subscribed market',
    ])
  })

  it('that are already subscribed use no slot of the plan while they wait', async () => {
    subscriptionsMax = 3
    lookUp('slow')
    request(subscribe({ marketId: 'token' }))
    request(subscribe({ marketIds: ['slow', 'token', 'market'] }))
    await found('slow')
    expect(replies().slice(1)).toEqual(['subscribed slow', 'subscribed token', 'subscribed market'])
    lookUp('more')
    request(subscribe({ marketIds: ['token', 'more'] }))
    expect(frames.at(-1)).toMatchObject({ code: 'SUBSCRIPTION_LIMIT', marketId: 'more' })
  })

  it('are answered once, however often a name is repeated', () => {
    request(subscribe({ marketIds: ['token', 'nothing', 'token', 'nothing', 'market'] }))
    expect(replies()).toEqual(['subscribed token', 'MARKET_NOT_FOUND nothing', 'subscribed market'])
    expect(stream.totals().subscriptions).toBe(2)
  })

  it('count as that many messages: too many at once are rejected as a whole, and the socket stays open', () => {
    const ids = Array.from({ length: marketsPerMessageMax }, (_, i) => `m${i}`)
    request(subscribe({ marketIds: ids }))
    expect(frames).toHaveLength(ids.length)
    frames.length = 0
    request(subscribe({ marketIds: ids }))
    expect(frames).toMatchObject([
      { code: 'RATE_LIMITED', message: expect.stringContaining('this message was not read') },
    ])
    request(subscribe({ marketId: 'token' }))
    expect(frames.at(-1)).toMatchObject({ type: 'subscribed', marketId: 'token' })
  })
})

describe('depth', () => {
  it('is echoed if it is limited, and is changed by a new subscription', () => {
    request(subscribe({ marketId: 'token', depth: 5 }))
    request(subscribe({ marketId: 'token', depth: 5 }))
    request(subscribe({ marketId: 'token' }))
    request(subscribe({ marketId: 'token', op: 'unsubscribe' }))
    request(subscribe({ marketId: 'token', depth: 'all' }))
    expect(frames.map(({ type, code, depth }) => [code ?? type, depth])).toEqual([
      ['subscribed', 5],
      ['subscribed', 5],
      ['BAD_MESSAGE', undefined],
      ['unsubscribed', undefined],
      ['subscribed', undefined],
    ])
    expect(frames[2]!.message).toBe('its depth is 5: unsubscribe to change it')
  })
})
