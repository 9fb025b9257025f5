// Prices of a venue's pools, read on chain for their subscribers: the logs of all watched contracts every few seconds, then the prices of
// the contracts they touched, in one call at the block up to which logs were read. If a log leaves the chain, its pool is read again. While
// no node responds, nothing is published.
//
// head ─► logs of the newest blocks ─► new or gone? ─► prices of their pools, of unread ones, of long unread ones ─► published
import { decodeEventLog, type Hex, toEventSelector } from 'viem'
import { PeriodicTask } from '#actors/runtime/interval'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'
import type { OnPrices } from '#marketData/optionPrices/prices'
import type { ChainLog, ChainNode } from '#net/chainNode'
import { RpcRefusal } from '#net/rpc'
import type { PriceTrigger } from '#schemas/optionPrices'
import type { PriceChain, PricedPool } from '#venues/optionPrices'
import { ChainLogs } from './chainLogs.ts'
import { PriceBoard } from './priceCache.ts'

/** Minimum interval, however fast the chain's blocks come. */
const everyMs = 3_000
/** Reread interval regardless of logs: prices may change in ways that we do not know of. */
const rereadMs = 60_000
/** Per process: two calls for their logs. */
const poolsMax = 200
/** A node that stays behind this long is accepted. */
const behindMs = 60_000

export interface ChainPricesOptions {
  venue: string
  chain: PriceChain
  /** For one pass. */
  node(): ChainNode
  clock: Clock
  log: Log
}

export class ChainPrices {
  private readonly options: ChainPricesOptions
  private readonly board: PriceBoard
  private readonly repeat: PeriodicTask
  private readonly lines: ThrottledLog
  private readonly logs: ChainLogs
  private readonly topics: string[]
  /** When a pass last completed, on the monotonic clock. */
  private doneAt: number | null = null

  constructor(options: ChainPricesOptions) {
    const { chain, clock, log } = options
    this.options = options
    this.lines = new ThrottledLog(log, clock)
    this.board = new PriceBoard(clock)
    this.logs = new ChainLogs(chain.confirmations)
    this.topics = chain.events.map((event) => toEventSelector(event))
    this.repeat = new PeriodicTask({ clock, everyMs, isWanted: () => this.board.size > 0, run: () => this.look() })
  }

  /** Pools with listeners. */
  get watched(): number {
    return this.board.size
  }

  hasCapacity(pool: PricedPool): boolean {
    return this.board.has(pool) || this.board.size < poolsMax
  }

  watch(pool: PricedPool, onPrices: OnPrices): () => void {
    const end = this.board.watch(pool, onPrices)
    this.repeat.begin()
    return end
  }

  stop(): void {
    this.repeat.stop()
  }

  private async look(): Promise<void> {
    const { venue, node, clock } = this.options
    try {
      if (await this.turn(node())) this.doneAt = clock.monotonic()
      else if (clock.monotonic() - (this.doneAt ?? 0) > behindMs) this.logs.forget()
    } catch (err) {
      // A range may be more than a node answers: the next one is as short as possible.
      if (err instanceof RpcRefusal) this.logs.forget()
      this.lines.warn({ venue, err }, 'failed to read option prices from the chain; will retry')
    }
  }

  /** False when the node is behind. */
  private async turn(node: ChainNode): Promise<boolean> {
    const { chain, clock } = this.options
    const { pools } = this.board
    const head = await node.latest()
    const range = this.logs.range(head.number)
    if (range === null) return false
    const contracts = [...new Set(pools.flatMap(({ contract }) => contract ?? []))].sort()
    const logs = await node.logs({ ...range, addresses: contracts, topics: this.topics })
    const { fresh, gone } = this.logs.changes(logs, contracts)
    const touched = this.concerned(pools, [...fresh, ...gone])
    const now = clock.monotonic()
    const due = pools.filter((pool) => {
      const readAt = this.board.readAt(pool)
      return touched.has(pool) || range.startsOver || readAt === null || now - readAt >= rereadMs
    })
    const read = due.length === 0 ? [] : await chain.fetch(node, due, head.number)
    this.logs.keep(range, logs)
    const causes = this.concerned(pools, logs)
    for (const [n, pool] of due.entries()) {
      const triggeredBy = touched.has(pool) ? (causes.get(pool) ?? null) : null
      this.board.put(pool, { prices: read[n]!, triggeredBy, asOfMs: head.timestampMs }, touched.has(pool))
    }
    this.board.confirm()
    return true
  }

  /** Pools that logs are about, each with the last of them. */
  private concerned(pools: readonly PricedPool[], logs: readonly ChainLog[]): Map<PricedPool, PriceTrigger> {
    const { chain, venue } = this.options
    const found = new Map<PricedPool, PriceTrigger>()
    const byContract = Map.groupBy(pools, ({ contract }) => contract)
    for (const log of logs) {
      try {
        const { eventName, args } = decodeEventLog({
          abi: chain.events,
          data: log.data as Hex,
          topics: log.topics as [Hex, ...Hex[]],
          strict: true,
        })
        const event = { name: eventName, args: (args ?? {}) as Readonly<Record<string, unknown>> }
        const { transactionHash, blockNumber, logIndex } = log
        for (const pool of byContract.get(log.address) ?? []) {
          if (chain.concerns(pool, event)) found.set(pool, { eventName, transactionHash, blockNumber, logIndex })
        }
      } catch (err) {
        this.lines.warn({ venue, transaction: log.transactionHash, err }, 'a log does not match its topic')
      }
    }
    return found
  }
}
