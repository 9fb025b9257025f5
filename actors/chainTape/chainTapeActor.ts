// Reads one venue's trades from its chain, for venues that publish none. Confirmed trades are streamed and recorded like the venue's own;
// trades that the chain reverts are logged and withdrawn from the tape.
//
// stored position ─► scan ─► trades ─► stream and tape ─► position stored ─► scan …
//                     └─ block replaced ─► withdrawn, read again from the fork
import type { TradePublisher } from '#actors/ingest/tradePublisher'
import { type Actor, spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'
import type { ChainNode } from '#net/chainNode'
import { RpcRefusal } from '#net/rpc'
import type { Market } from '#schemas/market'
import type { TradeUpdate } from '#schemas/topics'
import type { ChainTrades } from '#venues/venue'
import { topicsOf, tradeOfLog } from './decode.ts'
import { Latency } from './finalityLag.ts'
import { beforePublish, type Position, type PublishedTrade } from './position.ts'
import { type Slot, type SuspectReason, scan } from './scan.ts'
import { type ChainTapeEffect, type ChainTapeMessage, initialChainTapeState, stepChainTape } from './step.ts'
import { WatchedContracts } from './watchedContracts.ts'

export interface ChainTapeStore {
  load(): Promise<Position | null>
  save(position: Position): Promise<void>
}

export interface ChainTapeOptions {
  venue: string
  /** The epoch of the owner it publishes for. */
  epoch: number
  chain: ChainTrades
  node: ChainNode
  store: ChainTapeStore
  publisher: TradePublisher
  findMarket(bookId: string): Promise<Market | null>
  random(): number
  clock: Clock
  log: Log
}

/** Trades of older blocks go to the tape only. */
const lateMs = 300_000
/** A chain unread for longer than this is read from its current head. */
const catchUpMaxMs = 86_400_000
/** How often coverage of a quiet market is reported. */
const coverEveryMs = 15_000

const unkept = 'failed to store the chain position'

type PublishedUpdate = PublishedTrade & { update: TradeUpdate }

export interface ChainTape {
  actor: Actor<ChainTapeMessage>
  stop(): Promise<void>
}

export function spawnChainTape(parent: Supervisor, options: ChainTapeOptions): ChainTape {
  const { venue, chain, node, store, publisher, clock, log } = options
  const topics = topicsOf(chain)
  const lines = new ThrottledLog(log, clock)
  const watched = new WatchedContracts({
    findMarket: options.findMarket,
    contractsOf: chain.contractsOf,
    clock,
    onFailure: (err) => lines.warn({ venue, err }, 'failed to read from the catalog which contracts to watch'),
  })
  const latency = new Latency()
  let position: Position | null = null
  let suspect: SuspectReason | null = null
  /** Time up to which each book was last reported covered. */
  const covered = new Map<string, number>()
  /** Time up to which all of them were last reported covered. */
  let allCoveredUntil = 0
  publisher.latency(null)
  let timer: Timer | null = null
  let running: Promise<void> = Promise.resolve()
  let stopped = false

  async function prepare(): Promise<void> {
    position = await store.load()
    if (position === null) return
    const behind = (await node.head()) - position.next
    if (behind * chain.blockMs <= catchUpMaxMs) return
    log.warn({ venue, blocks: behind }, 'the chain position is too old; reading continues at the current head')
    position = null
  }

  async function turn(span: number): Promise<Slot<PublishedUpdate>['kind'] | 'more'> {
    const books = await watched.look(publisher.books())
    const { addresses } = watched
    const from = { position, suspect, span, addresses, topics, confirmations: chain.confirmations }
    const result = await scan<PublishedUpdate>(node, from, (log, block) => {
      const recvTs = clock.now()
      try {
        const update = tradeOfLog({ venue, chain, recvTs }, watched.of(log.address), log, block)
        return update && { id: update.data.id, outcomeId: update.outcomeId, update }
      } catch (error) {
        lines.warn({ venue, transaction: log.transactionHash, err: error }, 'a log does not match its topic')
        return null
      }
    })
    if (stopped || !(await publisher.ready())) return 'waiting'
    suspect = result.kind === 'doubt' ? result.suspect : null
    if (result.kind === 'rolledBack') await withdraw(result, books)
    if (result.kind !== 'read') return result.kind === 'rolledBack' ? 'more' : result.kind
    await keep(beforePublish(position, result.position))
    const now = clock.now()
    for (const { update } of result.trades) publisher.publish(update, now - update.data.timestamp > lateMs)
    cover(books, result.reached.timestampMs)
    if (result.isAtHead) publisher.latency(latency.note(now - result.reached.timestampMs))
    if (await publisher.flush()) position = result.position
    return result.isAtHead ? 'read' : 'more'
  }

  async function withdraw(
    result: Extract<Slot<PublishedUpdate>, { kind: 'rolledBack' }>,
    books: readonly string[],
  ): Promise<void> {
    for (const { id, outcomeId } of result.withdrawn) {
      log.warn({ venue, outcomeId, trade: id }, 'trade withdrawn: its block left the chain')
      publisher.withdraw({ venue, outcomeId, tradeId: id, at: clock.now() })
    }
    if (result.isLost) {
      log.error({ venue }, 'the chain reorganized deeper than is remembered; trades published before may be void')
      for (const bookId of books) publisher.gap(bookId, 'the chain reorganized deeper than is remembered')
    }
    if (await publisher.flush()) position = result.position
  }

  /** Without a store trades are published as usual: a restart then repeats more of them. */
  async function keep(reached: Position): Promise<void> {
    await store.save(reached).catch((err: unknown) => lines.warn({ venue, err }, unkept))
  }

  function cover(books: readonly string[], until: number): void {
    for (const bookId of covered.keys()) if (!books.includes(bookId)) covered.delete(bookId)
    for (const bookId of books) {
      if (until - (covered.get(bookId) ?? 0) < coverEveryMs) continue
      covered.set(bookId, until)
      publisher.publishedUntil(bookId, until)
    }
    if (books.length === 0 || until - allCoveredUntil < coverEveryMs) return
    allCoveredUntil = until
    publisher.allPublishedUntil(until)
  }

  async function run(effect: Exclude<ChainTapeEffect, { kind: 'dueIn' }>): Promise<void> {
    try {
      if (effect.kind === 'prepare') {
        await prepare()
        actor.send({ kind: 'ready' })
        return
      }
      const kind = await turn(effect.span)
      if (kind === 'behind') lines.warn({ venue }, 'the node is behind blocks that were already read')
      actor.send({ kind: 'done', result: kind === 'read' ? 'atHead' : kind === 'rolledBack' ? 'more' : kind })
    } catch (error) {
      if (!stopped) lines.warn({ venue, err: error }, 'failed to read the chain; will retry')
      actor.send({ kind: 'failed', isRefusal: error instanceof RpcRefusal })
    }
  }

  function perform(effect: ChainTapeEffect): void {
    if (stopped) return
    if (effect.kind !== 'dueIn') {
      running = run(effect)
      return
    }
    timer?.cancel()
    timer = clock.after(effect.delayMs, () => actor.send({ kind: 'due' }))
  }

  const actor = spawnActor(
    parent,
    {
      name: `chain tape ${venue} ${options.epoch}`,
      initial: initialChainTapeState,
      step: (state, message: ChainTapeMessage) =>
        stepChainTape({ blockMs: chain.blockMs, random: options.random }, state, message),
      perform,
      start: { kind: 'start' },
      release: () => timer?.cancel(),
    },
    { clock, log },
  )
  return {
    actor,
    async stop() {
      stopped = true
      timer?.cancel()
      actor.stop()
      await running
      if (position !== null) await keep(position)
    },
  }
}
