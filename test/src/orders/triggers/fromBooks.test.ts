// From a live book to the decision: what its owner publishes, what the feed stores in shared memory, and what the engine reads there,
// compared with the reference implementation, which gets the published books directly.
import { expect, it } from 'vitest'
import { conflationMs } from '#core/books/conflation'
import { ASK, BID } from '#core/books/levelStore'
import { LiveBook } from '#core/books/liveBook'
import { createArena, SharedBooksReader, SharedDepth } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import { parseMicros } from '#core/price'
import { compileRule } from '#orders/triggers/rule'
import { Triggers } from '#orders/triggers/triggers'
import type { TriggerRule } from '#schemas/conditional'
import { Random } from '#test/src/arbitrage/worlds'
import { type Look, ReferenceTriggers } from '#test/support/triggerReference'

const paths = process.env.CROSSBOOK_TEST_LONG === '1' ? 20_000 : 200
const at = 1_790_000_000_000

interface PublishedBook {
  bids: { price: number; size: number }[]
  asks: { price: number; size: number }[]
}
const best = ([level]: PublishedBook['bids']): Look['bid'] =>
  level === undefined ? null : { price: parseMicros(String(level.price))!, size: level.size }

function walk(random: Random): { decisions: number; onBadBooks: number } {
  const arena = createArena(2)
  const feed = new BookFeed(arena, () => undefined)
  const { slot, generation } = feed.slotOf('kalshi', 'm')!
  const reader = new SharedBooksReader(arena)
  const depth = new SharedDepth()
  const engine = new Triggers(2)
  const reference = new ReferenceTriggers()
  let time = at
  let epoch = 1
  let live = newBook()
  /** Of the owner's book since its last update; and of the updates since the last read. */
  let isBroken = false
  let wasBroken = false
  let isNewlyRead = true
  let newest: Look | null = null
  /** Time of the first update since the last read: updates further apart are not one state of the book. */
  let unreadSince: number | null = null
  let onBadBooks = 0
  let decisions = 0

  function newBook(): LiveBook {
    return new LiveBook({ venue: 'kalshi', marketId: 'm', tickMicros: null, onDirty: () => undefined })
  }
  function snapshot(): void {
    live.beginSnapshot()
    const middle = random.int(596, 604)
    for (let i = 1; i <= 3; i++) {
      live.set(BID, (middle - i * random.int(1, 2)) * 1_000, random.int(1, 9))
      live.set(ASK, (middle + i * random.int(1, 2)) * 1_000, random.int(1, 9))
    }
    live.commit(time, time + 30)
  }
  /** Publishes the book, and gives it to the reference. */
  function publish(): void {
    const before = newest
    const update = live.update(epoch)
    feed.update(update)
    const { bids, asks } = JSON.parse(`${update.core}}`) as PublishedBook
    newest = {
      wasBroken: false,
      isStale: update.state !== 'live',
      seq: update.seq,
      eventTs: update.eventTs,
      now: update.recvTs,
      bid: best(bids),
      ask: best(asks),
      lastTrade:
        update.lastTradeMicros === null ? null : { price: update.lastTradeMicros, ts: update.lastTradeTs ?? null },
    }
    const publishedAt = update.eventTs ?? update.recvTs
    const isApart = unreadSince !== null && Math.abs(publishedAt - unreadSince) > conflationMs
    if (isApart || unreadSince === null) unreadSince = publishedAt
    wasBroken ||= isBroken || isApart || newest.isStale || before === null
    isBroken = false
  }
  function read(): void {
    if (feed.flush() === 0) return
    unreadSince = null
    reader.read(slot, depth, generation, 1)
    engine.take(slot, depth, newest!.now)
    while (engine.work(Infinity, () => undefined));
    const notices = engine.drain(Infinity)
    // The first book that is read existed before any order waited.
    const isBaseline = isNewlyRead && !newest!.isStale
    if (isBaseline) isNewlyRead = false
    const look = isBaseline ? { ...newest!, bid: null, ask: null } : newest!
    const expected = reference.look({ ...look, wasBroken })
    wasBroken = false
    expect(new Map(notices.decisions.map(({ handle, evidence }) => [`${handle}`, evidence]))).toEqual(
      expected.decisions,
    )
    expect(new Set(notices.withdrawn.map(({ handle }) => `${handle}`))).toEqual(expected.withdrawn)
    decisions += notices.decisions.length
    if (newest!.isStale) onBadBooks += notices.decisions.length
  }

  engine.follow(slot, generation, null)
  for (let handle = 0; handle < 3; handle++) {
    const complement = random.chance(0.3)
    const price = random.int(598, 602) / 1_000
    const rule: TriggerRule = {
      when: random.pick(['at_or_above', 'at_or_below']),
      price: complement ? 1 - price : price,
      reference: random.pick(['mark', 'bid', 'ask']),
      confirmations: random.int(1, 3),
      dwellMs: random.pick([1, 300]),
      maxSpread: 0.1,
      minSize: random.int(1, 4),
    }
    engine.arm({ ...compileRule(rule, complement), handle, serial: handle, slot, generation })
    reference.arm(`${handle}`, rule, complement)
  }
  snapshot()
  publish()
  for (let step = 0; step < 40; step++) {
    time += random.int(0, 200)
    const what = random.next()
    if (what < 0.06) {
      // A gap; sometimes it is repaired before an update.
      live.markStale('gap')
      isBroken = true
      if (random.chance(0.5)) publish()
      snapshot()
    } else if (what < 0.1) {
      // It crosses itself, and detects that.
      live.set(BID, 900_000, 1)
      isBroken = live.commit(time, time + 30) === 'crossed' || isBroken
      if (random.chance(0.5)) publish()
      snapshot()
    } else if (what < 0.13) {
      // Another owner.
      epoch++
      live = newBook()
      isBroken = true
      snapshot()
    } else if (what < 0.2) {
      time -= random.int(0, 2_000)
      snapshot()
    } else if (what < 0.3) live.traded(random.int(590, 610) * 1_000, random.chance(0.8) ? time : null)
    else if (what < 0.7) {
      live.set(random.pick([BID, ASK]), random.int(598, 602) * 1_000, random.int(0, 5))
      // A crossed book is broken and requests a snapshot.
      if (live.commit(time, time + 30) === 'crossed') {
        isBroken = true
        snapshot()
      }
    } else snapshot()
    if (live.state === 'live' || random.chance(0.5)) publish()
    if (random.chance(0.7)) read()
  }
  return { decisions, onBadBooks }
}

it(`decides as the reference does on ${paths} random paths of a published book, and never on a stale or broken one`, () => {
  let decisions = 0
  for (let seed = 1; seed <= paths; seed++) {
    try {
      const walked = walk(new Random(seed))
      expect(walked.onBadBooks).toBe(0)
      decisions += walked.decisions
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error })
    }
  }
  expect(decisions / paths).toBeGreaterThan(0.3)
}, 1_800_000)
