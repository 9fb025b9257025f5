// Which quiet books are compared with the venue's own, in what order, and what a difference means. The venue here is a table of books.
import { describe, expect, it, vi } from 'vitest'
import { BookVerifier } from '#actors/ingest/bookVerifier'
import { sweepMs } from '#actors/ingest/housekeeping'
import { IngestBook } from '#actors/ingest/ingestBook'
import { TapeBuffer } from '#actors/ingest/recordBuffer'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'
import type { BookVerification } from '#schemas/topics'
import { ASK, BID, type BookSnapshot, type VenueData } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

interface Options {
  books?: number
  inBand?: boolean
  /** Books requested on the socket arrive. */
  answers?: boolean
  requestsPerSecond?: number
}

function world({ books: count = 1, inBand = false, answers = false, requestsPerSecond = 4 }: Options = {}) {
  const clock = new ManualClock()
  const books = new Map<string, IngestBook>()
  const venueSizes = new Map<string, number>()
  const deeper = new Map<string, number>()
  const lost = new Set<string>()
  const requests: string[][] = []
  /** Requested on the socket; they arrive within the next second. */
  let answering: string[] = []
  const proofs: BookVerification[] = []
  const frozen: string[] = []
  const silent: string[] = []
  let dataAt = 0
  let isDown = false
  const snapshotOf = (bookId: string): BookSnapshot => ({
    bookId,
    bids: [
      [400_000, venueSizes.get(bookId)!],
      [300_000, deeper.get(bookId) ?? 0],
      [200_000, lost.has(bookId) ? 3 : 0],
    ],
    asks: [[600_000, 5]],
    eventTs: null,
    recvTs: clock.now(),
    lastTradeMicros: null,
    isNegRisk: null,
    tickMicros: null,
  })
  /** The whole book arrives on the socket. */
  function arrive(bookId: string): void {
    const book = books.get(bookId)!
    book.beginSnapshot(true)
    book.set(BID, 400_000, venueSizes.get(bookId)!)
    book.set(BID, 300_000, deeper.get(bookId) ?? 0)
    book.set(BID, 200_000, lost.has(bookId) ? 3 : 0)
    book.set(ASK, 600_000, 5)
    book.commit(null, clock.now())
    book.publishedSeq++
  }
  const data = {
    requestsPerSecond,
    stream: { resyncInBand: inBand },
    fetchOrderBooks: async (_: VenueContext, bookIds: readonly string[]) => {
      requests.push([...bookIds])
      if (isDown) throw new Error('no answer')
      return new Map(bookIds.map((bookId) => [bookId, snapshotOf(bookId)]))
    },
  } as unknown as VenueData
  const prover = new BookVerifier({
    venue: 'v',
    data,
    context: {} as VenueContext,
    clock,
    lines: new ThrottledLog(silentLog, clock),
    books,
    sockets: {
      confirm(bookIds) {
        if (!inBand) return [...bookIds]
        requests.push([...bookIds])
        if (answers) answering.push(...bookIds)
        return []
      },
      isQuiet: () => true,
      dataSince: (_, at) => dataAt >= at,
    },
    epoch: 7,
    publish: (one) => void proofs.push(one),
    differs(bookId) {
      frozen.push(bookId)
      books.get(bookId)!.markStale('frozen')
    },
    feedFrozen: (bookId) => void silent.push(bookId),
  })
  /** The venue has this size at the best bid; `told`: the feed reports it. */
  function change(bookId: string, size: number, isSent: boolean): void {
    venueSizes.set(bookId, size)
    if (!isSent) return
    const book = books.get(bookId)!
    book.beginSnapshot()
    book.set(BID, 400_000, size)
    book.set(ASK, 600_000, 5)
    book.commit(null, clock.now())
    book.publishedSeq++
  }
  for (let i = 0; i < count; i++) {
    const marketId = `b${i}`
    const tape = new TapeBuffer('v')
    books.set(
      marketId,
      new IngestBook({
        venue: 'v',
        marketId,
        tickMicros: null,
        tape,
        beat: prover.beat,
        onDirty: () => undefined,
        onSynced: () => undefined,
      }),
    )
    change(marketId, 1, true)
  }
  return {
    clock,
    prover,
    books,
    requests,
    proofs,
    frozen,
    silent,
    change,
    arrive,
    /** A change of the best bid, at the venue and in the feed. */
    deliver(bookId: string, size: number) {
      venueSizes.set(bookId, size)
      const book = books.get(bookId)!
      book.set(BID, 400_000, size)
      book.commit(null, clock.now())
      book.publishedSeq++
    },
    /** A delta of a level other than the best. */
    touch(bookId: string, size: number) {
      deeper.set(bookId, size)
      const book = books.get(bookId)
      if (!book?.synced) return
      book.set(BID, 300_000, size)
      book.commit(null, clock.now())
      book.publishedSeq++
    },
    /** The venue has a level that its feed never sent. */
    lose: (bookId: string) => void lost.add(bookId),
    down: (is: boolean) => {
      isDown = is
    },
    async seconds(n: number, others = true): Promise<void> {
      for (let i = 0; i < n; i++) {
        clock.advance(sweepMs)
        for (const bookId of answering) if (books.get(bookId)!.synced) arrive(bookId)
        answering = []
        if (others) dataAt = clock.monotonic()
        prover.sweep()
        // The venue's response is processed before the next second.
        await vi.waitFor(() => expect(Reflect.get(prover, 'isReading')).toBe(false), { interval: 0 })
      }
    },
  }
}

