import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { ASK, BID } from '#core/books/book'
import { LiveBook } from '#core/books/liveBook'
import {
  createArena,
  createRing,
  RingProducer,
  SharedBooksReader,
  SharedBooksWriter,
  SharedDepth,
  sharedLevels,
} from '#core/books/shared/index'
import type { TornReport, TornTask } from './tornReader.worker.ts'

const liveBook = (marketId = 'A') =>
  new LiveBook({ venue: 'kalshi', marketId, tickMicros: 1_000, onDirty: () => undefined })

function snapshot(book: LiveBook, levels: number, size: number, at: number): void {
  book.beginSnapshot()
  for (let i = 0; i < levels; i++) {
    book.set(BID, (400 - i) * 1_000, size)
    book.set(ASK, (401 + i) * 1_000, size)
  }
  book.commit(at, at)
}

describe('shared books', () => {
  it('read as written: the best levels, times, seq, last trade', () => {
    const arena = createArena(4)
    const writer = new SharedBooksWriter(arena)
    const reader = new SharedBooksReader(arena)
    const depth = new SharedDepth()
    const handle = writer.allocate('kalshi:A')!
    expect([reader.read(handle.slot, depth, handle.generation), depth.stale, depth.bids]).toEqual(['ok', true, 0])
    const book = liveBook()
    snapshot(book, sharedLevels + 8, 2.5, 1_000)
    book.lastTradeMicros = 405_000
    writer.write(handle.slot, book)
    expect(reader.read(handle.slot, depth, handle.generation)).toBe('ok')
    expect([
      depth.bids,
      depth.asks,
      depth.stale,
      depth.seq,
      depth.recvTs,
      depth.eventTs,
      depth.lastTradeMicros,
    ]).toEqual([sharedLevels, sharedLevels, false, 1, 1_000, 1_000, 405_000])
    expect([depth.bidMicros[0], depth.bidMicros[1], depth.askMicros[1], depth.askSizes[1]]).toEqual([
      400_000, 399_000, 402_000, 2.5,
    ])
  })

  it('are stale when the book is, and keep the last depth', () => {
    const arena = createArena(1)
    const writer = new SharedBooksWriter(arena)
    const depth = new SharedDepth()
    const { slot } = writer.allocate('kalshi:A')!
    const book = liveBook()
    snapshot(book, 3, 1, 1_000)
    writer.write(slot, book)
    book.markStale('gap')
    writer.write(slot, book)
    expect(new SharedBooksReader(arena).read(slot, depth)).toBe('ok')
    expect([depth.stale, depth.bids, depth.bidMicros[0], depth.seq]).toEqual([true, 3, 400_000, book.seq])
  })

  it('are absent for a handle whose slot was reassigned, and for slots that do not exist', () => {
    const arena = createArena(1)
    const writer = new SharedBooksWriter(arena)
    const reader = new SharedBooksReader(arena)
    const depth = new SharedDepth()
    const first = writer.allocate('kalshi:A')!
    expect(writer.allocate('kalshi:A')).toEqual(first)
    expect([writer.allocate('kalshi:B'), writer.refused]).toEqual([null, 1])
    writer.release('kalshi:A')
    expect([reader.read(first.slot, depth, first.generation), reader.read(first.slot, depth), reader.keyOf(0)]).toEqual(
      ['absent', 'absent', null],
    )
    const second = writer.allocate('kalshi:B')!
    expect(reader.read(first.slot, depth, first.generation)).toBe('absent')
    expect(reader.keyOf(0)).toEqual({ key: 'kalshi:B', handle: second })
    expect([reader.read(1, depth), reader.read(-1, depth), reader.keyOf(9)]).toEqual(['absent', 'absent', null])
    expect(writer.allocate('x'.repeat(400))).toBeNull()
  })

  it('are busy during a write', () => {
    const arena = createArena(1)
    new SharedBooksWriter(arena).allocate('kalshi:A')
    Atomics.add(new Int32Array(arena), 0, 1)
    expect(new SharedBooksReader(arena).read(0, new SharedDepth())).toBe('busy')
  })

  it('are never read torn by another thread, and every last write arrives there through the ring', async () => {
    const slots = 8
    const arena = createArena(slots)
    const ring = createRing(slots)
    const writer = new SharedBooksWriter(arena)
    const producer = new RingProducer(ring)
    const books = Array.from({ length: slots }, (_, i) => liveBook(`M${i}`))
    const handles = books.map((book) => writer.allocate(`kalshi:${book.marketId}`)!)
    const stop = new SharedArrayBuffer(4)
    const task: TornTask = { arena, ring, stop }
    const worker = new Worker(new URL('./tornReader.worker.ts', import.meta.url), { workerData: task })
    try {
      await once(worker, 'message')
      // Every write fills the whole slot with one number, so that a mixture of two writes is visible.
      const rounds = 60_000
      for (let round = 1; round <= rounds; round++) {
        const at = round % slots
        const book = books[at]!
        snapshot(book, 1 + (round % sharedLevels), round, round)
        book.core()
        writer.write(handles[at]!.slot, book)
        expect(producer.push(handles[at]!.slot)).toBe(true)
        if (round % 64 === 0) producer.flush()
      }
      producer.flush()
      const answered = once(worker, 'message')
      Atomics.store(new Int32Array(stop), 0, 1)
      const [report] = (await answered) as [TornReport]
      expect(report.torn).toEqual([])
      expect(report.last).toEqual(books.map((book) => book.recvTs))
      expect(report.overlapped).toBeGreaterThan(0)
      expect(report.reads).toBeGreaterThan(1_000)
    } finally {
      await worker.terminate()
    }
  })
})
