// What a gateway believes of the books it hears of: the word of a venue's living owner, and of nobody else.
import { expect, test } from 'vitest'
import { createBook } from '#books/book'
import { encodeCore } from '#books/encode'
import { ManualClock } from '#lib/clock'
import { keepGatewayBooks } from '#run/liveBooks'
import { keepStatusBoard } from '#run/statusBoard'
import type { BookUpdate } from '#schemas/topics'
import { ownerSilentMs } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import { createLocalBus } from '#storage/bus/local'
import { healthOf } from '#test/support/venueHealth'

const venue = 'kalshi'

function bookOf(epoch: number, seq: number): BookUpdate {
  const book = createBook(10_000)
  book.set(0, 400_000, epoch * 1_000 + seq)
  const core = encodeCore(book, seq)
  return { venue, marketId: 'M', state: 'live', seq, epoch, eventTs: null, recvTs: 1, core, lastTradeMicros: null }
}

async function gateway() {
  const clock = new ManualClock()
  const local = createLocalBus({ onError: (error) => expect.unreachable(String(error)) })
  let lateMs = 0
  let unreadMs = 0
  const bus: Bus = {
    ...local,
    unreadMs: () => unreadMs,
    subscribe: (topic, handle) => local.subscribe(topic, (value) => handle(value, lateMs)),
  }
  const status = await keepStatusBoard(bus, [venue], clock)
  const books = await keepGatewayBooks(bus, status, clock)
  const told: string[] = []
  await books.streamBus.subscribe('books', ({ state, epoch, seq }) => told.push(`${state} ${epoch}.${seq}`))
  const demands: string[][] = []
  await bus.subscribe('demand', ({ marketIds }) => demands.push([...marketIds]))
  return {
    clock,
    books,
    status,
    told,
    demands,
    late(ms: number) {
      lateMs = ms
    },
    unread(ms: number) {
      unreadMs = ms
    },
    say: (epoch: number, seq: number) => bus.publish('books', `${venue}:M`, bookOf(epoch, seq)),
    beat: (epoch: number) => bus.publish('health', venue, healthOf(clock, venue, { epoch })),
    held: () => {
      const { state, epoch, seq } = books.reads.get(venue, 'M')!
      return `${state} ${epoch}.${seq}`
    },
  }
}

test('another owner is heard of: what the former one said is stale at once, and what it still says is void', async () => {
  const { say, beat, held, told } = await gateway()
  beat(1)
  say(1, 1)
  expect(held()).toBe('live 1.1')
  beat(2)
  expect(held()).toBe('stale 1.1')
  say(1, 2)
  expect(held()).toBe('stale 1.1')
  say(2, 1)
  expect(held()).toBe('live 2.1')
  say(1, 3)
  expect(held()).toBe('live 2.1')
  expect(told).toEqual(['live 1.1', 'stale 1.1', 'live 2.1'])
})

test('the owner dies while a former one goes on: its books are stale within the limit, whatever the other beats', async () => {
  const { clock, say, beat, held, status } = await gateway()
  beat(2)
  say(2, 1)
  let staleAfterMs = 0
  for (; held() === 'live 2.1' && staleAfterMs < 60_000; staleAfterMs += 1_000) {
    clock.advance(1_000)
    beat(1)
    say(1, staleAfterMs)
  }
  expect(staleAfterMs).toBeLessThanOrEqual(ownerSilentMs + 1_000)
  expect(status.venues()).toMatchObject([{ connection: 'unreachable' }])
})

test('a gateway that slept answers from no book before it is told anew, though the venue is heard', async () => {
  const { clock, books, say, beat, held, told, demands, late } = await gateway()
  books.streamBus.publish('demand', 'gw:kalshi', { gatewayId: 'gw', venue, marketIds: ['M'], at: clock.now() })
  beat(1)
  say(1, 1)
  // Time passes, and no timer fires before the first message is read.
  clock.stall(60_000)
  beat(1)
  expect(held()).toBe('stale 1.1')
  // What waited on the bus was said long ago.
  late(45_000)
  say(1, 2)
  expect(held()).toBe('stale 1.2')
  late(0)
  clock.advance(1_000)
  // More may wait: to ask now would only make it longer.
  expect(demands).toEqual([['M']])
  for (let second = 0; second < 2; second++) {
    beat(1)
    clock.advance(1_000)
  }
  expect(demands).toEqual([['M'], [], ['M']])
  say(1, 3)
  expect(held()).toBe('live 1.3')
  expect(told).toEqual(['live 1.1', 'stale 1.1', 'stale 1.2', 'live 1.3'])
})

test('a book that nobody here reads is not called stale to its next reader because the venue was once not heard', async () => {
  const { books, clock, beat, say } = await gateway()
  beat(1)
  say(1, 1)
  clock.advance(ownerSilentMs + 2_000)
  expect(books.get(venue, 'M')).toMatchObject({ state: 'stale', staleReason: 'unwatched' })
  beat(1)
  say(1, 2)
  books.streamBus.publish('demand', 'g', { gatewayId: 'g', venue, marketIds: ['M'], at: 0 })
  clock.advance(ownerSilentMs + 2_000)
  expect(books.get(venue, 'M')).toMatchObject({ state: 'stale', staleReason: 'ingest silent' })
})

test('a book is stale to HTTP and the socket while the topic of books is not read, whatever the heartbeats say; then it is asked for', async () => {
  const { say, beat, held, told, clock, unread, demands, books, status } = await gateway()
  books.streamBus.publish('demand', 'g:kalshi', { gatewayId: 'g', venue, marketIds: ['M'], at: 0 })
  beat(1)
  say(1, 1)
  unread(ownerSilentMs + 1)
  beat(1)
  expect([held(), status.fed()]).toEqual(['stale 1.1', false])
  clock.advance(1_000)
  expect(told.at(-1)).toBe('stale 1.1')
  unread(0)
  beat(1)
  clock.advance(1_000)
  expect(demands.slice(-2)).toEqual([[], ['M']])
  say(1, 2)
  expect([held(), status.fed()]).toEqual(['live 1.2', true])
})
