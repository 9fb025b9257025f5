// Full depth on the tape: the book rebuilt from its rows equals the live one, or is marked unknown, whatever the feed does.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DepthTape, depthPollMs, depthWholeMaxMs, depthWholeMs } from '#actors/ingest/depthRecorder'
import { IngestBook } from '#actors/ingest/ingestBook'
import { TapeBuffer } from '#actors/ingest/recordBuffer'
import { ASK, BID } from '#core/books/book'
import { changesOf, DepthBook, type DepthLine, depthStaleMs } from '#history/depthBook'
import type { TapeBatch, TapeDepthRow } from '#schemas/topics'
import { unitsOf } from '#storage/clickhouse/columnBuffers'
import type { BookSide } from '#venues/venue'

const bookId = 'KX-1'

/** One owner of a venue after the other, and a bus that may lose messages. */
function world({ rowsMax = 1_000_000 } = {}) {
  let now = 1_000_000
  let epoch = 0
  let rows: { row: TapeDepthRow; epoch: number }[] = []
  let tape: TapeBuffer
  let depth: DepthTape
  let book: IngestBook | null = null
  const read = new DepthBook()

  const open = (): IngestBook => {
    book ??= new IngestBook({
      venue: 'kalshi',
      marketId: bookId,
      tickMicros: null,
      tape,
      depth: depth.open(bookId),
      beat: { at: 0 },
      onDirty: () => undefined,
      onSynced: () => undefined,
    })
    return book
  }
  const own = (): void => {
    epoch += 1
    tape = new TapeBuffer('kalshi', rowsMax)
    depth = new DepthTape({ tape, now: () => now })
    book = null
  }
  const bus = {
    ready: async () => undefined,
    publish(topic: string, _key: string, value: unknown) {
      if (topic === 'tape') for (const row of (value as TapeBatch).depth ?? []) rows.push({ row, epoch })
    },
  }
  own()
  return {
    read,
    open,
    own,
    now: () => now,
    book: () => book,
    advance(ms: number) {
      now += ms
    },
    sweep: () => depth.sweep(),
    drop() {
      book?.markStale('unwatched')
      if (book !== null) depth.close(book.depth!)
      book = null
    },
    /** Rows since the last flush; `isLost`: they were lost on the way. */
    async flush(isLost = false): Promise<TapeDepthRow[]> {
      await tape.flush(bus as never, () => ({}) as never)
      const taken = rows
      rows = []
      if (!isLost)
        for (const change of changesOf(taken.flatMap(({ row, epoch: of }) => linesOf(row, of)))) read.take(change)
      return taken.map(({ row }) => row)
    },
  }
}
type World = ReturnType<typeof world>

/** In the format of the tape and of replays. */
function linesOf({ type, ts, recvTs, seq, micros, sizes, bids }: TapeDepthRow, epoch: number): DepthLine[] {
  const head = { type, ts, recvTs, seq, epoch }
  if (micros.length === 0) return [{ ...head, side: null, price: null, size: null }]
  return micros.map((price, i) => ({
    ...head,
    side: i < bids ? 'bid' : 'ask',
    price: price / 1e6,
    size: unitsOf(sizes[i]!) / 1e6,
  }))
}

type Levels = Record<'bids' | 'asks', [number, number][]>
const liveLevels = (book: IngestBook): Levels => {
  const side = (of: BookSide): [number, number][] => {
    const [prices, sizes] = [new Int32Array(4_000), new Float64Array(4_000)]
    const count = book.copyLevels(of, 4_000, prices, sizes)
    return Array.from({ length: count }, (_, i) => [prices[i]!, unitsOf(sizes[i]!)])
  }
  return { bids: side(BID), asks: side(ASK) }
}
const readLevels = ({ book }: DepthBook): Levels => {
  const side = (of: BookSide): [number, number][] =>
    book.levels(of).map(({ priceMicros, size }) => [priceMicros, unitsOf(size)])
  return { bids: side(BID), asks: side(ASK) }
}

