// A book served as live equals the venue's book, or the difference is detected within the bound that the venue's manifest declares; then it
// is not live again before its own feed has delivered something for it. Four faults, at every venue with a live feed: one market falls
// silent while REST and the other markets continue, or only its changes are lost while whole books still arrive; the whole feed falls
// silent while its heartbeats continue; three frames are lost.
//
// An independent reader compares what it was last sent with the simulated venue's book at every step of the venue's clock. All times are by
// that clock.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { VenueCase } from '#test/support/cases/venueCase'
import { isLong } from '#test/support/shortRuns'
import { type StreamedLab, streamedLab } from '#test/support/streamedLab'
import { venueCases } from '#test/support/venueCases'

const cases: VenueCase[] = Object.values(venueCases)
const streaming = cases.filter(({ manifest }) => manifest.data.stream !== undefined)
/** Subscribed books, which share the feed and the budget of comparisons. */
const readBooks = isLong ? 8 : 2

describe.each(streaming.map((one, at) => [one.manifest.slug, one, at] as const))('%s', (slug, one, at) => {
  /** Short runs do two of the four faults at each venue, and each fault at half of the venues. */
  const runs = (fault: number): boolean => isLong || fault % 2 === at % 2
  const boundMs = one.manifest.data.stream!.stalenessMaxMs
  /** How long a fault lasts: longer than the bound, so that a second wrong interval would be counted. */
  const faultMs = isLong ? 250_000 : Math.min(45_000, 2 * boundMs)
  /** Whole books correct it meanwhile: it takes longer to become stale. */
  const lossyMs = isLong ? 250_000 : 45_000
  let world: StreamedLab
  let bookIds: string[]
  beforeEach(async () => {
    world = await streamedLab(one, `live books of ${slug}`)
    bookIds = await world.bookIds(readBooks)
    world.ingest.actor.send({ kind: 'demand', gatewayId: 'reader', marketIds: bookIds })
    await world.until(() => bookIds.forEach(isTrue))
  })
  afterEach(() => world.stop())

  const isLive = (bookId: string): boolean => world.newest(bookId)?.state === 'live'
  function isRight(bookId: string): boolean {
    const { bids, asks } = world.newest(bookId)!
    return JSON.stringify({ bids, asks }) === JSON.stringify(world.truth(bookId))
  }
  const isTrue = (bookId: string): void => expect(isLive(bookId) && isRight(bookId)).toBe(true)
  const wasStale = (bookId: string, since: number): boolean =>
    world
      .received(bookId)
      .slice(since)
      .some(({ state }) => state === 'stale')

  /**
   * Runs for this time and measures how long each book was live with levels other than the venue's, ms; the longest interval is in
   * `longest`.
   */
  async function wrongMs(
    watched: readonly string[],
    durationMs: number,
    longest = new Map<string, number>(),
  ): Promise<Map<string, number>> {
    const wrong = new Map(watched.map((bookId) => [bookId, 0]))
    const stretch = new Map<string, number>()
    const end = world.clock.monotonic() + durationMs
    let before = world.clock.monotonic()
    await world.until(() => {
      const now = world.clock.monotonic()
      for (const bookId of watched) {
        const isWrong = isLive(bookId) && !isRight(bookId)
        stretch.set(bookId, isWrong ? (stretch.get(bookId) ?? 0) + now - before : 0)
        longest.set(bookId, Math.max(longest.get(bookId) ?? 0, stretch.get(bookId)!))
        if (isWrong) wrong.set(bookId, wrong.get(bookId)! + now - before)
      }
      before = now
      expect(now).toBeGreaterThanOrEqual(end)
    }, 20_000 + durationMs)
    return wrong
  }

  /** What readers were sent after the book first became stale. */
  const afterDetection = (bookId: string, since: number): string[] => {
    const states = world
      .received(bookId)
      .slice(since)
      .map(({ state }) => state)
    return states.slice(states.indexOf('stale'))
  }

  /** The feed works again: the books become live with the venue's levels once it has delivered something for them. */
  async function recovers(moved: readonly string[]): Promise<void> {
    world.faults.recover()
    for (const bookId of moved) world.move(bookId)
    await world.until(() => moved.forEach(isTrue))
  }

  it.runIf(runs(0))(
    'a silent market is wrong for at most the bound, and not live again before its feed delivers',
    async () => {
      const [muted, ...others] = bookIds as [string, ...string[]]
      const since = world.received(muted).length
      world.faults.mute({ market: muted, numbered: false })
      for (const bookId of bookIds) world.flow(bookId, faultMs)
      const wrong = await wrongMs(bookIds, faultMs)
      expect(wrong.get(muted)).toBeLessThanOrEqual(boundMs)
      expect(wasStale(muted, since)).toBe(true)
      expect(new Set(afterDetection(muted, since))).toEqual(new Set(['stale']))
      expect(others.every(isLive)).toBe(true)
      await recovers([muted])
    },
    600_000,
  )

  it.runIf(runs(1))(
    'a feed that sends only heartbeats is wrong for at most the bound, and no book is live before it delivers',
    async () => {
      const since = new Map(bookIds.map((bookId) => [bookId, world.received(bookId).length]))
      world.faults.mute({ scope: 'venue' })
      for (const bookId of bookIds) world.flow(bookId, faultMs)
      const wrong = await wrongMs(bookIds, faultMs)
      for (const bookId of bookIds) {
        expect(wrong.get(bookId)).toBeLessThanOrEqual(boundMs)
        expect(new Set(afterDetection(bookId, since.get(bookId)!))).toEqual(new Set(['stale']))
      }
      await recovers(bookIds)
    },
    600_000,
  )

  it.runIf(runs(2))(
    'a market that loses changes while whole books still arrive becomes stale, and is wrong for at most the bound',
    async () => {
      const [lossy, ...others] = bookIds as [string, ...string[]]
      const since = world.received(lossy).length
      world.faults.mute({ market: lossy, numbered: false, changesOnly: true })
      for (const bookId of bookIds) world.flow(bookId, lossyMs)
      const wrong = await wrongMs(bookIds, lossyMs)
      expect(wasStale(lossy, since)).toBe(true)
      expect(wrong.get(lossy)).toBeLessThanOrEqual(boundMs)
      expect(others.every(isLive)).toBe(true)
      await recovers([lossy])
    },
    600_000,
  )

  it.runIf(runs(3))(
    'three lost frames leave a book wrong for at most the bound',
    async () => {
      const [lossy] = bookIds as [string]
      world.faults.gap({ market: lossy, drop: 3 })
      for (const bookId of bookIds) world.flow(bookId, faultMs)
      // Independently of the fault, each of hundreds of changes is in transit for one step of the clock.
      const longest = new Map<string, number>()
      await wrongMs([lossy], faultMs, longest)
      expect(longest.get(lossy)).toBeLessThanOrEqual(boundMs)
      await recovers([lossy])
    },
    600_000,
  )
})
