// Armed orders compared with a plain scan of all of them: the cost of a book change that fires nothing, and the memory of an order.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ASK, BID } from '#core/books/levelStore'
import { LiveBook } from '#core/books/liveBook'
import { createArena, SharedBooksReader, SharedDepth } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import { type BookRead, Sample } from '#orders/triggers/bookSample'
import { type CompiledRule, compileRule } from '#orders/triggers/rule'
import { Triggers } from '#orders/triggers/triggers'
import type { TriggerRule } from '#schemas/conditional'
import { type Bench, type BenchResult, costResult, cpuNsPerCall, figure, fullOrShort } from './bench.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const at = 1_790_000_000_000
const changes = 4_096
const ordersMax = fullOrShort(100_000, 2_000)

/** Levels around a market that stays between 0.45 and 0.55, on all references and both sides: none is ever reached. */
function awayRule(i: number): CompiledRule {
  const below = i % 2 === 0
  const step = (i % 380) / 1_000
  const rule: TriggerRule = {
    when: below ? 'at_or_below' : 'at_or_above',
    price: below ? 0.44 - step : 0.56 + step,
    reference: (['mark', 'bid', 'ask'] as const)[i % 3]!,
    confirmations: 2,
    dwellMs: 2_000,
    maxSpread: 0.1,
    minSize: 1,
  }
  return compileRule(rule, false)
}

/** A book that changes with every read, as shared memory presents it. */
function changingBook(): (change: number) => BookRead {
  const bidMicros = new Int32Array(1)
  const askMicros = new Int32Array(1)
  const book = {
    stale: false,
    bids: 1,
    asks: 1,
    bidMicros,
    bidSizes: Float64Array.of(50),
    askMicros,
    askSizes: Float64Array.of(70),
    seq: 0,
    eventTs: at,
    lastTradeMicros: 500_000,
    lastTradeTs: at,
    breaks: 0,
  }
  const bids = Int32Array.from({ length: changes }, (_, i) => 460_000 + ((i * 7_919) % 80) * 1_000)
  return (change) => {
    bidMicros[0] = bids[change & (changes - 1)]!
    askMicros[0] = bidMicros[0] + 10_000
    book.seq++
    book.eventTs++
    return book
  }
}

/** CPU of a change; the orders are spread over `books` books, which change in turn. */
function changeCost(orders: number, books: number): number {
  const held = new Triggers(books)
  for (let slot = 0; slot < books; slot++) held.follow(slot, 1, null)
  for (let handle = 0; handle < orders; handle++)
    held.arm({ ...awayRule(Math.floor(handle / books)), handle, serial: handle, slot: handle % books, generation: 1 })
  const next = changingBook()
  let slot = 0
  const cost = cpuNsPerCall(
    (call) => {
      slot = slot + 1 === books ? 0 : slot + 1
      const book = next(call)
      return held.take(slot, book, book.eventTs)
    },
    { calls: 2_000_000 },
  )
  if (held.hasNotices || held.armed !== orders) throw new Error('something fired')
  return cost
}

/** Compares every order of the book with every change, without an index: columns of numbers, as fast as possible. */
function scanCost(orders: number): number {
  const rules = Array.from({ length: orders }, (_, i) => awayRule(i))
  const kinds = Uint8Array.from(rules, ({ kind }) => kind)
  const keys = Int32Array.from(rules, ({ key }) => key)
  const sample = new Sample()
  const next = changingBook()
  return cpuNsPerCall(
    (call) => {
      const book = next(call)
      sample.read(book, book.eventTs, book.eventTs)
      const { values } = sample
      let reached = 0
      for (let i = 0; i < orders; i++) if (keys[i]! <= values[kinds[i]!]!) reached++
      if (reached > 0) throw new Error('something fired')
      return reached
    },
    { calls: Math.max(200, Math.trunc(20_000_000 / orders)) },
  )
}