type Level = [side: BookSide, micros: number, size: number]
const anyLevel: fc.Arbitrary<Level> = fc
  .record({
    isBid: fc.boolean(),
    step: fc.nat(40),
    fine: fc.constantFrom(0, 0, 0, 1_000, 137),
    size: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 90_000_000 }).map((units) => units / 1e6),
    ),
  })
  .map(({ isBid, step, fine, size }) => [
    isBid ? BID : ASK,
    isBid ? 400_000 - step * 10_000 : 410_000 + step * 10_000 + fine,
    size,
  ])

type Op =
  | { op: 'snapshot'; levels: Level[]; eventTs: number | null }
  | { op: 'delta'; levels: Level[]; adds: boolean }
  | { op: 'cross' }
  | { op: 'stale' }
  | { op: 'withhold' }
  | { op: 'release' }
  | { op: 'drop' }
  | { op: 'restart' }
  | { op: 'abandon'; levels: Level[] }
  | { op: 'wait'; seconds: number }
const anyOp: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('snapshot' as const),
      levels: fc.array(anyLevel, { maxLength: 12 }),
      eventTs: fc.option(fc.nat(2_000_000)),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      op: fc.constant('delta' as const),
      levels: fc.array(anyLevel, { maxLength: 4 }),
      adds: fc.boolean(),
    }),
  },
  ...(['cross', 'stale', 'withhold', 'release', 'drop', 'restart'] as const).map((op) => fc.constant({ op })),
  fc.record({ op: fc.constant('abandon' as const), levels: fc.array(anyLevel, { maxLength: 3 }) }),
  { weight: 2, arbitrary: fc.record({ op: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 200 }) }) },
)

function write(book: IngestBook, levels: readonly Level[], adds = false): void {
  for (const [side, micros, size] of levels) {
    if (adds) book.add(side, micros, size)
    else book.set(side, micros, size)
  }
}

/** How many changes were recorded. */
async function perform(w: World, op: Op, isLost = false): Promise<number> {
  const book = w.open()
  const at = w.now()
  switch (op.op) {
    case 'snapshot':
      book.beginSnapshot()
      write(book, op.levels)
      book.commit(op.eventTs, at)
      break
    case 'delta':
      write(book, op.levels, op.adds)
      book.commit(null, at)
      break
    case 'cross':
      write(book, [
        [BID, 900_000, 1],
        [ASK, 500_000, 1],
      ])
      book.commit(null, at)
      break
    case 'stale':
      book.markStale('gap')
      break
    case 'withhold':
      if (!book.synced) book.withhold('lagging')
      break
    case 'release':
      book.release()
      break
    case 'drop':
      w.drop()
      break
    case 'restart':
      w.own()
      break
    case 'abandon':
      book.beginSnapshot()
      write(book, op.levels)
      book.abandonSnapshot()
      break
    case 'wait':
      for (let second = 0; second < op.seconds; second++) {
        w.advance(1_000)
        w.sweep()
      }
  }
  return (await w.flush(isLost)).length
}

const shows = (w: World): boolean => w.book()?.shown === true

