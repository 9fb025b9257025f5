// Which book updates a gateway accepts: only those of the current owner of a venue.
import { expect, test } from 'vitest'
import { createBook } from '#core/books/book'
import { encodeCore } from '#core/books/encode'
import { ManualClock } from '#core/clock'
import { startBookDemand } from '#roles/liveBooks'
import { startVenueStatus } from '#roles/venueStatus'
import { type BookUpdate, everyMarket, ownerTimeoutMs, unwatchedReason } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import { createLocalBus } from '#storage/bus/local'
import { healthOf } from '#test/support/venueHealth'

const venue = 'kalshi'

function bookOf(epoch: number, seq: number, part?: string, marketId = 'M'): BookUpdate {
  const book = createBook(10_000)
  book.set(0, 400_000, epoch * 1_000 + seq)
  const core = encodeCore(book, seq)
  return {
    ...{ venue, marketId, state: 'live', seq, epoch, eventTs: null, recvTs: 1, core, lastTradeMicros: null },
    ...(part !== undefined && { part }),
  }
}

async function gateway({ deliversOnDemand = false } = {}) {
  const clock = new ManualClock()
  const local = createLocalBus({ onError: (error) => expect.unreachable(String(error)) })
  let lateMs = 0
  let unreadMs = 0
  let undeliveredMs = 0
  /** The lease that `undelivered` applies to; null: all. */
  let undeliveredLease: string | null = null
  const bus: Bus = {
    ...local,
    deliversOnDemand,
    unreadMs: () => unreadMs,
    undeliveredMs: (lease) => (undeliveredLease === null || lease === undeliveredLease ? undeliveredMs : 0),
    subscribe: (topic, handle) => local.subscribe(topic, (value) => handle(value, lateMs)),
  }
  const status = await startVenueStatus(bus, [venue], clock)
  const books = await startBookDemand(bus, status, clock)
  const published: string[] = []
  await books.streamBus.subscribe('books', ({ state, epoch, seq }) => published.push(`${state} ${epoch}.${seq}`))
  /** Market ids; those without a received book are in parentheses. */
  const demands: string[][] = []
  await bus.subscribe('demand', ({ marketIds, lacking = [] }) =>
    demands.push(marketIds.map((id, position) => (lacking.includes(position) ? `(${id})` : id))),
  )
  return {
    clock,
    bus,
    books,
    status,
    published,
    demands,
    late(ms: number) {
      lateMs = ms
    },
    unread(ms: number) {
      unreadMs = ms
    },
    undelivered(ms: number, lease: string | null = null) {
      undeliveredMs = ms
      undeliveredLease = lease
    },
    want: (...marketIds: string[]) =>
      books.streamBus.publish('demand', 'g:kalshi', { gatewayId: 'g', venue, marketIds, at: clock.now() }),
    publishBook: (epoch: number, seq: number) => bus.publish('books', `${venue}:M`, bookOf(epoch, seq)),
    beat: (epoch: number, part?: string) =>
      bus.publish('health', venue, healthOf(clock, venue, { epoch, ...(part !== undefined && { part }) })),
    publishBookOf: (marketId: string, part: string, epoch: number, seq: number) =>
      bus.publish('books', `${venue}:${marketId}`, bookOf(epoch, seq, part, marketId)),
    held: () => {
      const { state, epoch, seq } = books.reads.get(venue, 'M')!
      return `${state} ${epoch}.${seq}`
    },
  }
}

test('marks books stale when another owner appears, and ignores later updates of the former one', async () => {
  const { publishBook, beat, held, published } = await gateway()
  beat(1)
  publishBook(1, 1)
  expect(held()).toBe('live 1.1')
  beat(2)
  expect(held()).toBe('stale 1.1')
  publishBook(1, 2)
  expect(held()).toBe('stale 1.1')
  publishBook(2, 1)
  expect(held()).toBe('live 2.1')
  publishBook(1, 3)
  expect(held()).toBe('live 2.1')
  expect(published).toEqual(['live 1.1', 'stale 1.1', 'live 2.1'])
})

