// Conditional orders as they run in service, on a real PostgreSQL with fsync and a trigger worker thread: time from arming an order until
// it is watched, from a book change until its row says `triggered`, and until its relay begins, with 100,000 armed orders and 1,000 book
// changes a second.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Firing } from '#actors/firing/conditionalSubmitActor'
import { startWarmup } from '#actors/firing/warmup'
import { start, stop } from '#actors/system'
import { spawnTriggers, type TriggersActor } from '#actors/triggers/triggersActor'
import { VenueOwners } from '#core/books/epochFencing'
import { createArena } from '#core/books/shared/index'
import { BookFeed } from '#core/books/sharedBookPublisher'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { TriggerRule } from '#schemas/conditional'
import type { WatchedOrder } from '#storage/postgres/conditional/find'
import { startEmbeddedPostgres } from '#storage/postgres/embedded'
import { migrate } from '#storage/postgres/migrate'
import { listen } from '#storage/postgres/orderChanges/listen'
import { orderChangesChannel } from '#storage/postgres/orderChanges/notify'
import { createPool, inTransaction, type Pool } from '#storage/postgres/pool'
import { MemoryBus } from '#test/src/stream/support'
import { openConditionalOrders } from '#test/support/conditional/book'
import { sealedText } from '#test/support/conditional/submitFixture'
import { triggerEngine } from '#workers/triggerEngine'
import { type Bench, type BenchResult, costResult, figure, fullOrShort } from './bench.ts'
import { armResting, fireAt, orderStatesOf, relayingLane } from './firedOrders.ts'

const resting = fullOrShort(100_000, 1_000)
const books = fullOrShort(2_000, 100)
const changesPerSecond = 1_000
const firesPerSecond = 10
const armings = fullOrShort(200, 5)
const firings = fullOrShort(300, 12)
const slots = 4_096
const roundsMax = 50
/** Waiting longer is pointless. */
const patienceMs = 120_000

const rule: TriggerRule = {
  when: 'at_or_above',
  price: 0.6,
  reference: 'bid',
  confirmations: 2,
  dwellMs: 1,
  maxSpread: 0.1,
  minSize: 1,
}
const inAnHour = (): Date => new Date(systemClock.now() + 3_600_000)

function quantile(values: Iterable<number>, q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!
}

/** The time of two commits here and now that write almost nothing, one after the other: firing an order takes two as well. */
async function commitTwice(pool: Pool): Promise<number> {
  const begun = systemClock.monotonic()
  for (let i = 0; i < 2; i++)
    await inTransaction(pool, (client) => client.query('INSERT INTO bare_commits (v) VALUES (1)'))
  return systemClock.monotonic() - begun
}

type DescribeState = () => unknown

/** `lacking`: the state to report on failure. */
async function until(isSo: () => boolean, lacking: DescribeState): Promise<void> {
  const deadline = systemClock.monotonic() + patienceMs
  while (!isSo()) {
    if (systemClock.monotonic() > deadline)
      throw new Error(`timed out waiting for ${isSo}; state: ${JSON.stringify(await lacking())}`)
    await sleep(1)
  }
}

