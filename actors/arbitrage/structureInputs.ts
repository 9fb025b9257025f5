// Structures as an actor: sets of markets go to the thread that searches them, and its results go to all gateways. One process does this for the
// whole deployment.
//
// sets ─► engine ─► rows ─► structureFrames: a state on request, deltas as rows change, heartbeats in between
import { isDeepStrictEqual } from 'node:util'
import { TimeSlicer } from '#actors/runtime/timeSlicer'
import { isWhole, workerSet } from '#arbitrage/structures/candidateSet'
import type { FoundInSet, StructureEngine, StructureEngineEvents } from '#arbitrage/structures/engine'
import { StructureRows } from '#arbitrage/structures/rows'
import { booksOf, type MarketSetInput, type StructureSets } from '#arbitrage/structures/sets'
import type { BookFeed } from '#core/books/sharedBookPublisher'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { StructureCounts, StructureRow } from '#schemas/structures'
import { type StructureFrame, surfaceBeatMs, surfaceTimeoutMs } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'

/** Rows changing within this time are sent together. */
const gatherMs = 5
const rowsPerMessage = 200
const setsPerStep = 8
const restartMsMin = 250
const restartMsMax = 30_000
/** After a worker has run this long, its next failure counts as unrelated: the restart delay starts over. */
const calmMs = 60_000

export interface StructureFeederOptions {
  bus: Pick<Bus, 'publish' | 'subscribe'>
  feed: Pick<BookFeed, 'slotOf'>
  createEngine(events: StructureEngineEvents): StructureEngine
  clock: Clock
  log: Log
  /** Unique per running process. */
  memberId: string
  /** Term of the lease while this process holds it; otherwise null. */
  term(): number | null
  /** Books for structures only, within a limit of their own that leaves the slots of clusters alone. */
  booksMax: number
  /** The set of needed books has changed. */
  booksChanged(): void
}

export interface StructureFeeder {
  /** The complete sets: replaces the previous ones. Unchanged sets are not searched again. */
  setSets(sets: StructureSets): void
  needs(venue: string, bookId: string): boolean
  touch(slot: number): void
  flush(): void
  /** Books without a slot may get one now: resubmits their sets for searching. */
  slotsFreed(): void
  counts(): StructureCounts
  /** Current number of structures. */
  readonly rows: number
  stop(): Promise<void>
}

const nothing: StructureSets = { sets: [], overLimit: 0, tooManyMarkets: 0, refused: [] }