describe('a quiet book', () => {
  it('that equals the venue’s own is reported as proven, under the update number that readers have', async () => {
    const { seconds, proofs, requests, frozen, books } = world()
    await seconds(10)
    expect(requests).toEqual([['b0']])
    expect(proofs).toEqual([{ venue: 'v', epoch: 7, books: [['b0', 1]], at: books.get('b0')!.provenAt }])
    expect(frozen).toEqual([])
  })

  it('that the feed has left behind is reported as frozen within the stated time, and within 15 s', async () => {
    const { seconds, change, frozen, clock, prover } = world()
    change('b0', 2, false)
    const since = clock.now()
    while (frozen.length === 0) await seconds(1)
    expect(clock.now() - since).toBeLessThanOrEqual(prover.withinMs(1))
    expect(clock.now() - since).toBeLessThan(15_000)
  })

  it('whose own message was on its way is not reported as frozen', async () => {
    const { seconds, change, frozen, requests } = world()
    change('b0', 2, false)
    await seconds(8)
    expect(requests).toHaveLength(1)
    change('b0', 2, true)
    await seconds(30)
    expect(frozen).toEqual([])
  })

  it('is requested on the socket where the protocol allows it, and is frozen after two requests without a response while others arrive', async () => {
    const { seconds, frozen, requests, clock } = world({ inBand: true })
    const since = clock.now()
    while (frozen.length === 0) await seconds(1)
    expect(requests).toEqual([['b0'], ['b0']])
    expect(clock.now() - since).toBeLessThanOrEqual(15_000)
  })

  it('is left to the check of its socket when the socket sends nothing at all', async () => {
    const { seconds, frozen } = world({ inBand: true })
    await seconds(60, false)
    expect(frozen).toEqual([])
  })

  it('is resubscribed less and less often when feed and REST keep contradicting each other', async () => {
    const { seconds, change, frozen, books } = world()
    for (let minute = 0; minute < 60; minute++) {
      for (let n = 0; n < 60; n++) {
        await seconds(1)
        if (books.get('b0')!.synced) continue
        // Its feed repeats the same book; REST still differs.
        change('b0', 1, true)
        change('b0', 2, false)
      }
      if (minute === 0) change('b0', 2, false)
    }
    expect(frozen.length).toBeGreaterThan(3)
    expect(frozen.length).toBeLessThan(20)
  })

  it('is withheld when it differs again after a resubscription, until a comparison finds it equal', async () => {
    const { seconds, change, frozen, books } = world()
    const book = books.get('b0')!
    const shown: boolean[] = []
    change('b0', 2, false)
    for (let n = 0; n < 120; n++) {
      await seconds(1)
      if (!book.synced) {
        // The feed sends its book on subscribing, and no change afterwards.
        change('b0', 1, true)
        change('b0', 2, false)
      }
      shown.push(book.shown)
    }
    expect(frozen.length).toBeGreaterThan(1)
    const lastShown = shown.lastIndexOf(true)
    expect(lastShown).toBeLessThan(30)
    expect(book).toMatchObject({ synced: true, shown: false, withheld: 'book_mismatch' })
    change('b0', 3, true)
    change('b0', 4, true)
    await seconds(10)
    expect(book.shown).toBe(true)
  })

  it('whose feed was silent stays withheld after the whole book of the resubscription, and is shown once changes arrive', async () => {
    const { seconds, change, books } = world()
    const book = books.get('b0')!
    change('b0', 2, false)
    while (book.synced) await seconds(1)
    change('b0', 2, true)
    change('b0', 3, false)
    for (let n = 0; n < 9; n++) {
      await seconds(1)
      expect(book.shown).toBe(false)
    }
    for (let n = 0; n < 5; n++) {
      change('b0', 10 + n, true)
      await seconds(1)
    }
    expect(book.shown).toBe(true)
  })

  it('that was withheld is compared and shown again although its feed keeps sending whole books', async () => {
    const { seconds, change, books } = world()
    const book = books.get('b0')!
    change('b0', 2, false)
    while (book.withheld === null) {
      await seconds(1)
      if (book.synced) continue
      change('b0', 1, true)
      change('b0', 2, false)
    }
    for (let n = 0; n < 10; n++) {
      change('b0', 10 + n, true)
      await seconds(1)
    }
    expect(book.shown).toBe(true)
  })

  it('is neither proven nor frozen while the venue does not respond', async () => {
    const { seconds, frozen, proofs, down, prover } = world()
    down(true)
    await seconds(30)
    expect([frozen, proofs]).toEqual([[], []])
    expect(prover.oldestMs()).toBe(30_000)
    down(false)
    await seconds(2)
    expect(prover.oldestMs()).toBeLessThan(3_000)
  })
})

