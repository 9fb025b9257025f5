import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ASK, BID } from '#core/books/levelStore'
import { LiveBook } from '#core/books/liveBook'
import { createArena } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import { systemClock } from '#core/clock'
import type { Decision, TriggerEvents } from '#orders/triggers/decision'
import type { TriggerEngine } from '#orders/triggers/engine'
import type { ArmedOrder } from '#orders/triggers/orders'
import { compileRule } from '#orders/triggers/rule'
import type { TriggerRule } from '#schemas/conditional'
import { triggerEngine } from '#workers/triggerEngine'

const at = 1_790_000_000_000
const slots = 16
const faulty = fileURLToPath(new URL('./faultyTriggers.worker.ts', import.meta.url))
const long = process.env.CROSSBOOK_TEST_LONG === '1'
const open: TriggerEngine[] = []
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.stop()
})

const rule: TriggerRule = {
  when: 'at_or_above',
  price: 0.6,
  reference: 'bid',
  confirmations: 2,
  dwellMs: 1_000,
  maxSpread: 0.1,
  minSize: 1,
}

function world(filename?: string) {
  const arena = createArena(slots)
  const orders = new SharedArrayBuffer(8)
  const received: TriggerEvents[] = []
  const events = {
    notified: (notices: TriggerEvents) => received.push(notices),
    failed: vi.fn<(reason: string) => void>(),
  }
  const engine = triggerEngine({ arena, slots, clock: systemClock, filename, workerData: orders })(events)
  open.push(engine)
  const feed = new BookFeed(arena, (slot) => engine.touch(slot))
  const { slot, generation } = feed.slotOf('kalshi', 'm')!
  const book = new LiveBook({ venue: 'kalshi', marketId: 'm', tickMicros: null, onDirty: () => undefined })
  let time = at
  let brokenAt = 0
  const flush = () => {
    feed.flush()
    engine.flush()
  }
  return {
    engine,
    events,
    received,
    armed: (handle: number, over: Partial<TriggerRule> = {}): ArmedOrder => ({
      ...compileRule({ ...rule, ...over }, false),
      handle,
      serial: handle + 1,
      slot,
      generation,
    }),
    /** Writes the next book, a second later; the worker reads it only after `flush`. */
    writeBook(bid: number) {
      book.beginSnapshot()
      book.set(BID, bid, 5)
      book.set(ASK, bid + 10_000, 7)
      time += 1_000
      book.commit(time, time)
      feed.update(book.update(1))
    },
    breaks() {
      book.markStale('gap')
      feed.update(book.update(1))
      brokenAt = time
    },
    /** Time of the last book before a gap. */
    brokenUntil: () => brokenAt,
    flush,
    decisions: (): Decision[] => received.flatMap(({ decisions }) => decisions),
    async holds(count: number) {
      await vi.waitFor(() => expect(engine.armed).toBe(count), { timeout: 20_000 })
    },
    order(what: number) {
      Atomics.store(new Int32Array(orders), 0, what)
      engine.flush()
    },
  }
}

/** To check that a decision does not come, wait for that of a later order, which would follow it. */
const witness = { price: 0.5, dwellMs: 1 }

it('reports that it is not awake while it pauses, and is awake again when it has caught up', async () => {
  const { engine, order, flush } = world(faulty)
  engine.start()
  await vi.waitFor(() => expect(engine.isAwake).toBe(true), { timeout: 20_000 })
  order(4)
  await vi.waitFor(() => expect(engine.isAwake).toBe(false), { timeout: 20_000, interval: 5 })
  flush()
  await vi.waitFor(() => expect(engine.isAwake).toBe(true), { timeout: 20_000 })
})

