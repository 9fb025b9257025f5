// The session frame by frame, and against the lab with a real socket and the lab’s token.
import { expect, test, vi } from 'vitest'
import { ManualClock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { startLab } from '#lab/lab'
import { createHttpClient } from '#net/httpClient'
import { openSocket } from '#net/socket'
import { streamWorld, writeSnapshot } from '#test/support/streamFeed'
import { stream } from '#venues/sxbet/data/stream'
import { sxbet } from '#venues/sxbet/index'
import type { VenueContext } from '#venues/venueContext'
import { book, spread, trade, winner } from './rows.ts'

const [hash, other] = [spread.marketHash, winner.marketHash]
const push = (channel: string, data: unknown) => ({ push: { channel, pub: { data } } })
const bookFrame = (version: string, more: object = {}) =>
  push(`orderbook_v3:${hash}`, { ...book, version, eventId: 'L18870109', ...more })

function connected() {
  const world = streamWorld('sxbet', [hash, other], (feed) => stream.open(feed, 'jwt'))
  expect(world.session.subscribe([hash])).toEqual(['{"id":1,"connect":{"token":"jwt","name":"crossbook"}}'])
  world.receive({ id: 1, connect: { client: 'c', version: '5', ping: 25, pong: true } })
  expect(world.sent.splice(0)).toEqual([
    `{"id":2,"subscribe":{"channel":"orderbook_v3:${hash}"}}`,
    '{"id":3,"subscribe":{"channel":"recent_trades_v3:global"}}',
  ])
  world.receive({ id: 2, subscribe: {} }, { id: 3, subscribe: {} })
  expect(world.events.splice(0)).toEqual([`unseeded ${hash}`])
  return world
}

test('each publication is a whole book, and an older version is ignored', () => {
  const world = connected()
  writeSnapshot(world, hash, { bids: [[500_000, 9]], asks: [] })
  world.receive(bookFrame('00100000000000010015002'))
  const whole = { bids: [[502_500, 5_000_000 / 502_500]], asks: [[520_000, 6.25]] }
  expect(world.levels(hash)).toEqual(whole)
  world.receive(bookFrame('00100000000000010015001', { outcomeOne: [], outcomeTwo: [] }))
  expect(world.levels(hash)).toEqual(whole)
  // Several at once; the last is the newest.
  world.receive(
    push(`orderbook_v3:${hash}`, [
      { ...book, version: '1' },
      { ...book, version: '2', outcomeTwo: [] },
    ]),
  )
  expect(world.levels(hash)).toEqual({ bids: whole.bids, asks: [] })
  expect(world.events).toEqual([])
})

test('an unreadable level breaks the book, and a malformed frame is counted', () => {
  const world = connected()
  world.receive(bookFrame('00100000000000010015002'))
  world.receive(bookFrame('00100000000000010015003', { outcomeOne: [{ percentageOdds: '1', size: '1' }] }))
  expect(world.events.splice(0)).toEqual([`malformed a level of ${hash}`, `broken ${hash} unreadable`])
  world.receive(push(`orderbook_v3:${hash}`, { marketHash: hash }))
  expect(world.events).toEqual([`broken ${hash} unreadable`, expect.stringMatching(/^malformed/)])
})

test('publishes bets of watched markets at side one’s prices, and ignores all others', () => {
  const world = connected()
  const receiveTrade = (more: object) =>
    world.receive(push('recent_trades_v3:global', { trade: { ...trade, ...more } }))
  expect([receiveTrade({}), receiveTrade({ isBettingOutcomeOne: false, tradeId: '0x2' })]).toEqual([true, true])
  expect([
    receiveTrade({ marketHash: other }),
    receiveTrade({ status: 'FAILED' }),
    receiveTrade({ isParlay: true }),
  ]).toEqual([false, false, false])
  expect(
    world.trades.map(({ marketId, data: { id, price, shares, type } }) => [marketId, id, price, shares, type]),
  ).toEqual([
    [hash, '0xac6b', 0.4, 2.5, 'Buy'],
    [hash, '0x2', 0.6, 2.5, 'Sell'],
  ])
})

const contextOf = (urls: Record<string, string>, credentials: Record<string, string> | null): VenueContext => ({
  venue: 'sxbet',
  http: createHttpClient({ venue: 'sxbet', requestsPerSecond: 1_000 }),
  clock: new ManualClock(),
  log: silentLog,
  urls,
  credentials,
  signal: new AbortController().signal,
})

test('cannot connect without the operator’s key, so books are polled', () => {
  expect(stream.connect(contextOf(sxbet.urls, null))).toBeNull()
  expect(stream.connect(contextOf(sxbet.urls, { API_KEY: 'k' }))).toEqual({
    url: 'wss://realtime.sx.bet/connection/websocket',
    headers: {},
  })
})

test('a key gives a token, and a token gives a connection; a wrong key is a fault', async () => {
  const lab = await startLab({
    clock: systemClock,
    seed: 'sxbet stream',
    venues: ['sxbet'],
    ratePerSecond: 0,
    markets: 12,
  })
  try {
    const { urls, credentials, listing, engine } = lab.sxbet
    const wrong = contextOf(urls, { API_KEY: 'wrong' })
    await expect(stream.fetchToken!(wrong)).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'sxbet' })
    const context = contextOf(urls, credentials)
    const token = await stream.fetchToken!(context)
    const { marketHash, key } = listing.markets.find((market) => engine.statusOf(market.key) === 'open')!
    const world = streamWorld('sxbet', [marketHash], (feed) => stream.open(feed, token))
    const socket = openSocket(
      stream.connect(context, token)!.url,
      {},
      {
        opened: () => void world.session.subscribe([marketHash]).map((text) => socket.send(text)),
        frame(data) {
          world.session.receive(data, Date.now())
          for (const text of world.sent.splice(0)) socket.send(text)
        },
        closed: (reason) => world.events.push(reason),
      },
    )
    await vi.waitFor(() => expect(world.session.feeds(marketHash)).toBe(true))
    engine.run(key, 50)
    const { bids, asks } = lab.sxbet.book(marketHash)!
    await vi.waitFor(() => expect(world.levels(marketHash)).toEqual({ bids, asks }))
    socket.close()
  } finally {
    await lab.stop()
  }
})
