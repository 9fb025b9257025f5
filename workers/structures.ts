// The structures' thread: sets of markets arrive by message, changed books by a ring of slots, and results go back by message, at most one in
// transit. Groups are processed one at a time, so that books which change meanwhile are seen before the next one.
import { receiveMessageOnPort } from 'node:worker_threads'
import type { WorkerSet } from '#arbitrage/structures/candidateSet'
import { compileStructures, StructureSurface } from '#arbitrage/structures/index'
import { PublishedSets } from '#arbitrage/structures/publishedSets'
import { SharedAskLadders } from '#arbitrage/structures/sharedAskLadders'
import { RingConsumer } from '#core/books/shared/index'
import { controlWordIndex, idleMs, type ThreadTask } from './workerProtocol.ts'

/** int32 words shared by both threads. */
export const control = {
  /** 1 while a message with results is in transit. */
  resultPending: controlWordIndex.free,
  /** 1 while there are no readers of the results. */
  noReaders: controlWordIndex.free + 1,
} as const

/** Smallest edge reported, micro-dollars. */
const leastEdge = 10_000
/** Largest size, hundredths of a contract. */
export const unitsMax = 100_000
/** While nothing changes, an empty result confirms the unchanged state this often. */
const quietMs = 250
/** Without readers, a search is followed by a pause this many times as long: constantly moving books would otherwise keep it busy. */
const idleFactor = 99
/** During a pause, changed books are read this often and wake no thread: waking this one for each would also cost the sender. */
const pollWhileIdleMs = 25
/** After a new set arrives, the search does not pause for this long. */
const newSetMs = 5_000
/** Structures per group. */
const rowsMax = 2

export type StructureCommand = { kind: 'set'; set: WorkerSet } | { kind: 'drop'; name: string } | { kind: 'pass' }

export default function structures({ arena, control: memory, books, port }: ThreadTask): void {
  const words = new Int32Array(memory)
  const onProgress = (): void => void Atomics.add(words, controlWordIndex.beat, 1)
  const options = { leastEdge, unitsMax, rowsMax, onProgress }
  const dirty = new RingConsumer(books)
  const offers = new SharedAskLadders(arena, unitsMax)
  const surface = new StructureSurface(null, offers.offersOf, options)
  const publishedSets = new PublishedSets(offers.currentOffers)
  let publishedAt = Number.NEGATIVE_INFINITY
  let pausedUntil = 0
  let newUntil = 0
  /** Reported structures that can no longer be bought are withdrawn before any search. */
  const changed = (market: string): void => {
    surface.dirty(market)
    for (const name of surface.setsOf(market)) publishedSets.check(name, market)
  }
  const visit = (slot: number): void => {
    for (const market of offers.marketsOf(slot)) changed(market)
  }

  const handle = (command: StructureCommand): void => {
    if (command.kind === 'set') {
      const { name, markets, relations } = command.set
      newUntil = performance.now() + newSetMs
      // Anything found in it from now on is new.
      publishedSets.drop(name)
      offers.set(command.set)
      surface.set(
        name,
        compileStructures(
          markets.map(({ market }) => market),
          relations,
          onProgress,
        ),
      )
    } else if (command.kind === 'drop') {
      surface.drop(command.name)
      offers.drop(command.name)
      publishedSets.drop(command.name)
    } else for (const market of offers.markets()) changed(market)
  }

  const publish = (): void => {
    for (const name of surface.takeSearched()) publishedSets.markSearched(name)
    if (!publishedSets.due || Atomics.load(words, control.resultPending) === 1) return
    const sets = publishedSets.take((name) => (surface.isOutOfDate(name) ? null : { name, ...surface.found(name) }))
    const now = performance.now()
    // The unchanged state is confirmed regularly, so that readers know how current it is.
    if (sets.length === 0 && now - publishedAt < quietMs) return
    publishedAt = now
    Atomics.store(words, control.resultPending, 1)
    port.postMessage(sets)
  }

  while (Atomics.load(words, controlWordIndex.stop) === 0) {
    onProgress()
    const next = receiveMessageOnPort(port)
    if (next !== undefined) handle(next.message as StructureCommand)
    dirty.drain(visit)
    if (publishedSets.due) publish()
    const from = performance.now()
    const mayPause = Atomics.load(words, control.noReaders) === 1 && from >= newUntil
    const isPausing = mayPause && from < pausedUntil
    if (!isPausing) {
      surface.recomputeSet()
      const now = performance.now()
      pausedUntil = now + idleFactor * (now - from)
    }
    publish()
    // Only now: a constantly changing book must not delay withdrawals of structures that depend on it.
    for (const market of offers.takeBusy()) changed(market)
    // A result waiting for the previous message is sent within a moment.
    if (next !== undefined || (surface.due > 0 && !isPausing)) continue
    if (isPausing) Atomics.wait(words, control.noReaders, 1, publishedSets.due ? pollWhileIdleMs / 5 : pollWhileIdleMs)
    else dirty.wait(publishedSets.due ? 1 : idleMs)
  }
  port.close()
}