describe('the triggers on a worker thread', () => {
  it('decide by the book in shared memory, and withdraw when the price returns', async () => {
    const { engine, armed, writeBook, breaks, brokenUntil, flush, decisions, received, holds } = world()
    engine.start()
    engine.arm([armed(0)])
    await holds(1)
    writeBook(590_000)
    flush()
    writeBook(600_000)
    flush()
    // Changes within one flush are one sample: each of these must be seen separately.
    await vi.waitFor(() => {
      writeBook(610_000)
      flush()
      expect(decisions()).toHaveLength(1)
    })
    const [{ handle, serial, evidence }] = decisions() as [Decision]
    expect([handle, serial]).toEqual([0, 1])
    expect(evidence).toMatchObject({ reference: 'bid', spread: 0.01, size: 5 })
    expect(Date.parse(evidence.lastSampleAt) - Date.parse(evidence.firstSampleAt)).toBeGreaterThanOrEqual(1_000)
    writeBook(590_000)
    flush()
    await vi.waitFor(() =>
      expect(received.at(-1)).toEqual({ decisions: [], withdrawn: [{ handle: 0, serial: 1 }], bests: [] }),
    )

    // Nothing is counted across a gap that was closed before the worker looked: no two of these are consecutive.
    received.length = 0
    engine.disarm([0])
    engine.arm([armed(1, { dwellMs: 2_500 }), armed(2, witness)])
    await holds(2)
    for (let round = 0; round < 5; round++) {
      writeBook(600_000)
      flush()
      breaks()
    }
    await vi.waitFor(() => {
      writeBook(600_000)
      flush()
      expect(decisions()[0]?.handle).toBe(2)
    })
    await vi.waitFor(() => {
      writeBook(600_000)
      flush()
      expect(decisions()).toHaveLength(2)
    })
    const { evidence: later } = decisions()[1]!
    expect(later.samples).toBeGreaterThanOrEqual(2)
    expect(Date.parse(later.firstSampleAt)).toBeGreaterThanOrEqual(brokenUntil())
  })

  it('report the best prices of trailing stops, and go on from one that was given', async () => {
    const { engine, armed, writeBook, flush, decisions, received, holds } = world()
    engine.start()
    const trailing = armed(0, {
      when: 'at_or_below',
      price: undefined,
      trail: { by: 'price', distance: 0.05 },
      dwellMs: 1,
    })
    engine.arm([trailing, { ...trailing, handle: 1, best: 2 * 620_000 }])
    await holds(2)
    await vi.waitFor(() => {
      writeBook(600_000)
      flush()
      expect(received.flatMap(({ bests }) => bests)).toEqual([{ handle: 0, serial: 1, best: 1_200_000 }])
    })
    await vi.waitFor(() => {
      writeBook(570_000)
      flush()
      expect(decisions()).toHaveLength(1)
    })
    expect(decisions()[0]).toMatchObject({ handle: 1, evidence: { bestPrice: 0.62, level: 0.57, distance: 0.05 } })
  })

  it('decide at a time by a book that does not change', async () => {
    const { engine, armed, writeBook, flush, decisions, holds } = world()
    engine.start()
    writeBook(600_000)
    flush()
    const time = Date.now() + 300
    engine.arm([
      { ...armed(0, { at: new Date(time).toISOString(), price: undefined }), at: time },
      { ...armed(1, { price: undefined }), at: time + 3_600_000 },
    ])
    await holds(2)
    await vi.waitFor(() => expect(decisions()).toHaveLength(1), { timeout: 20_000 })
    const [{ handle, evidence }] = decisions() as [Decision]
    expect([handle, evidence.at]).toEqual([0, new Date(time).toISOString()])
    expect(Date.parse(evidence.readAt!)).toBeGreaterThanOrEqual(time)
  })

  it('report thousands that qualify at once, each once, and apply arms and disarms meanwhile', async () => {
    const { engine, armed, writeBook, flush, decisions, received, holds } = world()
    engine.start()
    const count = 3_000
    engine.arm(Array.from({ length: count }, (_, handle) => armed(handle)))
    await holds(count)
    await vi.waitFor(() => {
      writeBook(600_000)
      flush()
      expect(decisions().length).toBeGreaterThan(0)
    })
    engine.disarm([0, 1])
    engine.arm([armed(count)])
    await holds(count - 1)
    await vi.waitFor(() => {
      writeBook(600_000)
      flush()
      expect(new Set(decisions().map(({ handle }) => handle)).size).toBeGreaterThanOrEqual(count - 1)
    })
    const handles = decisions().map(({ handle }) => handle)
    expect(handles).toHaveLength(new Set(handles).size)
    expect(received.every(({ decisions }) => decisions.length <= 200)).toBe(true)
  })

  // The surface's test covers how a thread is watched.
  const ends: [name: string, order: number, reason: string][] = [
    ['throws', 1, 'sabotage'],
    ['loops forever', 2, 'no heartbeat'],
    ['is terminated', 3, expect.any(String) as string],
  ]
  it.each(ends.slice(0, long ? 3 : 1))(
    'start again after a worker that %s: its earlier counts are forgotten',
    async (_, what, reason) => {
      const { engine, events, armed, writeBook, flush, decisions, holds, order } = world(faulty)
      engine.start()
      const orders = [armed(0, { confirmations: 3 }), armed(1, witness)]
      engine.arm(orders)
      await holds(2)
      await vi.waitFor(() => {
        writeBook(500_000)
        flush()
        expect(decisions()).toHaveLength(1)
      })
      writeBook(600_000)
      flush()
      order(what)
      await vi.waitFor(() => expect(events.failed).toHaveBeenCalledWith(reason), { timeout: 20_000 })
      expect(engine.armed).toBe(0)
      engine.start()
      engine.arm(orders)
      await holds(2)
      await vi.waitFor(() => {
        writeBook(600_000)
        flush()
        expect(decisions().some(({ handle }) => handle === 0)).toBe(true)
      })
      const { evidence } = decisions().find(({ handle }) => handle === 0)!
      expect(evidence.samples).toBe(3)
      expect(events.failed).toHaveBeenCalledTimes(1)
    },
  )

  it.runIf(long)('stop while they hang, and a second time without error', async () => {
    const { engine, events, armed, holds, order } = world(faulty)
    engine.start()
    engine.arm([armed(0)])
    await holds(1)
    order(2)
    await engine.stop()
    await engine.stop()
    expect(events.failed).not.toHaveBeenCalled()
    expect(engine.armed).toBe(0)
  })
})