test('marks books stale within the limit when the owner dies, even if a former owner keeps sending', async () => {
  const { clock, publishBook, beat, held, status } = await gateway()
  beat(2)
  publishBook(2, 1)
  let staleAfterMs = 0
  for (; held() === 'live 2.1' && staleAfterMs < 60_000; staleAfterMs += 1_000) {
    clock.advance(1_000)
    beat(1)
    publishBook(1, staleAfterMs)
  }
  expect(staleAfterMs).toBeLessThanOrEqual(ownerTimeoutMs + 1_000)
  expect(status.venues()).toMatchObject([{ connection: 'unreachable' }])
})

test('serves no book after a process pause until it is sent again, although the venue reports', async () => {
  const { clock, books, publishBook, beat, held, published, demands, late } = await gateway()
  books.streamBus.publish('demand', 'gw:kalshi', { gatewayId: 'gw', venue, marketIds: ['M'], at: clock.now() })
  beat(1)
  publishBook(1, 1)
  // Time passes, and no timer fires before the first message is read.
  clock.stall(60_000)
  beat(1)
  expect(held()).toBe('stale 1.1')
  // A message that waited on the bus is old.
  late(45_000)
  publishBook(1, 2)
  expect(held()).toBe('stale 1.2')
  late(0)
  clock.advance(1_000)
  // More may be pending: requesting now would only add to it.
  expect(demands).toEqual([['M']])
  for (let second = 0; second < 2; second++) {
    beat(1)
    clock.advance(1_000)
  }
  expect(demands).toEqual([['M'], ['(M)']])
  publishBook(1, 3)
  expect(held()).toBe('live 1.3')
  expect(published).toEqual(['live 1.1', 'stale 1.1', 'stale 1.2', 'live 1.3'])
})

test('does not report an unread book as stale to its next reader because the venue was silent before', async () => {
  const { books, clock, beat, publishBook } = await gateway()
  beat(1)
  publishBook(1, 1)
  clock.advance(ownerTimeoutMs + 2_000)
  expect(books.get(venue, 'M')).toMatchObject({ state: 'stale', staleReason: 'unwatched' })
  beat(1)
  publishBook(1, 2)
  books.streamBus.publish('demand', 'g', { gatewayId: 'g', venue, marketIds: ['M'], at: 0 })
  clock.advance(ownerTimeoutMs + 2_000)
  expect(books.get(venue, 'M')).toMatchObject({ state: 'stale', staleReason: 'owner_silent' })
})

test.each(['unread', 'undelivered'] as const)(
  'marks books stale for HTTP and the socket while books are %s, regardless of heartbeats, and then requests them',
  async (fault) => {
    const { publishBook, beat, held, published, clock, demands, books, status, [fault]: fails } = await gateway()
    books.streamBus.publish('demand', 'g:kalshi', { gatewayId: 'g', venue, marketIds: ['M'], at: 0 })
    beat(1)
    publishBook(1, 1)
    fails(ownerTimeoutMs + 1)
    beat(1)
    expect([held(), status.fed()]).toEqual(['stale 1.1', false])
    clock.advance(1_000)
    expect(published.at(-1)).toBe('stale 1.1')
    fails(0)
    beat(1)
    clock.advance(1_000)
    expect(demands.at(-1)).toEqual(['(M)'])
    publishBook(1, 2)
    expect([held(), status.fed()]).toEqual(['live 1.2', true])
  },
)

test('keeps no book without demand in on-demand mode, and requests it again when needed', async () => {
  const { publishBook, beat, held, want, demands, books } = await gateway({ deliversOnDemand: true })
  beat(1)
  publishBook(1, 1)
  expect(books.get(venue, 'M'), 'no demand here').toBeUndefined()
  want('M')
  publishBook(1, 2)
  expect(held()).toBe('live 1.2')
  want('M')
  want()
  expect(books.get(venue, 'M')).toBeUndefined()
  publishBook(1, 3)
  expect(books.get(venue, 'M'), 'sent before its demand ended').toBeUndefined()
  want('M')
  expect(demands).toEqual([['(M)'], ['M'], [], ['(M)']])
})