const tick: Bench = {
  name: 'triggers.tick',
  async run() {
    const results: BenchResult[] = []
    for (const orders of [100, fullOrShort(10_000, 1_000), ordersMax]) {
      const metric = `a change that fires nothing, ${orders} orders`
      results.push(
        costResult(this.name, `${metric} on one book`, 'cpu ns', changeCost(orders, 1), 'plain scan', scanCost(orders)),
      )
      results.push(
        figure(
          this.name,
          `${metric} on ${Math.min(orders, 5_000)} books`,
          'cpu ns',
          changeCost(orders, Math.min(orders, 5_000)),
        ),
      )
    }
    results.push(
      figure(
        this.name,
        `the same with the book read from shared memory, ${ordersMax} orders on one book`,
        'cpu ns',
        sharedCost(),
      ),
    )
    results.push(...simultaneousFirings(this.name))
    return results
  },
}

/** As the worker does it: reads what the writer stored, under its lock. */
function sharedCost(): number {
  const arena = createArena(2)
  const feed = new BookFeed(arena, () => undefined)
  const { slot, generation } = feed.slotOf('bench', 'm')!
  const live = new LiveBook({ venue: 'bench', marketId: 'm', tickMicros: null, onDirty: () => undefined })
  const held = new Triggers(2)
  held.follow(slot, generation, null)
  for (let handle = 0; handle < ordersMax; handle++)
    held.arm({ ...awayRule(handle), handle, serial: handle, slot, generation })
  live.beginSnapshot()
  live.set(BID, 500_000, 50)
  live.set(ASK, 510_000, 70)
  live.commit(at, at)
  feed.update(live.update(1))
  feed.flush()
  const reader = new SharedBooksReader(arena)
  const depth = new SharedDepth()
  let seq = 1
  return cpuNsPerCall(
    () => {
      reader.read(slot, depth, generation, 1)
      depth.seq = ++seq
      return held.take(slot, depth, at)
    },
    { calls: 1_000_000 },
  )
}

/** All 100,000 orders of a book qualify at once: the cost of each, in slices as the worker takes them, and the longest slice. */
function simultaneousFirings(name: string): BenchResult[] {
  const orders = ordersMax
  const held = new Triggers(1)
  held.follow(0, 1, null)
  const rule = compileRule(
    { when: 'at_or_above', price: 0.4, reference: 'bid', confirmations: 2, dwellMs: 1, maxSpread: 0.1, minSize: 1 },
    false,
  )
  for (let handle = 0; handle < orders; handle++) held.arm({ ...rule, handle, serial: handle, slot: 0, generation: 1 })
  const next = changingBook()
  let longest = 0
  const turn = <T>(work: () => T): T => {
    const begun = process.cpuUsage()
    const result = work()
    const { user, system } = process.cpuUsage(begun)
    longest = Math.max(longest, (user + system) / 1_000)
    return result
  }
  const before = process.cpuUsage()
  // The first read is the initial book.
  for (let change = 0; change < 3; change++) {
    const book = next(change)
    turn(() => held.take(0, book, book.eventTs))
    while (turn(() => held.work(2_000, () => undefined)));
  }
  let decisions = 0
  while (held.hasNotices) decisions += turn(() => held.drain(200)).decisions.length
  const { user, system } = process.cpuUsage(before)
  if (decisions !== orders) throw new Error(`${decisions} of ${orders} fired`)
  return [
    figure(
      name,
      `${orders} orders of one book that fire at once, each with its evidence`,
      'cpu us an order',
      (user + system) / orders,
    ),
    figure(name, 'the longest slice of that', 'cpu ms', longest),
  ]
}

const weight: Bench = {
  name: 'triggers.memory',
  async run() {
    const orders = ordersMax
    const collect = (): number => {
      collectGarbage()
      collectGarbage()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const before = collect()
    const held = new Triggers(5_000)
    for (let slot = 0; slot < 5_000; slot++) held.follow(slot, 1, null)
    for (let handle = 0; handle < orders; handle++)
      held.arm({ ...awayRule(handle), handle, serial: handle, slot: handle % 5_000, generation: 1 })
    const bytes = (collect() - before) / held.armed
    return [figure(this.name, `at the worker, ${orders} orders on 5000 books`, 'bytes an order', bytes)]
  },
}

export const benches: readonly Bench[] = [tick, weight]