export async function startStructureFeeder(options: StructureFeederOptions): Promise<StructureFeeder> {
  const { bus, feed, clock, log, memberId, booksMax, booksChanged } = options
  const rows = new StructureRows()
  const applying = new TimeSlicer(clock)
  const stateSlicer = new TimeSlicer(clock)
  let wanted: StructureSets = nothing
  let isWantedNew = false
  let applied = new Map<string, MarketSetInput>()
  let books = new Map<string, Set<string>>()
  let titles = new Map<string, string>()
  let overBooks = 0
  /** Names of sets with a book that has no slot. */
  const lacking = new Set<string>()
  const refusedSets = new Map<string, FoundInSet['refused']>()
  /** Sets searched by the running worker. */
  const searched = new Set<string>()
  /** The markets were read at least once: before that, an empty list means nothing. */
  let isGiven = false
  let lead: number | null = null
  let up = false
  let stateDue = true
  let n = 0
  let computedAt: number | null = null
  let gathering: Timer | null = null
  let restart: Timer | null = null
  let restartMs = restartMsMin
  let startedAt = clock.monotonic()
  let stopped = false
  /** When a gateway last reported readers. */
  let readAt = Number.NEGATIVE_INFINITY

  const counts = (): StructureCounts => ({
    sets: applied.size,
    markets: titles.size,
    searched: searched.size,
    complete: isGiven && searched.size === applied.size,
    overLimit: wanted.overLimit + overBooks,
    refusedSets: counted([
      ...[...refusedSets.values()].flatMap((refused) => refused.map(({ reason }) => reason)),
      ...Array.from({ length: wanted.tooManyMarkets }, () => 'too_many_markets'),
    ]),
    refusedMarkets: counted(wanted.refused.map(({ reason }) => reason)),
  })

  function send(message: Pick<StructureFrame, 'kind' | 'part' | 'rows' | 'removes'>): void {
    if (lead === null) return
    bus.publish('structureFrames', memberId, {
      term: lead,
      memberId,
      n: ++n,
      up,
      computedAt,
      counts: counts(),
      ...message,
    })
  }
  const whole = { i: 1, last: true }
  const beat = (): void => send({ kind: 'beat', part: whole, rows: [], removes: [] })

  /** In slices: rows that change meanwhile are sent alongside, and the last one sent wins. */
  function* state(): Generator<void, void, void> {
    let batch: StructureRow[] = []
    let i = 0
    for (const row of rows.all()) {
      if (batch.length === rowsPerMessage) {
        send({ kind: 'state', part: { i: ++i, last: false }, rows: batch, removes: [] })
        batch = []
        yield
      }
      batch.push(row)
    }
    send({ kind: 'state', part: { i: ++i, last: true }, rows: batch, removes: [] })
  }

  function publishChanges(times: boolean): void {
    const { upserts, removes } = rows.take({ times })
    if (upserts.length + removes.length > 0) {
      for (let from = 0; from === 0 || from < upserts.length; from += rowsPerMessage)
        send({
          kind: 'delta',
          part: whole,
          rows: upserts.slice(from, from + rowsPerMessage),
          removes: from === 0 ? removes : [],
        })
    } else if (times) beat()
    if (!stateDue || !up || stateSlicer.busy || stopped) return
    stateDue = false
    stateSlicer.run(state(), (error) => {
      if (error === null) return
      stateDue = true
      log.error({ err: error }, 'failed to publish the structure snapshot')
    })
  }

  const gather = (): void => {
    gathering ??= clock.after(gatherMs, () => {
      gathering = null
      publishChanges(false)
    })
  }

  const engine = options.createEngine({
    found(sets) {
      up = true
      computedAt = clock.now()
      for (const set of sets) {
        rows.put(set, (market) => titles.get(market) ?? market)
        if (set.searched) searched.add(set.name)
        if (set.refused.length > 0) refusedSets.set(set.name, set.refused)
        else refusedSets.delete(set.name)
      }
      if (rows.due) gather()
    },
    failed(reason) {
      log.warn({ reason }, 'structures worker stopped; no structures are shown until its next complete search')
      up = false
      stateDue = true
      rows.clear()
      rows.take({ times: true })
      refusedSets.clear()
      searched.clear()
      beat()
      if (clock.monotonic() - startedAt >= calmMs) restartMs = restartMsMin
      restart = clock.after(restartMs, () => {
        startedAt = clock.monotonic()
        engine.start()
      })
      restartMs = Math.min(2 * restartMs, restartMsMax)
    },
  })

  function* apply(sets: readonly MarketSetInput[]): Generator<void, void, void> {
    const next = new Map<string, MarketSetInput>()
    const nextBooks = new Map<string, Set<string>>()
    let booksCount = 0
    overBooks = 0
    for (const set of sets) {
      const own = booksOf(set)
      const added = own.filter(([venue, bookId]) => nextBooks.get(venue)?.has(bookId) !== true).length
      if (booksCount + added > booksMax) {
        overBooks++
        continue
      }
      booksCount += added
      for (const [venue, bookId] of own) {
        const venueBooks = nextBooks.get(venue)
        if (venueBooks === undefined) nextBooks.set(venue, new Set([bookId]))
        else venueBooks.add(bookId)
      }
      next.set(set.name, set)
    }
    yield
    for (const name of applied.keys()) {
      if (next.has(name)) continue
      engine.drop(name)
      rows.drop(name)
      refusedSets.delete(name)
      searched.delete(name)
      lacking.delete(name)
    }
    const before = applied
    applied = next
    isGiven = wanted !== nothing
    books = nextBooks
    titles = new Map([...next.values()].flatMap(({ facts }) => facts.map(({ market, title }) => [market.key, title])))
    let step = 0
    for (const set of next.values()) {
      if (++step % setsPerStep === 0) yield
      const held = before.get(set.name)
      const stayed = held !== undefined && (held === set || isDeepStrictEqual(held, set))
      if (stayed && !lacking.has(set.name)) continue
      const given = workerSet(set, feed.slotOf)
      if (isWhole(set, given)) lacking.delete(set.name)
      else lacking.add(set.name)
      searched.delete(set.name)
      engine.set(given)
    }
    engine.flush()
    booksChanged()
    if (rows.due) gather()
  }

  function applyNext(): void {
    if (!isWantedNew || applying.busy || stopped) return
    isWantedNew = false
    applying.run(apply(lead === null ? [] : wanted.sets), (error) => {
      if (error !== null) log.error({ err: error }, 'failed to load the markets of structures')
      applyNext()
    })
  }

  function look(): void {
    const term = options.term()
    if (term !== lead) {
      lead = term
      stateDue = true
      isWantedNew = true
      applyNext()
    }
    engine.setNoReaders(clock.monotonic() - readAt > surfaceTimeoutMs)
    publishChanges(true)
  }

  const unsubscribe = await bus.subscribe('structureAsks', ({ reading }) => {
    if (reading) {
      readAt = clock.monotonic()
      engine.setNoReaders(false)
      return
    }
    stateDue = true
    gather()
  })
  const beats = clock.every(surfaceBeatMs, look)
  engine.start()
  // An empty result is valid too.
  up = true
  look()

  return {
    setSets(sets) {
      wanted = sets
      isWantedNew = true
      applyNext()
    },
    needs: (venue, bookId) => books.get(venue)?.has(bookId) === true,
    touch: (slot) => engine.touch(slot),
    flush: () => engine.flush(),
    slotsFreed() {
      if (lacking.size === 0) return
      isWantedNew = true
      applyNext()
    },
    counts,
    get rows() {
      return rows.size
    },
    async stop() {
      if (stopped) return
      stopped = true
      beats.cancel()
      gathering?.cancel()
      restart?.cancel()
      applying.stop()
      stateSlicer.stop()
      await unsubscribe()
      await engine.stop()
    },
  }
}

function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
