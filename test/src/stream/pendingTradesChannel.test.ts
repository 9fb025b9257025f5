// Pending fills for a client of the stream: filters, acknowledgements, frames, and what a slow socket misses.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { OnPendingTrade, PendingState, PendingTrades, PendingTradeUpdate } from '#marketData/pendingTrades/index'
import type { StreamCatalog, StreamRef } from '#stream/ports'
import { type Stream, startStream } from '#stream/server'
import type { StreamConnection } from '#stream/socket'
import { KeyStore, MemoryBus, principal, testCatalog, tradeUpdate } from './support.ts'

const specFile = fileURLToPath(new URL('../../../../shared/spec.md', import.meta.url))
const spec = existsSync(specFile) ? readFileSync(specFile, 'utf8') : null
const disclosure = { provenance: 'mempool', latencyMs: 1_700, completeness: 'pending trades seen by the node' } as const
const hash = `0x${'ab'.repeat(32)}`

class Source implements PendingTrades {
  newest = 0
  listeners = new Set<OnPendingTrade>()
  watches = (venue: string) => venue === 'polymarket'
  readonly disclosure = disclosure
  listen(listener: OnPendingTrade) {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }
  /** The next fill of a book. */
  see(bookId: string): PendingTradeUpdate {
    const n = ++this.newest
    const { data } = tradeUpdate(bookId, n)
    const update = {
      ...{ venue: 'polymarket', bookId, n, seenAt: 1_790_000_000_123, state: { status: 'pending' } as const },
      data: { ...data, id: `${hash}:${n - 1}`, transactionHash: hash, outcome: null, outcomeIndex: null },
    }
    this.publish(update)
    return update
  }
  publish(update: PendingTradeUpdate, state: PendingState = update.state): void {
    for (const listener of this.listeners) listener([{ ...update, state }])
  }
}

interface Peer {
  frames: Record<string, unknown>[]
  bytes: Buffer[]
  buffered: number
  corks: number
  connection: StreamConnection
  request(op: unknown): void
  last(count: number): Record<string, unknown>[]
}

let clock: ManualClock
let source: Source
let bus: MemoryBus
let stream: Stream
let sockets: number
const begin = async (over: { pendingTrades?: PendingTrades; catalog?: StreamCatalog } = {}): Promise<void> => {
  clock = new ManualClock()
  bus = new MemoryBus()
  sockets = 0
  const auth = new KeyStore()
  auth.keys.set('good', principal())
  stream = await startStream({
    ...{ bus, clock, log: silentLog, auth, gatewayId: 'g', defer: (run: () => void) => run() },
    catalog: over.catalog ?? testCatalog,
    books: { get: () => undefined },
    limitsOf: () => ({ subscriptionsPerConnection: 3, streamConnections: 1_000 }),
    ...(over.pendingTrades !== undefined && { pendingTrades: over.pendingTrades }),
  })
}
beforeEach(async () => {
  source = new Source()
  await begin({ pendingTrades: source })
})
afterEach(async () => {
  await stream.stop()
  expect(source.listeners.size).toBe(0)
})

function join(): Peer {
  const peer: Peer = { frames: [], bytes: [], buffered: 0, corks: 0 } as never
  const send = (bytes: Buffer) => {
    peer.bytes.push(bytes)
    peer.frames.push(JSON.parse(String(bytes)))
    return 'sent' as const
  }
  const socket = {
    ...{ id: ++sockets, send, close: () => undefined },
    cork: (run: () => void) => {
      peer.corks++
      run()
    },
    bufferedAmount: () => peer.buffered,
  }
  peer.connection = stream.open(socket, 'good')
  peer.request = (op) => peer.connection.message(Buffer.from(JSON.stringify(op)), false)
  peer.last = (count) => peer.frames.slice(-count)
  return peer
}
const op = (status?: unknown, over: object = {}) => ({
  ...{ op: 'subscribe', channel: 'trades', venue: 'polymarket', marketId: 'm' },
  ...(status !== undefined && { filters: { status } }),
  ...over,
})
const unsubscribe = (over: object = {}) => op(undefined, { op: 'unsubscribe', ...over })
const named = { channel: 'trades', venue: 'polymarket', marketId: 'm' }
const unlisted = { outcomeId: null, catalogMarketId: null, nativeId: 'm' }