test('requests a missing book with each renewal until it arrives', async () => {
  const { publishBook, beat, want, demands } = await gateway({ deliversOnDemand: true })
  beat(1)
  want('M', 'N')
  want('M', 'N')
  publishBook(1, 1)
  want('M', 'N')
  expect(demands).toEqual([
    ['(M)', '(N)'],
    ['(M)', '(N)'],
    ['M', '(N)'],
  ])
})

test('keeps every book of a venue while all are in demand, and afterwards only those still in demand', async () => {
  const { publishBook, beat, want, demands, books, held } = await gateway({ deliversOnDemand: true })
  beat(1)
  want(everyMarket)
  publishBook(1, 1)
  expect(held()).toBe('live 1.1')
  want(everyMarket)
  expect(demands).toEqual([[`(${everyMarket})`], [everyMarket]])
  want('M')
  expect(held()).toBe('live 1.1')
  want()
  expect(books.get(venue, 'M')).toBeUndefined()
})

test('marks a book stale when ingest withdraws it', async () => {
  const { bus, beat, publishBook, want, held } = await gateway({ deliversOnDemand: true })
  beat(1)
  want('M')
  publishBook(1, 1)
  bus.publish('books', `${venue}:M`, { ...bookOf(1, 2), state: 'stale', staleReason: unwatchedReason })
  expect(held()).toBe('stale 1.2')
})

test.each(['silent', 'undelivered'] as const)(
  'marks only the books of one part stale while its owner is %s, and the status row names the part',
  async (fault) => {
    const { clock, books, status, beat, publishBookOf, undelivered, demands, want } = await gateway()
    want('A', 'B')
    const states = () => ['A', 'B'].map((marketId) => books.get(venue, marketId)?.state)
    for (const part of ['1/2', '2/2']) beat(5, part)
    publishBookOf('A', '1/2', 5, 1)
    publishBookOf('B', '2/2', 5, 1)
    expect([states(), status.venues().map(({ connection }) => connection)]).toEqual([['live', 'live'], ['connected']])
    if (fault === 'undelivered') undelivered(ownerTimeoutMs + 1, 'kalshi#2/2')
    for (let ms = 0; ms <= ownerTimeoutMs; ms += 1_000) {
      clock.advance(1_000)
      beat(5, '1/2')
      if (fault === 'undelivered') beat(5, '2/2')
      expect(states()[0]).toBe('live')
    }
    expect(states()).toEqual(['live', 'stale'])
    expect(status.venues()).toMatchObject([
      { venue, connection: 'degraded', watchedBooks: 1, reason: 'no ingest process reports part 2/2' },
    ])
    expect([status.fed(), status.reporting().map(({ reporting }) => reporting)]).toEqual([true, [true, false]])
    undelivered(0)
    clock.advance(1_000)
    beat(6, '2/2')
    clock.advance(1_000)
    expect(demands.at(-1), 'its owner may not know that messages were lost').toEqual(['(A)', '(B)'])
    publishBookOf('B', '2/2', 6, 1)
    expect([states(), status.venues()[0]!.reason]).toEqual([['live', 'live'], null])
  },
)

test('marks books of the previous division stale until the new owners send them', async () => {
  const { books, status, beat, publishBook, publishBookOf, held } = await gateway()
  beat(3)
  publishBook(3, 1)
  beat(4, '2/2')
  expect(held()).toBe('stale 3.1')
  expect(status.venues()).toMatchObject([{ reason: 'no ingest process reports part 1/2' }])
  publishBookOf('M', '1/2', 5, 1)
  beat(5, '1/2')
  publishBook(3, 9)
  expect([held(), status.venues()[0]!.reason]).toEqual(['live 5.1', null])
  beat(6)
  expect(books.get(venue, 'M')?.state).toBe('stale')
})
