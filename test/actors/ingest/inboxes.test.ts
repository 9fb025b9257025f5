// Which processes a book is sent to, and which message each of them gets last.
import { afterEach, expect, it } from 'vitest'
import { feedsBook } from '#schemas/parts'
import { demandRenewMs, healthMs } from '#schemas/topics'
import { type StreamedOptions, type StreamedVenue, streamedVenue } from './streamedVenue.ts'

const venues: StreamedVenue[] = []
afterEach(async () => {
  for (const venue of venues.splice(0)) await venue.stop()
})

async function world({ part }: Pick<StreamedOptions, 'part'> = {}) {
  /** `<inbox>: <market> <state>` of everything sent since the last call. */
  let sent: string[] = []
  const venue = await streamedVenue({
    ...(part !== undefined && { part }),
    delivered: ({ marketId, state, staleReason }, inboxes) => {
      for (const inbox of inboxes) sent.push(`${inbox}: ${marketId} ${staleReason ?? state}`)
    },
  })
  venues.push(venue)
  const { ingest, clock } = venue
  /** Runs the actor and the publisher, and returns what they sent. */
  async function settles(): Promise<string[]> {
    for (let step = 0; step < 20; step++) {
      clock.advance(1)
      await new Promise(setImmediate)
    }
    const taken = sent
    sent = []
    return taken
  }
  const book = (bookId: string, bidSize = 1): void => {
    for (const socket of venue.open()) socket.deliver({ kind: 'book', bookId, bidSize, ts: clock.now() })
  }
  async function demand(gatewayId: string, inbox: number, marketIds: string[], lacking?: number[]): Promise<string[]> {
    ingest.actor.send({ kind: 'demand', gatewayId, marketIds, inbox, ...(lacking && { lacking }) })
    return settles()
  }
  return { ...venue, settles, book, demand }
}

it('sends a book only to the inboxes that want it', async () => {
  const { ingest, demand, book, settles } = await world()
  ingest.actor.send({ kind: 'pin', bookIds: ['pinned'] })
  await demand('g', 1, ['a', 'b'])
  await demand('h', 2, ['b'])
  for (const bookId of ['a', 'b', 'pinned']) book(bookId)
  expect(await settles()).toEqual(['1: a live', '1: b live', '2: b live'])
})

it('sends a book immediately to a reader that comes later, also when it is stale', async () => {
  const { demand, book, settles } = await world()
  await demand('g', 1, ['a', 'b'])
  book('a')
  book('b')
  await settles()
  expect(await demand('h', 2, ['a'])).toEqual(expect.arrayContaining(['2: a live']))
  const [socket] = venues[0]!.open()
  socket!.close('gone')
  expect((await settles()).sort()).toEqual(['1: a disconnected', '1: b disconnected', '2: a disconnected'])
  expect(await demand('h', 2, ['a', 'b'])).toEqual(expect.arrayContaining(['2: b disconnected']))
})

it('sends a book again to a reader that reports it missing', async () => {
  const { demand, book, settles } = await world()
  await demand('g', 1, ['a', 'b'])
  book('a')
  book('b')
  await settles()
  expect(await demand('g', 1, ['a', 'b'])).toEqual([])
  expect(await demand('g', 1, ['a', 'b'], [1])).toEqual(['1: b live'])
})

it('sends a stale update as the last one when an inbox no longer wants a book', async () => {
  const { clock, demand, book, settles } = await world()
  await demand('g', 1, ['a'])
  await demand('h', 2, ['a', 'b'])
  book('a')
  book('b')
  await settles()
  expect(await demand('g', 1, [])).toEqual(['1: a unwatched'])
  book('a', 2)
  expect(await settles()).toEqual(['2: a live'])
  // The sender stops renewing: its demand lapses, while that of others is renewed.
  const toSilent: string[] = []
  for (let ms = 0; ms <= 4 * demandRenewMs; ms += 1_000) {
    clock.advance(1_000)
    book('a', ms)
    toSilent.push(...(await demand('g', 1, ['a'])).filter((line) => line.startsWith('2: a')))
  }
  expect(toSilent.slice(-2)).toEqual(['2: a live', '2: a unwatched'])
})

it('sends a live book last when it is wanted again immediately', async () => {
  const { ingest, demand, book, settles } = await world()
  await demand('g', 1, ['a'])
  book('a')
  await settles()
  ingest.actor.send({ kind: 'demand', gatewayId: 'g', marketIds: [], inbox: 1 })
  expect((await demand('g', 1, ['a'])).at(-1)).toBe('1: a live')
})

it('sends heartbeats only to the inboxes of processes that demand something', async () => {
  const { demand, clock, heartbeatInboxes } = await world()
  await demand('g', 1, ['a'])
  await demand('h', 4, ['b'])
  await demand('i', 4, ['c'])
  clock.advance(healthMs)
  expect(heartbeatInboxes.at(-1)).toEqual([1, 4])
  await demand('g', 1, [])
  clock.advance(healthMs)
  expect(heartbeatInboxes.at(-1)).toEqual([4])
})

it('sends every book again after an interruption, also quiet and stale ones, because the last message may be lost', async () => {
  const { demand, book, settles, clock, interruptions, ...venue } = await world()
  await demand('g', 1, ['a', 'b', 'waiting'])
  book('a')
  await settles()
  venue.open()[0]!.close('gone')
  await settles()
  book('b')
  expect(await settles()).toEqual(['1: b live'])
  clock.advance(healthMs)
  expect(await settles()).toEqual([])
  interruptions.count++
  clock.advance(healthMs)
  expect((await settles()).sort()).toEqual(['1: a disconnected', '1: b live'])
  clock.advance(healthMs)
  expect(await settles()).toEqual([])
})

it('feeds only the books of its part, and sends heartbeats to every process that wants anything of the venue', async () => {
  const ids = Array.from({ length: 20 }, (_, n) => `m${n}`)
  const [ours, theirs] = ['1/2', '2/2'].map((part) => ids.filter(feedsBook(part))) as [string[], string[]]
  const { ingest, clock, bus, demand, book, settles, heartbeatInboxes, open } = await world({ part: '1/2' })
  const marks: unknown[] = []
  await bus.subscribe('health', ({ part, epoch, watchedBooks }) => marks.push({ part, epoch, watchedBooks }))
  await bus.subscribe('books', ({ part, marketId }) => marks.push({ part, marketId }))
  ingest.actor.send({ kind: 'pin', bookIds: ids.slice(0, 10) })
  await demand('g', 1, ids)
  await demand('h', 2, theirs)
  for (const id of ids) book(id)
  expect((await settles()).sort()).toEqual(ours.map((id) => `1: ${id} live`).sort())
  expect(
    open()
      .flatMap(({ sent }) => sent)
      .toSorted(),
  ).toEqual(ours.map((id) => `subscribe ${id}`).toSorted())
  expect(await demand('h', 2, ids, [...ids.keys()])).toEqual(ours.flatMap((id) => [`1: ${id} live`, `2: ${id} live`]))
  expect(await demand('h', 2, [])).toEqual(ours.map((id) => `2: ${id} unwatched`))
  await demand('h', 2, theirs)
  marks.length = 0
  clock.advance(healthMs)
  expect(heartbeatInboxes.at(-1)).toEqual([1, 2])
  expect(marks).toEqual([{ part: '1/2', epoch: expect.any(Number), watchedBooks: ours.length }])
})
