import { afterEach, describe, expect, it } from 'vitest'
import { startStructureFeeder } from '#actors/arbitrage/structureInputs'
import { startStructureRelay } from '#actors/arbitrage/structureReplica'
import type { StructureEngine, StructureEngineEvents } from '#arbitrage/structures/engine'
import { compileStructures, type Relation, StructureSurface } from '#arbitrage/structures/index'
import type { StructureFilter } from '#arbitrage/structures/read'
import type { StructureFacts, StructureSets } from '#arbitrage/structures/sets'
import { SharedAskLadders } from '#arbitrage/structures/sharedAskLadders'
import type { ArbitragePeer } from '#arbitrage/subscribers'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { StructureRow } from '#schemas/structures'
import { implies, market, outcomes, yes } from '#test/src/arbitrage/structures/parts'
import { SampleBooks } from '#test/src/arbitrage/worlds'
import { MemoryBus } from '#test/src/stream/support'

const now = 1_790_000_000_000
const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** What the engine was last informed of about readers. */
const easings: boolean[] = []
/** Starts of the engine. */
let starts = 0
/** The engine without a thread: `flush` searches before it returns. */
function inlineEngine(arena: SharedArrayBuffer, events: StructureEngineEvents): StructureEngine {
  const offers = new SharedAskLadders(arena, 100_000)
  const surface = new StructureSurface(null, offers.offersOf, { leastEdge: 10_000, unitsMax: 100_000, rowsMax: 2 })
  return {
    start: () => void starts++,
    set(set) {
      offers.set(set)
      surface.set(
        set.name,
        compileStructures(
          set.markets.map(({ market }) => market),
          set.relations,
        ),
      )
    },
    drop(name) {
      surface.drop(name)
      offers.drop(name)
    },
    touch(slot) {
      for (const key of offers.marketsOf(slot)) surface.dirty(key)
    },
    flush() {
      surface.recompute()
      const names = surface.takeSearched()
      if (names.length > 0) events.found(names.map((name) => ({ name, ...surface.found(name) })))
    },
    setNoReaders: (eased) => void easings.push(eased),
    stop: async () => undefined,
  }
}

const factsOf = (key: string): StructureFacts => ({
  market: market(key),
  title: `Title of ${key}`,
  yesBook: { bookId: key, complement: false },
  noBook: { bookId: key, complement: true },
  refused: null,
})
const setOf = (name: string, keys: string[], relations: Relation[]) => ({ name, facts: keys.map(factsOf), relations })
const setsOf = (...sets: ReturnType<typeof setOf>[]): StructureSets => ({
  sets,
  overLimit: 0,
  tooManyMarkets: 0,
  refused: [{ market: 'k:z', reason: 'tick_unknown' }],
})
const implication = setOf('k:a', ['k:a', 'p:b'], [implies('k:a', 'p:b')])
const partition = setOf('k:x', ['k:x', 'k:y'], [outcomes('o', [yes('k:x'), yes('k:y')])])

interface Frame {
  type: string
  data: {
    kind: string
    seq: number
    part: { i: number; n: number }
    rows?: StructureRow[]
    upserts?: StructureRow[]
    removes?: string[]
  }
}

class Reader implements ArbitragePeer {
  readonly id = 1
  accepts = true
  readonly frames: Frame['data'][] = []
  readonly rows = new Map<string, StructureRow>()

  offer(_: string, frame: Buffer): 'sent' | 'dropped' {
    if (!this.accepts) return 'dropped'
    const { type, data } = JSON.parse(String(frame)) as Frame
    expect(type).toBe('structures')
    this.frames.push(data)
    if (data.kind === 'snapshot' && data.part.i === 1) this.rows.clear()
    for (const row of data.rows ?? data.upserts ?? []) this.rows.set(row.id, row)
    for (const id of data.removes ?? []) this.rows.delete(id)
    return 'sent'
  }
}