describe('a subscription', () => {
  it('to pending or all trades is acknowledged with its status and an explanation; to confirmed trades without', () => {
    const [pending, all, confirmed] = [join(), join(), join()]
    pending.request(op('pending'))
    all.request(op('all', { venue: 'Polymarket' }))
    confirmed.request(op('confirmed'))
    confirmed.request(op())
    expect(pending.frames).toEqual([{ type: 'subscribed', ...named, ...unlisted, status: 'pending', disclosure }])
    expect(all.frames).toEqual([{ type: 'subscribed', ...named, ...unlisted, status: 'all', disclosure }])
    expect(confirmed.frames).toEqual([
      { type: 'subscribed', ...named, ...unlisted },
      { type: 'subscribed', ...named, ...unlisted },
    ])
    pending.request(unsubscribe())
    confirmed.request(unsubscribe({ filters: {} }))
    expect(pending.last(1)).toEqual([{ type: 'unsubscribed', ...named, status: 'pending' }])
    expect(confirmed.last(1)).toEqual([{ type: 'unsubscribed', ...named }])
    pending.request(unsubscribe())
    expect(pending.last(1)).toMatchObject([{ code: 'NOT_SUBSCRIBED' }])
  })

  it('keeps its status until it is unsubscribed: another status is rejected, and the subscription continues', () => {
    const peer = join()
    peer.request(op('pending'))
    for (const status of ['all', 'confirmed', undefined]) {
      peer.request(op(status))
      expect(peer.last(1), String(status)).toMatchObject([{ type: 'error', code: 'BAD_MESSAGE', ...named }])
    }
    peer.request(op('pending'))
    expect(peer.last(1)).toMatchObject([{ type: 'subscribed', status: 'pending' }])
    source.see('m')
    expect(peer.last(1)).toMatchObject([{ type: 'trade', status: 'pending' }])
    peer.request(unsubscribe())
    peer.request(op('all'))
    expect(peer.last(1)).toMatchObject([{ type: 'subscribed', status: 'all' }])
  })

  it('counts as one, whatever its status', () => {
    const peer = join()
    for (const marketId of ['a', 'b', 'c', 'd']) peer.request(op('all', { marketId }))
    expect(peer.frames.map(({ type, code }) => code ?? type)).toEqual([
      'subscribed',
      'subscribed',
      'subscribed',
      'SUBSCRIPTION_LIMIT',
    ])
  })

  it.each([
    ['another venue', op('pending', { venue: 'kalshi' }), 'BAD_MESSAGE'],
    ['another channel', op('pending', { channel: 'orderbook' }), 'BAD_MESSAGE'],
    ['a non-object', { ...op(), filters: 'pending' }, 'BAD_MESSAGE'],
    ['another key', { ...op(), filters: { status: 'pending', side: 'buy' } }, 'BAD_MESSAGE'],
    ['another value', op('Pending'), 'BAD_MESSAGE'],
    ['null', op(null), 'BAD_MESSAGE'],
    ['no such market', op('pending', { marketId: 'nothing' }), 'MARKET_NOT_FOUND'],
  ])('is rejected for %s, and the socket stays open', (_title, message, code) => {
    const peer = join()
    peer.request(message)
    expect(peer.frames).toMatchObject([{ type: 'error', code }])
    peer.request(op('pending'))
    expect(peer.last(1)).toMatchObject([{ type: 'subscribed' }])
  })

  it('is NOT_SUPPORTED where no node is watched: nothing is subscribed or sent', async () => {
    await stream.stop()
    await begin()
    const peer = join()
    for (const status of ['pending', 'all']) {
      peer.request(op(status))
      expect(peer.last(1)).toMatchObject([{ type: 'error', code: 'NOT_SUPPORTED', ...named }])
    }
    peer.request(unsubscribe({ filters: { status: 'pending' } }))
    expect(peer.last(1)).toMatchObject([{ code: 'NOT_SUBSCRIBED' }])
    peer.request(op())
    expect(peer.last(1)).toEqual([{ type: 'subscribed', ...named, ...unlisted }])
  })
})