describe('full depth on the tape', () => {
  it('rebuilds the live book at every change, across resyncs, stale and withheld books, released books and changing owners', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anyOp, fc.nat(3)), { maxLength: 60 }), async (ops) => {
        const w = world()
        let isEndMissing = false
        for (const [op, ms] of ops) {
          w.advance(ms)
          // The former owner died without recording the end on the tape.
          isEndMissing = op.op === 'restart' ? shows(w) || isEndMissing : isEndMissing && !shows(w)
          await perform(w, op)
          if (!isEndMissing) expect(w.read.isKnownAt(w.now())).toBe(shows(w))
          if (shows(w)) expect(readLevels(w.read)).toEqual(liveLevels(w.book()!))
        }
        if (!shows(w)) expect(w.read.isKnownAt(w.now() + depthStaleMs + 1)).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it('never rebuilds a wrong book when rows were lost on the way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyOp, fc.boolean()), { maxLength: 60 }),
        fc.constantFrom(3, 12, 1_000_000),
        async (ops, rowsMax) => {
          const w = world({ rowsMax })
          /** A loss of the newest change cannot be detected before the next. */
          let isLastLost = false
          for (const [op, isLost] of ops) {
            w.advance(1)
            if ((await perform(w, op, isLost)) > 0) isLastLost = isLost
            if (!isLastLost && shows(w) && w.read.isKnownAt(w.now()))
              expect(readLevels(w.read)).toEqual(liveLevels(w.book()!))
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('confirms a quiet book every minute and a half, rewrites it every ten minutes, and a busy one every minute', async () => {
    const w = world()
    const book = w.open()
    write(book, [])
    book.beginSnapshot()
    write(book, [
      [BID, 400_000, 5],
      [ASK, 600_000, 5],
    ])
    book.commit(1, w.now())
    const recorded: [string, number][] = []
    const begun = w.now()
    for (let second = 0; second < 1_300; second++) {
      if (second > 700) {
        book.set(BID, 400_000, second)
        book.commit(null, w.now())
      }
      w.advance(1_000)
      w.sweep()
      for (const { type, recvTs } of await w.flush()) recorded.push([type, recvTs - begun])
      expect(w.read.isKnownAt(w.now())).toBe(true)
    }
    const wholes = recorded.filter(([type]) => type === 'snapshot').map(([, at]) => at)
    expect(recorded[0]).toEqual(['start', 0])
    expect(wholes[0]).toBeLessThanOrEqual(depthWholeMaxMs + depthPollMs)
    for (let i = 2; i < wholes.length; i++)
      expect(wholes[i]! - wholes[i - 1]!).toBeLessThanOrEqual(depthWholeMs + depthPollMs)
    expect(recorded.filter(([type, at]) => type !== 'delta' && at > 0 && at < 700_000).length).toBeLessThan(20)
  })

  it('writes nothing for a snapshot that equals the book, and only the differences of any other', async () => {
    const w = world()
    const book = w.open()
    const snapshot = (levels: Level[]) => {
      book.beginSnapshot()
      write(book, levels)
      book.commit(null, w.now())
    }
    snapshot([
      [BID, 400_000, 5],
      [BID, 390_000, 5],
      [ASK, 600_000, 5],
    ])
    await w.flush()
    snapshot([
      [BID, 400_000, 5],
      [BID, 390_000, 5],
      [ASK, 600_000, 5],
    ])
    expect(await w.flush()).toEqual([])
    snapshot([
      [BID, 400_000, 7],
      [ASK, 600_000, 5],
      [ASK, 610_000, 1],
    ])
    const [row] = await w.flush()
    expect(row).toMatchObject({
      type: 'delta',
      micros: [400_000, 390_000, 610_000],
      sizes: [7, 0, 1],
      bids: 2,
    })
  })

  it('writes nothing for levels that end a commit with the size they had before it', async () => {
    const w = world()
    const book = w.open()
    book.beginSnapshot()
    write(book, [
      [BID, 400_000, 5],
      [ASK, 600_000, 5],
    ])
    book.commit(null, w.now())
    await w.flush()
    write(book, [[BID, 400_000, 3]], true)
    write(book, [[BID, 400_000, -3]], true)
    write(book, [
      [ASK, 600_000, 7],
      [ASK, 600_000, 4],
      [ASK, 600_000, 5.000_000_1],
    ])
    book.commit(null, w.now())
    expect(await w.flush()).toEqual([])
    write(book, [
      [BID, 400_000, 7],
      [BID, 400_000, 9],
    ])
    book.commit(null, w.now())
    expect(await w.flush()).toMatchObject([{ type: 'delta', micros: [400_000], sizes: [9], bids: 1 }])
  })

  it('rewrites the book when more levels were touched than one change can hold', async () => {
    const w = world()
    const book = w.open()
    book.beginSnapshot()
    book.commit(null, w.now())
    await w.flush()
    for (let i = 0; i < 300; i++) book.set(BID, 1_000 * (i + 1), i + 1)
    book.commit(null, w.now())
    const [row] = await w.flush()
    expect([row!.type, row!.micros.length]).toEqual(['snapshot', 300])
    expect(readLevels(w.read)).toEqual(liveLevels(book))
  })
})