/** `lacking`: books without a slot so far. */
async function world(lacking: ReadonlySet<string> = new Set()) {
  const bus = new MemoryBus()
  const clock = new ManualClock(now)
  const books = new SampleBooks(8)
  const write = (key: string, bid: number, ask: number, state: 'live' | 'stale' = 'live') =>
    books.set({
      key,
      bids: [{ micros: bid * 10_000, size: '100' }],
      asks: [{ micros: ask * 10_000, size: '100' }],
      state,
      asOf: clock.now(),
    })
  write('k:a', 45, 46)
  write('p:b', 38, 40)
  write('k:x', 40, 45)
  write('k:y', 40, 48)
  const lead: { term: number | null } = { term: 1 }
  const events: { current: StructureEngineEvents | null } = { current: null }
  const feeder = await startStructureFeeder({
    bus,
    feed: { slotOf: (_, bookId) => (lacking.has(bookId) ? null : books.writer.allocate(bookId)) },
    createEngine(engineEvents) {
      events.current = engineEvents
      return inlineEngine(books.arena, engineEvents)
    },
    clock,
    log: silentLog,
    memberId: 'm',
    term: () => lead.term,
    booksMax: 4,
    booksChanged: () => undefined,
  })
  const relay = await startStructureRelay({ bus, clock, log: silentLog, memberId: 'g' })
  stops.push(
    () => feeder.stop(),
    () => relay.stop(),
  )
  const settle = async (ms = 600): Promise<void> => {
    for (let left = ms; left > 0; left -= 5) {
      clock.advance(5)
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
  const change = async (...book: Parameters<typeof write>): Promise<void> => {
    feeder.touch(write(...book))
    feeder.flush()
    await settle(50)
  }
  const currentRows = () => [...(relay.state()?.rows ?? [])]
  const listen = async (filter: StructureFilter = {}): Promise<Reader> => {
    const reader = new Reader()
    relay.add(reader, 'structures', filter)
    await settle(50)
    return reader
  }
  return { bus, clock, feeder, relay, settle, change, currentRows, listen, lead, events }
}

describe('structures from the books to a gateway’s readers', () => {
  it('include the titles of their markets, and count markets that take no part', async () => {
    const { feeder, settle, currentRows, relay } = await world()
    await settle()
    expect(currentRows()).toEqual([])
    feeder.setSets(setsOf(implication, partition))
    await settle()
    expect(currentRows().map(({ kind, edge, executable }) => [kind, edge, executable])).toEqual([
      ['implication', 5, true],
      ['partition', 7, true],
    ])
    expect(currentRows()[0]!.legs[0]).toMatchObject({ market: 'k:a', title: 'Title of k:a', side: 'no', price: 0.55 })
    expect(relay.state()!.counts).toEqual({
      sets: 2,
      markets: 4,
      searched: 2,
      complete: true,
      overLimit: 0,
      refusedSets: {},
      refusedMarkets: { tick_unknown: 1 },
    })
    feeder.setSets(setsOf(partition))
    await settle()
    expect(currentRows().map(({ kind }) => kind)).toEqual(['partition'])
    expect(feeder.needs('k', 'k:a')).toBe(false)
  })

  it('rest between searches without readers, and do not from the first read until a minute after the last', async () => {
    const { feeder, relay, settle, currentRows, listen } = await world()
    feeder.setSets(setsOf(implication))
    const eased = () => easings.at(-1)
    await settle(3_100)
    expect(eased()).toBe(true)
    currentRows()
    expect(eased()).toBe(false)
    await settle(59_000)
    expect(eased()).toBe(false)
    await settle(5_000)
    expect(eased()).toBe(true)
    const reader = await listen()
    await settle(65_000)
    expect(eased()).toBe(false)
    relay.remove(reader, 'structures')
    await settle(5_000)
    expect(eased()).toBe(true)
  })

  it('are sent as a snapshot, then as deltas that match each reader’s filter', async () => {
    const { feeder, settle, change, listen } = await world()
    feeder.setSets(setsOf(implication, partition))
    await settle()
    const all = await listen()
    const sure = await listen({ executableOnly: true, kinds: ['implication'] })
    expect([all, sure].map(({ frames }) => frames.map(({ kind, rows }) => [kind, rows?.length]))).toEqual([
      [['snapshot', 2]],
      [['snapshot', 1]],
    ])
    await change('p:b', 38, 42)
    expect([...sure.rows.values()].map(({ edge }) => edge)).toEqual([3])
    await change('p:b', 38, 42, 'stale')
    expect(sure.rows.size).toBe(0)
    expect([...all.rows.values()].find(({ kind }) => kind === 'implication')).toMatchObject({
      executable: false,
      reasons: ['p:b:yes:stale_book'],
    })
    const seqs = all.frames.map(({ seq }) => seq)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
  })

  it('are sent as a snapshot to a reader that fell behind', async () => {
    const { feeder, settle, change, listen, currentRows } = await world()
    feeder.setSets(setsOf(implication))
    await settle()
    const reader = await listen()
    reader.accepts = false
    await change('p:b', 38, 41)
    await change('p:b', 38, 43)
    reader.accepts = true
    await settle(200)
    expect(reader.frames.at(-1)!.kind).toBe('snapshot')
    expect([...reader.rows.values()]).toEqual(currentRows())
    expect(reader.rows.size).toBe(1)
  })

  it('are withheld while their worker is down, and when no searching process is up', async () => {
    const { feeder, settle, relay, events, lead, clock } = await world()
    feeder.setSets(setsOf(implication))
    await settle()
    expect(relay.state()).not.toBeNull()
    events.current!.failed('sabotage')
    await settle(50)
    expect(relay.state()).toBeNull()
    events.current!.found([])
    await settle()
    expect(relay.state()).not.toBeNull()
    lead.term = null
    await settle(3_100)
    expect(clock.now()).toBeGreaterThan(now)
    expect(relay.state()).toBeNull()
  })

  it('report the list as incomplete until every set was searched, also after the worker was lost', async () => {
    const { feeder, settle, relay, events } = await world()
    await settle()
    expect(relay.state()!.counts).toMatchObject({ sets: 0, complete: false })
    feeder.setSets(setsOf(implication, partition))
    await settle()
    expect(relay.state()!.counts).toMatchObject({ sets: 2, searched: 2, complete: true })
    events.current!.failed('no heartbeat')
    await settle(300)
    const found = { structures: [], refused: [], proven: false }
    events.current!.found([
      { name: 'k:a', ...found, searched: true },
      { name: 'k:x', ...found, searched: false },
    ])
    await settle()
    expect(relay.state()!.counts).toMatchObject({ sets: 2, searched: 1, complete: false })
    events.current!.found([{ name: 'k:x', ...found, searched: true }])
    await settle()
    expect(relay.state()!.counts).toMatchObject({ searched: 2, complete: true })
  })

  it('wait longer before each restart of a worker that keeps failing, whatever it finds in between', async () => {
    const { settle, events } = await world()
    await settle()
    const restartsAfter = async (): Promise<number> => {
      const before = starts
      events.current!.failed('no heartbeat')
      for (let ms = 50; ; ms += 50) {
        await settle(50)
        if (starts > before) {
          events.current!.found([])
          return ms
        }
      }
    }
    const delays = [await restartsAfter(), await restartsAfter(), await restartsAfter()]
    expect(delays).toEqual([250, 500, 1_000])
    await settle(60_000)
    expect(await restartsAfter()).toBe(250)
  })

  it('are complete again after a message was lost', async () => {
    const { bus, feeder, settle, currentRows, relay } = await world()
    feeder.setSets(setsOf(implication))
    await settle()
    bus.publish('structureFrames', 'm', {
      ...{ term: 1, memberId: 'm', n: 10_000, kind: 'delta', up: true, part: { i: 1, last: true } },
      ...{ computedAt: now, rows: [], removes: [currentRows()[0]!.id], counts: relay.state()!.counts },
    })
    expect(relay.state()).toBeNull()
    await settle(1_500)
    expect(currentRows().map(({ kind }) => kind)).toEqual(['implication'])
  })

  it('are searched again when one of their books gets a slot that was missing', async () => {
    const lacking = new Set(['k:a'])
    const { feeder, settle, currentRows } = await world(lacking)
    feeder.setSets(setsOf(implication))
    await settle()
    expect(currentRows()).toEqual([])
    lacking.clear()
    feeder.slotsFreed()
    await settle()
    expect(currentRows().map(({ kind, edge }) => [kind, edge])).toEqual([['implication', 5]])
  })

  it('take no more books than there are slots, and report it', async () => {
    const { feeder, settle, relay } = await world()
    feeder.setSets(setsOf(implication, partition, setOf('k:v', ['k:v', 'k:w'], [implies('k:v', 'k:w')])))
    await settle()
    expect(relay.state()!.counts).toMatchObject({ sets: 2, overLimit: 1 })
  })
})
