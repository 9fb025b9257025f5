import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WorkerSet } from '#arbitrage/structures/candidateSet'
import type { FoundInSet, StructureEngine } from '#arbitrage/structures/engine'
import { compileStructures, findStructures } from '#arbitrage/structures/index'
import { SharedAskLadders } from '#arbitrage/structures/sharedAskLadders'
import { systemClock } from '#core/clock'
import { implies, market, outcomes, yes } from '#test/src/arbitrage/structures/parts'
import { Random, SampleBooks, sampleBook } from '#test/src/arbitrage/worlds'
import { structureEngine } from '#workers/structureEngine'
import { unitsMax } from '#workers/structures'

const now = 1_790_000_000_000
const options = { leastEdge: 10_000, unitsMax, rowsMax: 2 }
const open: StructureEngine[] = []

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.stop()
})

/** Sets of three markets with books of their own; every second one a partition, the others a chain of implications. */
function world(seed: number, count: number) {
  const random = new Random(seed)
  const books = new SampleBooks(3 * count)
  const sets = Array.from({ length: count }, (_, i): WorkerSet => {
    const keys = [`k:${i}a`, `p:${i}b`, `k:${i}c`]
    const markets = keys.map((key) => {
      books.set({ ...sampleBook(random, key, now), state: 'live' })
      const { slot, generation } = books.writer.allocate(key)!
      const book = { handle: { slot, generation }, flags: 0 }
      return { market: market(key), yes: { ...book, complement: false }, no: { ...book, complement: true } }
    })
    const relations =
      i % 2 === 0 ? [outcomes(`o${i}`, keys.map(yes))] : [implies(keys[0]!, keys[1]!), implies(keys[1]!, keys[2]!)]
    return { name: `s${i}`, markets, relations }
  })
  const found = new Map<string, FoundInSet>()
  /** Every message. */
  const batches: (readonly FoundInSet[])[] = []
  const failed = vi.fn<(reason: string) => void>()
  const engine = structureEngine({ arena: books.arena, slots: 3 * count, clock: systemClock })({
    found: (batch) => {
      batches.push(batch)
      for (const set of batch) found.set(set.name, set)
    },
    failed,
  })
  open.push(engine)
  /** The result of this thread for the same books. */
  const expected = ({ name, markets, relations }: WorkerSet): FoundInSet => {
    const offers = new SharedAskLadders(books.arena, unitsMax)
    offers.set({ name, markets, relations })
    const compiled = compileStructures(
      markets.map(({ market }) => market),
      relations,
    )
    return { name, ...findStructures(compiled, offers.offersOf, options) }
  }
  const agrees = () =>
    vi.waitFor(() => expect([...found.values()].sort(byName)).toEqual(sets.map(expected).sort(byName)), {
      timeout: 20_000,
    })
  return { random, books, sets, engine, found, batches, failed, expected, agrees }
}

const byName = (a: FoundInSet, b: FoundInSet): number => (a.name < b.name ? -1 : 1)

describe('structures on a worker thread', () => {
  it('equal those of this thread, follow the books that change, and none depends on a stale book', async () => {
    const { random, books, sets, engine, found, failed, expected, agrees } = world(1, 12)
    engine.start()
    for (const set of sets) engine.set(set)
    engine.flush()
    await agrees()
    expect([...found.values()].some(({ structures }) => structures.some(({ executable }) => executable))).toBe(true)
    for (let round = 1; round <= 10; round++) {
      const key = random.pick([...books.books.keys()])
      engine.touch(books.set({ ...sampleBook(random, key, now + round * 1_000), state: 'live' }))
      engine.flush()
      await agrees()
    }
    const set = sets.find(({ name }) => found.get(name)!.structures.some(({ executable }) => executable))!
    for (const { market } of set.markets) engine.touch(books.set({ ...books.books.get(market.key)!, state: 'stale' }))
    engine.flush()
    await agrees()
    const foundStructures = expected(set).structures
    expect(foundStructures.length).toBeGreaterThan(0)
    for (const { executable, reasons } of foundStructures)
      expect([executable, reasons.join()]).toEqual([false, expect.stringContaining('stale_book')])
    expect(failed).not.toHaveBeenCalled()
  })

  it('are withdrawn when their book becomes stale, before any of a hundred waiting sets is searched', async () => {
    const { random, books, sets, engine, found, batches, agrees } = world(3, 100)
    for (const set of sets) engine.set(set)
    engine.start()
    await agrees()
    const isExecutable = ({ structures }: FoundInSet): boolean => structures.some(({ executable }) => executable)
    const last = sets.findLast(({ name }) => isExecutable(found.get(name)!))!
    batches.length = 0
    for (const { markets } of sets)
      for (const { market } of markets)
        engine.touch(books.set({ ...sampleBook(random, market.key, now + 1_000), state: 'live' }))
    for (const { market } of last.markets) engine.touch(books.set({ ...books.books.get(market.key)!, state: 'stale' }))
    engine.flush()
    await vi.waitFor(() => expect(batches.length).toBeGreaterThan(0), { timeout: 20_000 })
    expect(batches[0]!.find(({ name }) => name === last.name)).toMatchObject({ proven: false })
    for (const set of batches[0]!) if (set.name === last.name) expect(isExecutable(set)).toBe(false)
    await agrees()
  })

  it('without readers are withdrawn as fast, and are up to date once there is a reader', async () => {
    const { random, books, sets, engine, found, batches, agrees } = world(5, 40)
    engine.setNoReaders(true)
    for (const set of sets) engine.set(set)
    engine.start()
    await agrees()
    const isExecutable = ({ structures }: FoundInSet): boolean => structures.some(({ executable }) => executable)
    const gone = sets.find(({ name }) => isExecutable(found.get(name)!))!
    batches.length = 0
    for (const { market } of gone.markets) engine.touch(books.set({ ...books.books.get(market.key)!, state: 'stale' }))
    for (const { markets } of sets)
      for (const { market } of markets)
        if (!gone.markets.some((stale) => stale.market === market))
          engine.touch(books.set({ ...sampleBook(random, market.key, now + 1_000), state: 'live' }))
    engine.flush()
    await vi.waitFor(() => expect(isExecutable(found.get(gone.name)!)).toBe(false), { timeout: 20_000 })
    engine.setNoReaders(false)
    await agrees()
  })

  it('of a dropped set are no longer published, and a set that is given again is searched again', async () => {
    const { sets, engine, found, agrees, books, random } = world(2, 4)
    for (const set of sets) engine.set(set)
    engine.start()
    await agrees()
    const gone = sets.pop()!
    engine.drop(gone.name)
    found.clear()
    for (const { market } of gone.markets)
      engine.touch(books.set({ ...sampleBook(random, market.key, now + 1), state: 'live' }))
    for (const set of sets) engine.set(set)
    engine.flush()
    await agrees()
    expect(found.has(gone.name)).toBe(false)
  })
})