describe('a busy book', () => {
  it('that lost a delta is detected within the stated time, although messages keep arriving', async () => {
    const { seconds, touch, lose, frozen, clock, prover } = world()
    await seconds(20)
    expect(frozen).toEqual([])
    lose('b0')
    const since = clock.now()
    for (let n = 0; frozen.length === 0; n++) {
      touch('b0', 10 + n)
      await seconds(1)
      expect(clock.now() - since).toBeLessThanOrEqual(prover.withinMs(1))
    }
  })

  it('that lost none is compared regularly and never reported as frozen', async () => {
    const { seconds, touch, frozen, requests } = world({ books: 20 })
    for (let n = 0; n < 60; n++) {
      for (let i = 0; i < 20; i++) touch(`b${i}`, 10 + n)
      await seconds(1)
    }
    expect(frozen).toEqual([])
    expect(requests.flat().filter((bookId) => bookId === 'b7').length).toBeGreaterThan(5)
  })

  it('is not frozen when its socket leaves a snapshot request unanswered but sends messages of the book', async () => {
    const { seconds, touch, frozen, requests } = world({ inBand: true })
    for (let n = 0; n < 60; n++) {
      touch('b0', 10 + n)
      await seconds(1)
    }
    expect(frozen).toEqual([])
    expect(requests.length).toBeGreaterThan(3)
  })
})

