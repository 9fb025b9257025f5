// What an owner publishes while its lease is uncertain: nothing, and afterwards either everything or nothing.
import { expect, test } from 'vitest'
import { Demands } from '#actors/ingest/demands'
import { ownedBus } from '#actors/ingest/owner/fencedBus'
import { Publisher } from '#actors/ingest/publisher'
import { TapeBuffer } from '#actors/ingest/recordBuffer'
import { BID } from '#core/books/book'
import { LiveBook } from '#core/books/liveBook'
import { ManualClock } from '#core/clock'
import type { BookUpdate, TapeBatch } from '#schemas/topics'
import { createLocalBus } from '#storage/bus/local'

async function owner() {
  const clock = new ManualClock()
  const bus = createLocalBus({ onError: (error) => expect.unreachable(String(error)) })
  const published: string[] = []
  await bus.subscribe('books', ({ epoch, seq, core }: BookUpdate) =>
    published.push(`book ${epoch}.${seq} ${String(core)}`),
  )
  await bus.consume('tape', 'g', async ({ values }) => {
    for (const { epoch, topOfBook } of values as TapeBatch[])
      published.push(`tape ${epoch} ${topOfBook.map(({ ts }) => ts).join()}`)
  })
  await bus.consume('coverage', 'g', async ({ values }) => {
    for (const { epoch, at } of values) published.push(`coverage ${epoch} ${at}`)
  })
  await bus.subscribe('trades', ({ epoch }) => published.push(`trade ${epoch}`))
  let holds = true
  let finish: () => void = () => undefined
  const over = new Promise<void>((resolve) => {
    finish = resolve
  })
  const lease = { epoch: 7, holds: () => holds, over }
  const owned = ownedBus(bus, lease, clock)
  const publisher = new Publisher({
    ...{ venue: 'v', bus: owned, clock, tickMs: 2, lease },
    demands: new Demands(),
    defer: (run) => run(),
  })
  const book = new LiveBook({ venue: 'v', marketId: 'M', tickMicros: 10_000, onDirty: publisher.mark })
  const tape = new TapeBuffer('v')
  const flush = () => tape.flush(owned, () => expect.unreachable('nothing was lost'))
  return {
    clock,
    owned,
    published,
    write(size: number) {
      book.beginSnapshot()
      book.set(BID, 400_000, size)
      book.commit(null, size)
      const row = {
        venue: 'v',
        outcomeId: 'M',
        ts: size,
        recvTs: size,
        bidMicros: 1,
        bidSize: 1,
        askMicros: 2,
        askSize: 1,
      }
      tape.topOfBook(row)
    },
    flush,
    suspend: () => {
      holds = false
    },
    resume: () => {
      holds = true
    },
    end: () => finish(),
    async settle() {
      for (let i = 0; i < 20; i++) await Promise.resolve()
    },
  }
}

test('publishes nothing while the lease is uncertain; afterwards the newest book and every row', async () => {
  const { clock, published, write, flush, suspend, resume, settle } = await owner()
  write(1)
  clock.advance(10)
  await flush()
  await settle()
  expect(published).toEqual([expect.stringMatching(/^book 7\.1 .*"size":1/), 'tape 7 1'])
  suspend()
  write(2)
  const flushing = flush()
  clock.advance(1_000)
  await settle()
  write(3)
  clock.advance(1_000)
  await settle()
  expect(published).toHaveLength(2)
  resume()
  for (let i = 0; i < 4; i++) {
    clock.advance(50)
    await settle()
  }
  await flushing
  expect(published.slice(2)).toEqual([expect.stringMatching(/^book 7\.2 .*"size":3/), 'tape 7 2,3'])
})

test('publishes coverage of an uncertain period when it is over', async () => {
  const { owned, published, suspend, resume, settle } = await owner()
  const event = (at: number) =>
    owned.publish('coverage', 'v:M', {
      venue: 'v',
      outcomeId: 'M',
      kind: 'gap',
      mechanism: 'ws-lossless',
      effectiveIntervalMs: null,
      reason: null,
      at,
    })
  suspend()
  event(1)
  event(2)
  await settle()
  expect(published).toEqual([])
  resume()
  event(3)
  await settle()
  expect(published).toEqual(['coverage 7 1', 'coverage 7 2', 'coverage 7 3'])
})

test('publishes nothing that was buffered when the lease turns out to be lost', async () => {
  const { clock, published, write, flush, suspend, end, settle } = await owner()
  suspend()
  write(1)
  const flushing = flush()
  clock.advance(1_000)
  end()
  await settle()
  clock.advance(50)
  await settle()
  await flushing
  expect(published).toEqual([])
})
