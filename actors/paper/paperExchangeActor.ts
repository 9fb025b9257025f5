// Runs the paper exchange in one process of the deployment, under a lease: reads the working orders, passes books and trades to them, and stores
// what happens, in order. Any failure to store is treated like a crash: everything is read again from what is stored. Events of one order
// that the store refuses delay only that order (heldOrders.ts).
//
//   no lease ─► lease ─► read working orders ─► books, trades, time ─► events ─► stored ─┐
//      ▲                       ▲                                                         │
//      └─ lost ────────────────┴──────── not stored: forget all ◄────────────────────────┘
import { setImmediate } from 'node:timers/promises'
import { backoffMs } from '#core/backoff'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { createPasses, type PassResult } from '#core/passes'
import { ThrottledLog } from '#core/throttledLog'
import { PaperExchange, type PaperExchangeOptions, type WorkingMarket } from '#paper/exchange/index'
import type { Market } from '#schemas/market'
import type { BookUpdate, TradeUpdate } from '#schemas/topics'
import type { OrderEvents } from '#storage/postgres/paper/apply'
import { type PaperLease, PaperLeaseLost, paperLeaseMs } from '#storage/postgres/paper/lease'
import type { PaperOrderRow } from '#storage/postgres/paper/orderRow'
import { PaperEventsRefused, type PaperExchangeStore } from '#storage/postgres/paper/store'
import { EventQueue } from './eventQueue.ts'
import { HeldOrders } from './heldOrders.ts'
import { type Payout, payResolved } from './payResolved.ts'

/** Working orders are read again after a notification, and at least this often. */
const readEveryMs = 1_000
const renewEveryMs = Math.floor(paperLeaseMs / 3)
/** The pause between two passes: what happens meanwhile is stored together. */
const restAfterMs = 5
const retry = { baseMs: 100, capMs: 2_000 }
const rowsPerPage = 1_000
const marketsEveryMs = 15_000
const marketsPerRead = 500
/** An execution that was submitted this long ago is not on its way to the exchange any more. */
const unplacedAfterMs = 60_000
const unplacedPerSweep = 100
/** Events that wait for the database; with more of them, everything is read again. */
const waitingMax = 50_000

export interface PaperExchangeActorOptions extends PaperExchangeOptions {
  /** Unique per running process. */
  holder: string
  store: PaperExchangeStore
  /** The catalog's, by `venue:marketId`; those that are missing are unknown. */
  findMarkets(wanted: readonly WorkingMarket[]): Promise<ReadonlyMap<string, Market>>
  /** The venue pays resolved shares without a redemption. */
  paysItself(venue: string): boolean
  clock: Clock
  log: Log
}

export interface PaperExchangeStats {
  isRunning: boolean
  working: number
  waiting: number
  fills: number
  restarts: number
  /** Orders of which the events could not be stored. */
  held: number
  /** Times the events of one order could not be stored. */
  refused: number
}

export interface PaperExchangeActor {
  onBook(update: BookUpdate): void
  onTrade(update: TradeUpdate): void
  /** Orders have changed: read them soon. */
  ordersChanged(): void
  stats(): PaperExchangeStats
  stop(): Promise<void>
}

