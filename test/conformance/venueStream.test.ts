// Properties of every live feed, whatever its protocol: real ingest in front of the simulated venue, whose faults are the feed's. A book
// that is shown is one that the venue had; lost, muted, duplicated or cut data is detected, reported and repaired.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { VenueCase } from '#test/support/cases/venueCase'
import { type ReceivedBook, type StreamedLab, streamedLab } from '#test/support/streamedLab'
import { venueCases } from '#test/support/venueCases'

const cases: VenueCase[] = Object.values(venueCases)
const streaming = cases.filter(({ manifest }) => manifest.data.stream !== undefined)
/** By the venue's clock: a frozen feed is stale within this time. */
const frozenMs = 15_000
const subscribers = 1_000

const isUncrossed = ({ bids, asks }: ReceivedBook): boolean =>
  bids.length === 0 || asks.length === 0 || bids[0]!.price < asks[0]!.price

describe.each(streaming.map((one) => [one.manifest.slug, one] as const))('%s', (slug, one) => {
  let world: StreamedLab
  beforeEach(async () => {
    world = await streamedLab(one, `stream of ${slug}`)
  })
  afterEach(() => world.stop())

  const want = (...bookIds: string[]): void => world.ingest.actor.send({ kind: 'pin', bookIds })
  const isLive = (bookId: string): void => expect(world.newest(bookId)?.state).toBe('live')
  /** Notices since the fault; a new connection may have repaired the book in the meantime. */
  const wasStale = (bookId: string, since: number): void =>
    expect(
      world
        .received(bookId)
        .slice(since)
        .map(({ state }) => state),
    ).toContain('stale')
  const isStale = (bookId: string): void => expect(world.newest(bookId)?.state).toBe('stale')
  function isTrue(bookId: string): void {
    isLive(bookId)
    const { bids, asks } = world.newest(bookId)!
    expect({ bids, asks }).toEqual(world.truth(bookId))
  }
  /** The book is right or no longer shown as live. A book whose feed was found silent is live again only after its next message. */
  const isFound = (bookId: string): void => {
    if (world.newest(bookId)?.state === 'live') isTrue(bookId)
  }
  async function watched(count: number): Promise<string[]> {
    const bookIds = await world.bookIds(count)
    expect(bookIds).toHaveLength(count)
    want(...bookIds)
    await world.until(() => bookIds.forEach(isTrue))
    return bookIds
  }
  /** Changes for one second. */
  async function moves(bookId: string): Promise<void> {
    const end = world.clock.monotonic() + 1_000
    const before = JSON.stringify(world.truth(bookId))
    world.move(bookId)
    await world.until(() => {
      expect(JSON.stringify(world.truth(bookId))).not.toBe(before)
      expect(world.clock.monotonic()).toBeGreaterThan(end)
    })
  }
  /** Changes for one second, then the venue's own book. */
  async function follows(bookId: string): Promise<void> {
    await moves(bookId)
    await world.until(() => isTrue(bookId))
  }

  it('books are live with the venue’s levels, and follow it by the socket', async () => {
    const [a] = await watched(3)
    await follows(a!)
    expect(world.ingest.health()).toMatchObject({ connection: 'connected', staleBooks: 0, sockets: 1 })
    expect(world.received(a!).every(isUncrossed)).toBe(true)
  })

  it('coverage reports how each book is fed, with or without trades', async () => {
    const bookIds = await watched(3)
    const { isSynthetic, stream } = one.manifest.data
    const fed = stream?.levels === undefined ? 'ws-lossless' : 'ws-top20'
    await world.until(() => {
      for (const bookId of bookIds)
        expect(world.mechanism(bookId)).toBe(isSynthetic?.(bookId) === true ? 'synthetic-spot' : fed)
    })
  })

  it(`${subscribers} subscribers of one book are one subscription at the venue, and none after they leave`, async () => {
    const [bookId] = await world.bookIds(1)
    const demand = (marketIds: string[]): void => {
      for (let i = 0; i < subscribers; i++)
        world.ingest.actor.send({ kind: 'demand', gatewayId: `g${i}`, marketIds, purpose: 'readers' })
    }
    demand([bookId!])
    await world.until(() => isTrue(bookId!))
    const { subscriptions, connectionsOpened, socketsWithoutUserAgent } = world.venue.counters()
    expect({ connectionsOpened, socketsWithoutUserAgent }).toEqual({ connectionsOpened: 1, socketsWithoutUserAgent: 0 })
    // The book's subscription, and the related ones.
    expect(new Set(Object.values(subscriptions))).toEqual(new Set([1]))
    demand([])
    await world.until(() => expect(world.venue.counters()).toMatchObject({ subscriptions: {}, socketsOpen: 0 }))
  })

  it('loss at the end is detected although nothing follows it', async () => {
    const [a, b] = await watched(2)
    world.faults.gap({ market: a!, drop: 1_000 })
    await moves(a!)
    world.faults.recover()
    // Other messages may be numbered with it; and a feed that was found silent must deliver before its book is live again.
    await world.until(() => [a!, b!].forEach(isFound))
    await follows(a!)
    await world.until(() => isTrue(b!))
  })

  it('duplicates and reordering show no crossed book, and end at the venue’s own', async () => {
    const [a] = await watched(1)
    world.faults.duplicate({ market: a!, count: 20 })
    world.faults.reorder({ market: a!, count: 20 })
    await moves(a!)
    world.faults.recover()
    await world.until(() => isFound(a!))
    await follows(a!)
    expect(world.received(a!).every(isUncrossed)).toBe(true)
  })

  it('malformed frames are counted, and cost no book', async () => {
    const [a] = await watched(1)
    world.faults.garbage({ count: 7 })
    await world.until(() => expect(world.ingest.counters().malformed).toBeGreaterThan(0))
    expect(world.received(a!).every(({ state }) => state === 'live')).toBe(true)
    await follows(a!)
  })

  it('a book is stale at once when a change of it cannot be parsed', async () => {
    const [a] = await watched(1)
    const since = world.received(a!).length
    world.sendOddLevels(true)
    await moves(a!)
    const reasons = (): (string | undefined)[] =>
      world
        .received(a!)
        .slice(since)
        .map(({ staleReason }) => staleReason)
    // Long before any comparison.
    expect(await world.until(() => expect(reasons()).toContain('unreadable'))).toBeLessThanOrEqual(1_000)
    world.sendOddLevels(false)
    await follows(a!)
  })

  it('a feed that falls silent while its market moves is stale in time, and live again once it delivers', async () => {
    // With hundreds of books, none needs to be compared sooner.
    expect(one.manifest.data.stream!.silenceMs).toBeLessThanOrEqual(frozenMs)
    const [a] = await watched(1)
    const since = world.received(a!).length
    world.faults.mute({ scope: 'venue' })
    world.move(a!)
    expect(await world.until(() => wasStale(a!, since))).toBeLessThanOrEqual(frozenMs)
    world.faults.recover()
    await follows(a!)
  })

  it('a book whose feed alone stops, among others that continue, is detected', async () => {
    const [a, b] = await watched(2)
    const since = world.received(a!).length
    world.faults.mute({ market: a!, numbered: false })
    world.move(a!, 20_000)
    world.move(b!, 20_000)
    expect(await world.until(() => wasStale(a!, since))).toBeLessThanOrEqual(frozenMs)
    isLive(b!)
    world.faults.recover()
    await world.until(() => isTrue(a!))
  })

  it('no book is live while the socket is down, although REST works; afterwards no earlier level remains', async () => {
    const [a, b] = await watched(2)
    world.faults.ghost({ market: a!, refuseMs: 3_000 })
    await world.until(() => [a!, b!].forEach(isStale))
    const from = world.received(a!).length
    const { connectionsRefused } = world.venue.counters()
    await world.until(() => expect(world.venue.counters().connectionsRefused).toBeGreaterThan(connectionsRefused))
    expect(
      world
        .received(a!)
        .slice(from)
        .some(({ state }) => state === 'live'),
    ).toBe(false)
    await world.until(() => [a!, b!].forEach(isTrue))
    await follows(a!)
  })

  it('a book that the venue does not have is never live; the others continue', async () => {
    const [a] = await world.bookIds(1)
    const unknown = one.manifest.data.bookRef(one.unknown.outcomeId, one.unknown.marketId)!.bookId
    want(unknown, a!)
    await world.until(() => isTrue(a!))
    await follows(a!)
    expect(world.received(unknown).some(({ state }) => state === 'live')).toBe(false)
  })
})