async function run(): Promise<BenchResult[]> {
  const name = 'triggers.service'
  const dataDir = await mkdtemp(join(tmpdir(), 'crossbook-bench-'))
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const pool = createPool({ url: server.url, log: silentLog, statementTimeoutMs: 60_000 })
  const system = start()
  const bus = new MemoryBus()
  const arena = createArena(slots)
  const feed = new BookFeed(arena, (slot) => triggers.touch(slot), systemClock)
  const sent = new Map<string, number>()
  /** By outcome: latency to its first trigger, and to its relay. */
  const took = new Map<string, number>()
  const relayed = new Map<string, number>()
  const bare: number[] = []
  const bookOf = new Map<string, string>()
  let triggers: TriggersActor
  let firing: Firing
  try {
    await migrate(pool, silentLog)
    await pool.query('CREATE TABLE bare_commits (v integer)')
    const book = await openConditionalOrders(pool)
    await armResting(pool, book.accountId, { resting, books, rule: { ...rule, price: 0.9 }, until: inAnHour() })
    const sinceSent = (outcomeId: string): number => systemClock.monotonic() - sent.get(outcomeId)!
    const lane = relayingLane((id) => relayed.set(bookOf.get(id)!, sinceSent(bookOf.get(id)!)))
    const hasTriggered = ({ outcome_id: outcomeId }: { outcome_id: string }): void => {
      if (!took.has(outcomeId)) took.set(outcomeId, sinceSent(outcomeId))
    }
    const fires = fireAt(system, pool, lane, book.store)
    firing = fires.firing
    const warmup = startWarmup({ fire: fires.warmUp, clock: systemClock, log: silentLog })
    const begun = systemClock.monotonic()
    triggers = await spawnTriggers(system, {
      bus,
      store: {
        ...book.store,
        async triggerUnlessRecalled(...given) {
          const made = await book.store.triggerUnlessRecalled(...given)
          for (const row of made?.rows ?? []) hasTriggered(row)
          return made
        },
      },
      sourcesOf: async (orders: readonly WatchedOrder[]) =>
        orders.map(({ outcome_id }) => ({ bookId: outcome_id, complement: false })),
      feed,
      createEngine: triggerEngine({ arena, slots, clock: systemClock }),
      owners: new VenueOwners(systemClock),
      demandId: 'triggers-bench',
      fires: firing,
      clock: systemClock,
      log: silentLog,
    })
    const listener = listen({
      pool,
      channel: orderChangesChannel,
      clock: systemClock,
      log: silentLog,
      onWake: () => triggers.ordersChanged(),
    })
    const watched: DescribeState = () => triggers.stats()
    await until(() => triggers.stats().held === resting, watched)
    const loadedMs = systemClock.monotonic() - begun
    let seq = 0
    const publishBook = (marketId: string, bid: string, ask: string): void => {
      const now = systemClock.now()
      bus.book({
        venue: 'lab',
        marketId,
        state: 'live',
        seq: ++seq,
        epoch: 1,
        eventTs: now,
        recvTs: now,
        core: Buffer.from(`{"bids":[{"price":${bid},"size":9}],"asks":[{"price":${ask},"size":9}],"timestamp":1`),
        lastTradeMicros: null,
      })
    }
    const everyMs = 4
    let turn = 0
    const flow = systemClock.every(everyMs, () => {
      for (let i = 0; i < (changesPerSecond * everyMs) / 1_000; i++)
        publishBook(`book${turn++ % books}`, turn % 2 === 0 ? '0.5' : '0.51', '0.52')
    })

    const armed: number[] = []
    for (let i = 0; i < armings; i++) {
      const held = triggers.stats().held
      await book.arm({
        fireMode: 'client',
        outcomeId: `book${i}`,
        trigger: { ...rule, price: 0.95 },
        expiresAt: inAnHour(),
      })
      const at = systemClock.monotonic()
      await until(() => triggers.stats().held > held, watched)
      armed.push(systemClock.monotonic() - at)
      await sleep((i * 37) % 250)
    }

    for (let i = 0; i < firings; i++) {
      const outcomeId = `fires${i}`
      const wanted = { outcomeId, trigger: rule, expiresAt: inAnHour(), artifact: sealedText() }
      bookOf.set((await book.arm(wanted)).execution_id, outcomeId)
    }
    // As after a build: its dollars are known and reserved.
    await pool.query('UPDATE executions SET notional_usd = 1, held_usd = 1 WHERE id = ANY ($1::uuid[])', [
      [...bookOf.keys()],
    ])
    await until(() => triggers.stats().held === resting + armings + firings, watched)
    // The initial state of a book triggers nothing.
    for (let i = 0; i < firings; i++) publishBook(`fires${i}`, '0.5', '0.51')
    await sleep(200)
    for (let i = 0; i < firings; i++) {
      publishBook(`fires${i}`, '0.61', '0.62')
      await sleep(10)
      sent.set(`fires${i}`, systemClock.monotonic())
      publishBook(`fires${i}`, '0.62', '0.63')
      await sleep(500 / firesPerSecond - 10)
      bare.push(await commitTwice(pool))
      await sleep(500 / firesPerSecond)
    }
    // A delayed thread reads two changes as one sample: such an order is measured from the change that decides.
    for (let round = 0; round < roundsMax && took.size < firings; round++) {
      for (const outcomeId of bookOf.values()) {
        if (took.has(outcomeId)) continue
        sent.set(outcomeId, systemClock.monotonic())
        publishBook(outcomeId, round % 2 === 0 ? '0.61' : '0.62', '0.63')
      }
      await sleep(200)
    }
    const fired: DescribeState = async () => ({
      triggered: took.size,
      relayed: relayed.size,
      triggers: triggers.stats(),
      firing: firing.stats(),
      orders: await orderStatesOf(pool, bookOf.keys()),
    })
    // No order is rejected here; if one is, do not wait for it.
    await until(() => firing.stats().fire_failed > 0 || (took.size === firings && relayed.size === firings), fired)
    if (relayed.size < firings) throw new Error(`not all were fired: ${JSON.stringify(await fired())}`)
    flow.cancel()
    await listener.stop()
    await triggers.stop()
    await firing.stop()
    await warmup.stop()
    const busy = `${resting} armed, ${changesPerSecond} changes a second`
    const firingToo = `${busy}, ${firesPerSecond} of them firing`
    return [
      figure(name, `all of ${resting} armed orders read after a start`, 'ms', loadedMs),
      figure(name, `armed to watched, ${busy}, p50`, 'ms', quantile(armed, 0.5)),
      figure(name, `armed to watched, ${busy}, p99`, 'ms', quantile(armed, 0.99)),
      figure(name, `book change to the row that says triggered, ${firingToo}, p50`, 'ms', quantile(took.values(), 0.5)),
      figure(
        name,
        `book change to the row that says triggered, ${firingToo}, p99`,
        'ms',
        quantile(took.values(), 0.99),
      ),
      ...[0.5, 0.99].map((q) => {
        const metric = `book change to relay sent, ${firingToo}, p${q * 100}`
        const took = quantile(relayed.values(), q)
        return costResult(name, metric, 'ms', took, 'two bare commits in the same period', quantile(bare, q))
      }),
    ]
  } finally {
    stop(system)
    await pool.end()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

export const benches: readonly Bench[] = [{ name: 'triggers.service', run }]