export function startPaperExchange(options: PaperExchangeActorOptions): PaperExchangeActor {
  const { store, holder, clock, log, findMarkets } = options
  const exchange = new PaperExchange(options)
  const queue = new EventQueue()
  const heldOrders = new HeldOrders(Math.random)
  const lines = new ThrottledLog(log, clock)
  let lease: PaperLease | null = null
  let renewAt = Number.NEGATIVE_INFINITY
  let readAt = Number.NEGATIVE_INFINITY
  let marketsAt = Number.NEGATIVE_INFINITY
  /** Where the payout of resolved markets continues; null: it is not under way. */
  let payout: Payout | null = null
  let failures = 0
  let fills = 0
  let restarts = 0
  let refused = 0
  let wake: Timer | null = null
  const passes = createPasses({ clock, isNeeded: () => true, pass })

  async function pass(): Promise<PassResult> {
    try {
      await holdLease()
      if (lease !== null) await work(lease)
      failures = 0
    } catch (error) {
      lines.warn({ err: error }, 'the paper exchange starts again from what is stored')
      forget()
      if (error instanceof PaperLeaseLost) lease = null
      // A renewal waits for the end of a transaction that may still commit: what is read after it is final.
      renewAt = Number.NEGATIVE_INFINITY
      return { restMs: backoffMs(failures++, retry, Math.random), again: true }
    }
    sleep()
    // Events that are left wait for their next try.
    return { restMs: restAfterMs, again: payout !== null }
  }

  async function holdLease(): Promise<void> {
    const now = clock.monotonic()
    if (now < renewAt) return
    const held = await store.hold(holder, lease?.term ?? null)
    renewAt = now + renewEveryMs
    // Another process may have matched since.
    if (held?.term !== lease?.term) forget()
    lease = held
  }

  async function work(held: PaperLease): Promise<void> {
    const now = clock.now()
    exchange.advance(now)
    collect()
    await storeWaiting(held)
    const at = clock.monotonic()
    if (at >= readAt) {
      readAt = at + readEveryMs
      const rows = await readWorking()
      heldOrders.keep(new Set(rows.map(({ execution_id }) => execution_id)))
      exchange.follow(
        rows.filter(({ execution_id }) => !heldOrders.isOut(execution_id, at)),
        clock.now(),
      )
      collect()
      await storeWaiting(held)
    }
    if (payout === null && at >= marketsAt) {
      marketsAt = at + marketsEveryMs
      await closeMarkets()
      await storeWaiting(held)
      payout = { after: null }
    }
    if (payout === null) return
    payout = await payResolved({ ...options, renew: () => renew(held), lines }, held, payout)
    if (payout !== null) return
    const nowMs = clock.now()
    const before = new Date(nowMs - unplacedAfterMs)
    await store.settleUnplaced(held, { before, now: new Date(nowMs), limit: unplacedPerSweep })
  }

  /** In the middle of work that may take longer than the lease. */
  async function renew(held: PaperLease): Promise<void> {
    const now = clock.monotonic()
    if (now < renewAt) return
    const renewed = await store.hold(holder, held.term)
    renewAt = now + renewEveryMs
    if (renewed?.term !== held.term) throw new PaperLeaseLost()
  }

  function collect(): void {
    queue.add(exchange.drain())
    if (queue.size > waitingMax) throw new Error('too many events of paper orders wait for the database')
  }

  async function storeWaiting(held: PaperLease): Promise<void> {
    for (;;) {
      const batch = queue.take((executionId) => heldOrders.waits(executionId, clock.monotonic()))
      if (batch.length === 0) return
      await renew(held)
      if ((await refusalOf(held, batch)) === null) continue
      for (const one of batch) {
        await renew(held)
        const refusal = await refusalOf(held, [one])
        if (refusal !== null) holdUp(one, refusal)
      }
    }
  }

  /** Why a batch was not stored; null: it was. */
  async function refusalOf(held: PaperLease, batch: readonly OrderEvents[]): Promise<PaperEventsRefused | null> {
    try {
      fills += (await store.apply(held, batch)).fills
    } catch (error) {
      if (error instanceof PaperEventsRefused) return error
      throw error
    }
    for (const { executionId } of batch) heldOrders.stored(executionId)
    return null
  }

  function holdUp(one: OrderEvents, refusal: PaperEventsRefused): void {
    const { executionId } = one
    refused++
    queue.putBack(one)
    lines.warn({ err: refusal, executionId }, 'events of a paper order could not be stored: they are tried again')
    if (!heldOrders.refuse(executionId, clock.monotonic())) return
    collect()
    exchange.forget(executionId, clock.now())
    const events = queue.giveUp(executionId).flatMap((item) => item.events)
    log.error(
      { err: refusal, executionId, events },
      'events of a paper order were given up: the order is read again from what is stored',
    )
  }

  async function readWorking(): Promise<PaperOrderRow[]> {
    const rows: PaperOrderRow[] = []
    for (;;) {
      const page = await store.listWorking({ after: rows.at(-1)?.seq ?? '0', limit: rowsPerPage })
      rows.push(...page)
      if (page.length < rowsPerPage) return rows
      await setImmediate()
    }
  }

  /** Orders in a market that has ended cannot fill any more. */
  async function closeMarkets(): Promise<void> {
    const wanted = exchange.markets()
    for (let i = 0; i < wanted.length; i += marketsPerRead) {
      const part = wanted.slice(i, i + marketsPerRead)
      const found = await findMarkets(part)
      for (const market of part) {
        const status = found.get(`${market.venue}:${market.marketId}`)?.status
        if (status === undefined || !endStatuses.has(status)) continue
        // First what happened before.
        collect()
        exchange.closeMarket(market, clock.now())
      }
    }
    collect()
  }

  /** What is stored is read again. */
  function forget(): void {
    if (exchange.workingCount > 0 || queue.size > 0) restarts++
    exchange.clear()
    queue.clear()
    payout = null
    readAt = Number.NEGATIVE_INFINITY
  }

  /** Until an order arrives at its book, or expires. `ticking` requests a pass anyway; a timer of more than 24 days would fire at once. */
  function sleep(): void {
    wake?.cancel()
    const next = exchange.nextAt()
    wake = next === null ? null : clock.after(Math.min(readEveryMs, Math.max(0, next - clock.now())), passes.request)
  }

  const ticking = clock.every(Math.min(readEveryMs, renewEveryMs), passes.request)
  passes.request()

  return {
    onBook(update) {
      if (lease === null) return
      exchange.onBook(update, clock.now())
      if (exchange.workingCount > 0) passes.request()
    },
    onTrade(update) {
      if (lease === null) return
      exchange.onTrade(update, clock.now())
      if (exchange.workingCount > 0) passes.request()
    },
    ordersChanged() {
      readAt = Number.NEGATIVE_INFINITY
      passes.request()
    },
    stats: () => ({
      isRunning: lease !== null,
      working: exchange.workingCount,
      waiting: queue.size,
      fills,
      restarts,
      held: heldOrders.size,
      refused,
    }),
    async stop() {
      ticking.cancel()
      await passes.stop()
      wake?.cancel()
      const held = lease
      lease = null
      exchange.clear()
      if (held === null) return
      await store
        .release(held)
        .catch((error: unknown) => log.warn({ err: error }, 'failed to release the paper exchange'))
    },
  }
}

/** Of a market that takes no orders any more. One that is only paused may open again. */
const endStatuses: ReadonlySet<string> = new Set(['closed', 'resolved', 'archived'])