describe('many quiet books', () => {
  it('are each proven within the stated time, using no more requests than their share', async () => {
    const { seconds, requests, prover, clock } = world({ books: 1_000 })
    const since = clock.now()
    for (let n = 0; n < 120; n++) {
      await seconds(1)
      expect(prover.oldestMs()).toBeLessThanOrEqual(prover.withinMs(1_000))
    }
    expect(requests.length / ((clock.now() - since) / 1_000)).toBeLessThanOrEqual(1)
  })

  it('are compared least recently proven first, those near execution before all others and within 15 s', async () => {
    const { seconds, prover, books } = world({ books: 2_000 })
    const near = Array.from({ length: 100 }, (_, i) => `b${1_999 - i}`)
    prover.rank(new Set(), near)
    await seconds(20)
    for (let n = 0; n < 60; n++) {
      await seconds(1)
      const ages = near.map((bookId) => prover.beat.at - books.get(bookId)!.provenBeat)
      expect(Math.max(...ages)).toBeLessThan(15_000)
    }
  })
})

describe('a book whose feed sends whole books in addition to its changes', () => {
  it('is frozen when a requested one differs and no change of the level arrives', async () => {
    const { seconds, change, frozen, clock } = world({ inBand: true, answers: true })
    await seconds(20)
    expect(frozen).toEqual([])
    change('b0', 2, false)
    const since = clock.now()
    for (let n = 0; n < 30 && frozen.length === 0; n++) await seconds(1)
    expect(clock.now() - since).toBeLessThanOrEqual(15_000)
  })

  it('is frozen when other changes of it arrive, but not that one', async () => {
    const { seconds, change, touch, frozen } = world({ inBand: true, answers: true })
    change('b0', 2, false)
    for (let n = 0; n < 20 && frozen.length === 0; n++) {
      touch('b0', 10 + n)
      await seconds(1)
    }
    expect(frozen).toEqual(['b0'])
  })

  it('is not frozen when the change was on its way', async () => {
    const { seconds, change, requests, deliver, frozen } = world({ inBand: true, answers: true })
    for (let size = 2; size < 10; size++) {
      change('b0', size, false)
      const before = requests.length
      for (let n = 0; n < 30 && requests.length === before; n++) await seconds(1)
      await seconds(1)
      deliver('b0', size)
    }
    await seconds(10)
    expect(frozen).toEqual([])
  })

  it('is then withheld until its changes arrive again and a comparison finds it equal', async () => {
    const { seconds, change, arrive, deliver, frozen, books } = world({ inBand: true, answers: true })
    const book = books.get('b0')!
    change('b0', 2, false)
    for (let n = 0; n < 30 && frozen.length === 0; n++) await seconds(1)
    arrive('b0')
    await seconds(5)
    expect(book).toMatchObject({ synced: true, shown: false, withheld: 'book_mismatch' })
    deliver('b0', 3)
    await seconds(3)
    expect(book.shown).toBe(true)
  })

  it('is shown again without a change when it is found equal after a pause, and the pause grows each time', async () => {
    const { seconds, change, arrive, frozen, books } = world({ inBand: true, answers: true })
    const book = books.get('b0')!
    const rests: number[] = []
    for (let round = 1; round <= 4; round++) {
      change('b0', round + 1, false)
      for (let n = 0; n < 30 && frozen.length < round; n++) await seconds(1)
      expect(frozen).toHaveLength(round)
      arrive('b0')
      let rested = 0
      for (; rested < 200 && !book.shown; rested++) await seconds(1)
      rests.push(rested)
    }
    expect(rests).toEqual([...rests].sort((a, b) => a - b))
    expect(rests[3]).toBeGreaterThan(4 * rests[0]!)
  })

  it('is frozen by an unrequested whole book only if no change at all arrives', async () => {
    const { seconds, change, arrive, touch, frozen } = world()
    change('b0', 2, false)
    arrive('b0')
    touch('b0', 10)
    await seconds(3)
    expect(frozen).toEqual([])
    change('b0', 3, false)
    arrive('b0')
    await seconds(3)
    expect(frozen).toEqual(['b0'])
  })
})