describe('frames', () => {
  it('of a fill have the trade, its pending reason and time, and later its result, under one id', () => {
    const peer = join()
    peer.request(op('pending'))
    const [first, second, third] = [source.see('m'), source.see('m'), source.see('m')]
    clock.advance(1_000)
    source.publish(first!, { status: 'confirmed', blockNumber: 77_000_001 })
    source.publish(second!, { status: 'dropped', dropReason: 'timeout' })
    source.publish(third!, { status: 'dropped', dropReason: 'reverted' })
    const frame = (of: PendingTradeUpdate, more: object, ts: number) => ({
      ...{ type: 'trade', venue: 'polymarket', marketId: 'm', provenance: 'mempool', ts },
      ...{ seenAt: '2026-09-21T14:13:20.123Z', data: of.data },
      ...more,
    })
    expect(peer.frames.slice(1)).toEqual([
      frame(first!, { status: 'pending' }, clock.now() - 1_000),
      frame(second!, { status: 'pending' }, clock.now() - 1_000),
      frame(third!, { status: 'pending' }, clock.now() - 1_000),
      frame(first!, { status: 'confirmed', blockNumber: 77_000_001 }, clock.now()),
      frame(second!, { status: 'dropped', dropReason: 'timeout' }, clock.now()),
      frame(third!, { status: 'dropped', dropReason: 'reverted' }, clock.now()),
    ])
  })

  it.skipIf(spec === null)('have the fields of the specification (needs ../shared/spec.md)', () => {
    const line = spec!.split('\n').find((each) => each.startsWith('Pending polymarket trade frames'))!
    for (const word of [
      'status',
      'seenAt',
      'provenance',
      'mempool',
      'blockNumber',
      'dropReason',
      'timeout',
      'reverted',
      'confirmed',
      'dropped',
    ])
      expect(line).toContain(`\`${word}\``)
    expect(line).toContain("With `all` the lane's own confirmed frame is omitted")
    const trade = spec!.split('\n').find((each) => each.startsWith('| `trade` |'))!
    const peer = join()
    peer.request(op('pending'))
    source.see('m')
    const [frame] = peer.last(1) as { data: object }[]
    const fields = /`data` \{([^}]*)\}/
      .exec(trade)![1]!
      .match(/`(\w+)`/g)!
      .map((word) => word.slice(1, -1))
    expect(Object.keys(frame!.data).sort()).toEqual(fields.sort())
  })

  it('to a subscriber of all trades include the venue’s own trades, and only the venue’s confirmation', () => {
    const [all, pending, confirmed] = [join(), join(), join()]
    all.request(op('all'))
    pending.request(op('pending'))
    confirmed.request(op())
    const [kept, dropped] = [source.see('m'), source.see('m')]
    bus.trade(tradeUpdate('m', 1, 'polymarket'))
    stream.flush()
    source.publish(kept!, { status: 'confirmed', blockNumber: 1 })
    source.publish(dropped!, { status: 'dropped', dropReason: 'timeout' })
    const seen = ({ frames }: Peer) => frames.slice(1).map((frame) => frame.status ?? 'native')
    expect(seen(all)).toEqual(['pending', 'pending', 'native', 'dropped'])
    expect(seen(pending)).toEqual(['pending', 'pending', 'confirmed', 'dropped'])
    expect(seen(confirmed)).toEqual(['native'])
    // Subscribers of pending fills alone request nothing from the venue.
    all.request(unsubscribe())
    confirmed.request(unsubscribe())
    expect(stream.demandOf('polymarket')).not.toContain('m')
  })

  it('go only to subscribers of their token that were subscribed when they were seen', () => {
    const [early, other, late] = [join(), join(), join()]
    early.request(op('pending'))
    other.request(op('pending', { marketId: 'n' }))
    const seen = source.see('m')
    late.request(op('pending'))
    source.publish(seen, { status: 'confirmed', blockNumber: 5 })
    expect([early, other, late].map(({ frames }) => frames.length)).toEqual([3, 1, 1])
    const next = source.see('m')
    early.request(unsubscribe())
    late.connection.closed()
    source.publish(next, { status: 'confirmed', blockNumber: 6 })
    expect(early.frames).toHaveLength(5)
    expect(late.frames).toHaveLength(2)
    expect(stream.totals()).toMatchObject({ produced: 4, sent: 4, dropped: 0 })
  })

  it('are encoded once for all subscribers of a market, and name it and its outcome as requested', async () => {
    await stream.stop()
    const refs: Record<string, StreamRef> = {
      m: { bookId: 'm', complement: false, outcome: { label: 'Yes', index: 0 } },
      'polymarket:m': { bookId: 'm', complement: false, outcome: { label: 'Yes', index: 0 }, outcomeId: 'm' },
      other: { bookId: 'm', complement: true, outcome: { label: 'No', index: 1 } },
    }
    await begin({ pendingTrades: source, catalog: { ...testCatalog, resolve: (_venue, id) => refs[id]! } })
    const peers = ['m', 'm', 'polymarket:m', 'other'].map((marketId) => {
      const peer = join()
      peer.request(op('pending', { marketId }))
      return peer
    })
    source.see('m')
    const [one, two, qualified, other] = peers.map(({ bytes }) => bytes.at(-1)!)
    expect(two).toBe(one)
    expect(qualified).not.toBe(one)
    const read = (bytes: Buffer | undefined) => JSON.parse(String(bytes))
    expect(read(one)).toMatchObject({
      marketId: 'm',
      data: { outcome: 'Yes', outcomeIndex: 0, price: 0.41, type: 'Buy' },
    })
    expect(read(qualified)).toMatchObject({ marketId: 'polymarket:m', data: { outcome: 'Yes' } })
    expect(read(other)).toMatchObject({ marketId: 'other', data: { outcome: 'No', price: 0.59, type: 'Sell' } })
  })

  it('of one settlement are sent to a socket in one write, whatever their markets', () => {
    const peer = join()
    for (const marketId of ['m', 'n']) peer.request(op('pending', { marketId }))
    const fills = ['m', 'n', 'm', 'other'].map((bookId, i) => ({ ...source.see('elsewhere'), bookId, n: 100 + i }))
    const { corks } = peer
    for (const listener of source.listeners) listener(fills)
    expect(peer.last(3).map(({ marketId }) => marketId)).toEqual(['m', 'n', 'm'])
    expect(peer.corks).toBe(corks + 1)
  })

  it('are dropped, not queued, while a socket is behind, and every one is counted', () => {
    const peer = join()
    peer.request(op('pending'))
    peer.buffered = 10_000_000
    const seen = source.see('m')
    const missed = source.see('m')
    peer.buffered = 0
    source.publish(seen, { status: 'confirmed', blockNumber: 5 })
    source.publish(missed, { status: 'confirmed', blockNumber: 5 })
    expect(peer.frames.slice(1).map(({ status, data }) => [status, (data as { id: string }).id])).toEqual([
      ['pending', seen.data.id],
      ['confirmed', seen.data.id],
      ['confirmed', missed.data.id],
    ])
    expect(stream.totals()).toMatchObject({ produced: 4, sent: 3, dropped: 1 })
  })
})
