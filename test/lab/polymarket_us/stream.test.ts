// The lab's socket with the venue's own client: its handshake, its subscriptions, and its handling of books and errors.
import { MarketsWebSocket } from 'polymarket-us'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Lab, startLab } from '#lab/lab'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ seed: 'us stream', venues: ['polymarket_us'], ratePerSecond: 0, markets: 12 })
})
afterAll(() => lab.stop())

const client = (key = lab.polymarket_us.key) =>
  new MarketsWebSocket({ ...key, baseUrl: new URL(lab.polymarket_us.urls.WS).origin })
const openSlug = (): string =>
  lab.polymarket_us.listing.markets.find(({ key }) => lab.polymarket_us.engine.statusOf(key) === 'open')!.slug

it('sends the whole book, and again after each change, until the client leaves', async () => {
  const socket = client()
  const books: { requestId: string; marketData: { marketSlug: string; bids: { px: { value: string } }[] } }[] = []
  socket.on('marketData', (frame) => void books.push(frame as never))
  await socket.connect()
  const slug = openSlug()
  socket.subscribeMarketData('mine', [slug])
  const best = () => lab.polymarket_us.book(slug)!.bids.map(([micros]) => micros)
  const receivedBids = () => books.at(-1)?.marketData.bids.map(({ px }) => Math.round(Number(px.value) * 1e6))
  await vi.waitFor(() => expect(receivedBids()).toEqual(best()))
  expect(books[0]).toMatchObject({ requestId: 'mine', marketData: { marketSlug: slug } })
  lab.polymarket_us.faults.burst({ market: slug, ratePerSecond: 200, durationMs: 300 })
  await vi.waitFor(() => expect(books.length).toBeGreaterThan(3))
  await vi.waitFor(() => expect(receivedBids()).toEqual(best()))
  expect(lab.polymarket_us.counters().subscriptions).toEqual({ [slug]: 1 })
  socket.unsubscribe('mine')
  await vi.waitFor(() => expect(lab.polymarket_us.counters().subscriptions).toEqual({}))
  socket.close()
})

it('rejects unknown markets by request, and unauthenticated clients', async () => {
  const socket = client()
  const errors: { requestId?: string; message: string }[] = []
  socket.on('error', (error) => void errors.push(error))
  await socket.connect()
  socket.subscribeMarketData('other', ['no-such-market'])
  await vi.waitFor(() => expect(errors).toHaveLength(1))
  expect(errors[0]).toMatchObject({ requestId: 'other', message: 'market no-such-market not found' })
  socket.close()
  const stranger = client({ ...lab.polymarket_us.key, keyId: 'somebody' })
  stranger.on('error', () => undefined)
  await expect(stranger.connect()).rejects.toThrow(/connection failed/)
})
