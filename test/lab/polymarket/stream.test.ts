import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, type LabOptions, startLab } from '#lab/lab'
import { sharedFixture } from '#test/support/fixtures'
import { getJson, type Json, plain, RecordingSocket, rebuildPolymarket, truthBook } from '../clients.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close()
})

async function start(options: LabOptions = {}) {
  const clock = new ManualClock()
  const lab = await startLab({ clock, seed: 'poly', venues: ['polymarket'], ratePerSecond: 0, ...options })
  opened.push({ close: () => lab.stop() })
  return { clock, lab, venue: lab.polymarket }
}

async function connect(lab: Lab, frame: Json) {
  const socket = await RecordingSocket.open(lab.polymarket.urls.WS)
  opened.push(socket)
  socket.send({ type: 'market', ...frame })
  return socket
}

const of = (messages: Json[], type: string) => messages.filter((message) => message.event_type === type)

describe('the polymarket market channel', () => {
  test('answers a subscription with an array of whole books, worst level first on both sides', async () => {
    const { lab, venue } = await start()
    const { tokens } = venue.listing.markets[0]!
    const socket = await connect(lab, { assets_ids: tokens })
    await socket.until(() => socket.frames.length > 0)
    const books = JSON.parse(socket.frames[0]!) as Json[]
    expect(books.map((book) => book.asset_id)).toEqual([...tokens])
    for (const book of books) {
      const bids = (book.bids as { price: string }[]).map(({ price }) => Number(price))
      const asks = (book.asks as { price: string }[]).map(({ price }) => Number(price))
      expect(bids).toEqual(bids.toSorted((a, b) => a - b))
      expect(asks).toEqual(asks.toSorted((a, b) => b - a))
      expect(book.timestamp).toMatch(/^\d{13}$/)
      expect(book.hash).toMatch(/^[0-9a-f]{40}$/)
    }
  })

  test('NO mirrors YES level by level', async () => {
    const { lab, venue } = await start()
    const { tokens } = venue.listing.markets[0]!
    const yes = lab.polymarket.book(tokens[0])!
    const no = lab.polymarket.book(tokens[1])!
    expect(no.bids).toEqual(yes.asks.map(([price, size]) => [1_000_000 - price, size]))
    expect(no.asks).toEqual(yes.bids.map(([price, size]) => [1_000_000 - price, size]))
  })

  test('books rebuilt from 10,000 messages equal those of the lab for both tokens', async () => {
    const { lab, venue } = await start()
    const market = venue.listing.markets[0]!
    const socket = await connect(lab, { assets_ids: market.tokens })
    await socket.until(() => socket.frames.length > 0)
    for (let n = 0; n < 1000; n++) venue.engine.run(market.key, 10)
    socket.send('PING')
    await socket.until(() => socket.frames.includes('PONG'))
    expect(of(socket.messages(), 'price_change').length).toBeGreaterThan(9_000)
    const books = rebuildPolymarket(socket.messages())
    for (const token of market.tokens) expect(plain(books.get(token)!)).toEqual(plain(truthBook(venue.book(token))))
  })

  test('every price change has the best prices after it, and the hash that REST then returns', async () => {
    const { lab, venue } = await start()
    const market = venue.listing.markets[0]!
    const socket = await connect(lab, { assets_ids: [market.tokens[0]] })
    await socket.until(() => socket.frames.length > 0)
    for (let n = 0; n < 50; n++) {
      venue.engine.run(market.key, 1)
      socket.send('PING')
      await socket.until(() => socket.frames.filter((frame) => frame === 'PONG').length === n + 1)
      const last = of(socket.messages(), 'price_change').at(-1)
      if (last === undefined) continue
      for (const change of last.price_changes as Record<string, string>[]) {
        const truth = venue.book(change.asset_id!)!
        expect(Number(change.best_bid)).toBe(truth.bids[0]![0] / 1_000_000)
        expect(Number(change.best_ask)).toBe(truth.asks[0]![0] / 1_000_000)
        const { body } = await getJson(`${venue.urls.CLOB}/book?token_id=${change.asset_id}`)
        expect(body.hash).toBe(change.hash)
      }
    }
  })

  test('sends a trade as last_trade_price, followed by the whole book', async () => {
    const { lab, venue } = await start()
    const market = venue.listing.markets[0]!
    const socket = await connect(lab, { assets_ids: market.tokens })
    await socket.until(() => socket.frames.length > 0)
    venue.engine.run(market.key, 200)
    socket.send('PING')
    await socket.until(() => socket.frames.includes('PONG'))
    const types = socket.messages().map((message) => message.event_type)
    const traded = types.lastIndexOf('last_trade_price')
    expect(traded).toBeGreaterThan(0)
    expect(types.slice(traded + 1)).toContain('book')
  })

  test('sends best_bid_ask, new_market and market_resolved on request; tick_size_change to all', async () => {
    const { lab, venue } = await start()
    const market = venue.listing.markets[0]!
    const plainSocket = await connect(lab, { assets_ids: market.tokens })
    const custom = await connect(lab, { assets_ids: market.tokens, custom_feature_enabled: true })
    await Promise.all([plainSocket, custom].map((socket) => socket.until(() => socket.frames.length > 0)))
    venue.engine.run(market.key, 200)
    venue.announceNew(market.tokens[0])
    venue.faults.tickSize({ market: market.tokens[0], grid: 'milli' })
    venue.faults.resolve({ market: market.conditionId, result: 'no' })
    for (const socket of [plainSocket, custom]) {
      socket.send('PING')
      await socket.until(() => socket.frames.includes('PONG'))
    }
    for (const type of ['best_bid_ask', 'new_market', 'market_resolved']) {
      expect(of(custom.messages(), type).length).toBeGreaterThan(0)
      expect(of(plainSocket.messages(), type)).toEqual([])
    }
    expect(of(plainSocket.messages(), 'tick_size_change')).toMatchObject([
      { asset_id: market.tokens[0], old_tick_size: '0.01', new_tick_size: '0.001' },
      { asset_id: market.tokens[1], old_tick_size: '0.01', new_tick_size: '0.001' },
    ])
    expect(of(custom.messages(), 'market_resolved')[0]).toMatchObject({
      winning_outcome: 'No',
      winning_asset_id: market.tokens[1],
    })
  })

  test('later frames subscribe and unsubscribe; repeated assets are NO NEW ASSETS', async () => {
    const { lab, venue } = await start()
    const [first, second] = venue.listing.markets
    const socket = await connect(lab, { assets_ids: [first!.tokens[0]] })
    socket.send({ operation: 'subscribe', assets_ids: [second!.tokens[0]] })
    await socket.until(() => socket.frames.length === 2)
    expect(venue.counters().subscriptions).toEqual({ [first!.tokens[0]]: 1, [second!.tokens[0]]: 1 })
    socket.send({ operation: 'subscribe', assets_ids: [first!.tokens[0], 'nobody'] })
    await socket.until(() => socket.frames.length === 3)
    expect(socket.frames[2]).toBe('NO NEW ASSETS')
    socket.send({ operation: 'unsubscribe', assets_ids: [first!.tokens[0]] })
    socket.send('PING')
    await socket.until(() => socket.frames.length === 4)
    expect(venue.counters().subscriptions).toEqual({ [second!.tokens[0]]: 1 })
    venue.engine.run(first!.key, 10)
    socket.send('PING')
    await socket.until(() => socket.frames.filter((frame) => frame === 'PONG').length === 2)
    expect(of(socket.messages(), 'price_change')).toEqual([])
  })

  test('a closed socket leaves no subscription behind', async () => {
    const { lab, venue } = await start()
    const socket = await connect(lab, { assets_ids: venue.listing.markets[0]!.tokens })
    await socket.until(() => socket.frames.length > 0)
    await socket.close()
    await expect
      .poll(() => venue.counters(), { timeout: 25_000 })
      .toMatchObject({ socketsOpen: 0, subscriptions: {}, connectionsOpened: 1 })
  })

  test('frames have the keys of recorded ones', async ({ skip }) => {
    const own = (name: string) =>
      new URL(`../../src/venues/polymarket/fixtures/polymarket_${name}.jsonl`, import.meta.url)
    const crate = (name: string) => sharedFixture(`polymarket/nautilus/crate/ws_market_${name}_msg.json`)
    const { lab, venue } = await start()
    const market = venue.listing.markets[0]!
    const socket = await connect(lab, { assets_ids: market.tokens, custom_feature_enabled: true })
    await socket.until(() => socket.frames.length > 0)
    venue.engine.run(market.key, 300)
    venue.announceNew(market.tokens[0])
    venue.faults.tickSize({ market: market.tokens[0], grid: 'milli' })
    venue.faults.resolve({ market: market.tokens[0], result: 'yes' })
    socket.send('PING')
    await socket.until(() => socket.frames.includes('PONG'))
    const first = (path: string | URL) => JSON.parse(readFileSync(path, 'utf8').split('\n{')[0]!) as Json
    const covers = (type: string, sample: Json) => {
      const [ours] = of(socket.messages(), type)
      expect(Object.keys(ours ?? {}), type).toEqual(expect.arrayContaining(Object.keys(sample)))
      for (const [key, value] of Object.entries(sample)) expect(typeof ours![key], `${type}.${key}`).toBe(typeof value)
    }
    covers('book', first(own('book')))
    covers('last_trade_price', first(own('trade')))
    if (crate('resolved') === null)
      return skip('books and trades do; the other recordings are missing next to this checkout')
    const recorded: Record<string, Json> = {
      price_change: first(crate('price_change')!),
      best_bid_ask: first(crate('best_bid_ask')!),
      tick_size_change: first(crate('tick_size')!),
      new_market: first(crate('new_market')!),
      market_resolved: first(crate('resolved')!),
    }
    for (const [type, sample] of Object.entries(recorded)) covers(type, sample)
    const change = (of(socket.messages(), 'price_change')[0]!.price_changes as Json[])[0]!
    expect(Object.keys(change).sort()).toEqual(Object.keys((recorded.price_change!.price_changes as Json[])[0]!).sort())
  })

  test('the same seed gives the same frames through real sockets', async () => {
    const record = async () => {
      const { clock, lab, venue } = await start({ ratePerSecond: 50 })
      const socket = await connect(lab, { assets_ids: venue.openTokens().slice(0, 5) })
      await socket.until(() => socket.frames.length > 0)
      clock.advance(5_000)
      socket.send('PING')
      await socket.until(() => socket.frames.includes('PONG'))
      return socket.frames
    }
    const first = await record()
    expect(first.length).toBeGreaterThan(1000)
    expect(await record()).toEqual(first)
  })
})
