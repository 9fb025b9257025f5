// A cluster of three brokers that are killed, or whose connections are cut or half-open, during writes. Every message
// of a complete topic is read once, in order per key, and live messages recover automatically.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { BookUpdate, CoverageEvent, TapeBatch } from '#schemas/topics'
import type { Bus, SharedTopic, TopicBatch } from '#storage/bus/bus'
import { createKafkaBus } from '#storage/kafka/kafkaBus'
import { type KafkaCluster, startKafka } from '#test/support/kafka/broker'
import { demandFor } from '#test/support/kafka/inbox'
import { hasKafka } from '#test/support/kafka/installed'

const isLong = process.env.CROSSBOOK_TEST_LONG === '1'
const crashes = isLong ? Number(process.env.CROSSBOOK_TEST_CRASHES ?? 50) : 1
const networkFaults = isLong ? 3 : 1
const messagesPerSecond = 800
const stepMs = 10
const outcomes = 40
/** Coprime to the number of outcomes, so that each outcome has books. */
const bookEvery = 21
/** Messages published during each fault. */
const perOutage = (isLong ? 5 : 2) * messagesPerSecond
const perNetworkFault = (isLong ? 35 : 5) * messagesPerSecond
/** One of this many new connections is half-open. */
const halfOpenEvery = isLong ? 7 : 3
/** Messages published before the next fault. */
const perCalm = messagesPerSecond / 2
/** How long a test waits for recovery. The promise is 15 s on a quiet machine. */
const backWithinMs = 60_000

const batchOf = (outcomeId: string, ts: number): TapeBatch => ({
  venue: 'kalshi',
  outcomeId,
  topOfBook: [{ venue: 'kalshi', outcomeId, ts, recvTs: ts, bidMicros: 1, bidSize: 1, askMicros: 2, askSize: 1 }],
  trades: [],
  books: [],
})
const eventOf = (outcomeId: string, at: number): CoverageEvent => ({
  ...{ venue: 'kalshi', outcomeId, kind: 'gap', mechanism: 'ws-lossless', effectiveIntervalMs: null, reason: '', at },
})
const bookOf = (marketId: string, seq: number): BookUpdate => ({
  ...{ venue: 'kalshi', marketId, state: 'live', seq, epoch: 1, eventTs: null, recvTs: seq, lastTradeMicros: null },
  core: Buffer.from('{"bids":[],"asks":[],"timestamp":1'),
})

/** Key → numbers in the order they were read. */
type Numbers = Map<string, number[]>

const note = (numbers: Numbers, key: string, n: number): void => {
  const known = numbers.get(key)
  if (known === undefined) numbers.set(key, [n])
  else known.push(n)
}
const countAll = (numbers: Numbers): number => [...numbers.values()].reduce((sum, list) => sum + list.length, 0)

describe.runIf(hasKafka)('three brokers', () => {
  let kafka: KafkaCluster
  const tape: Numbers = new Map()
  const coverage: Numbers = new Map()
  let published = 0
  /** The inboxes that books are sent to. */
  let inboxes = [0, 1, 2]
  const open = (clientId: string): Promise<Bus> =>
    createKafkaBus({ brokers: kafka.proxiedBrokers, clientId, clock: systemClock, log: silentLog })

  beforeAll(async () => {
    kafka = await startKafka({ count: 3, proxied: true })
  }, 240_000)
  afterAll(() => kafka?.stop(), 60_000)

  /** Publishes tape, coverage and books at a steady rate. */
  function startWriting(bus: Bus) {
    const waiting = new Map<number, () => void>()
    const timer = systemClock.every(stepMs, () => {
      for (let i = 0; i < (messagesPerSecond * stepMs) / 1_000; i++) {
        const n = published++
        const key = `o${n % outcomes}`
        bus.publish('tape', `kalshi:${key}`, batchOf(key, n))
        note(tape, key, n)
        if (n % 10 === 0) {
          bus.publish('coverage', `kalshi:${key}`, eventOf(key, n))
          note(coverage, key, n)
        }
        if (n % bookEvery === 0) bus.publish('books', `kalshi:${key}`, bookOf(key, n), inboxes)
        waiting.get(n)?.()
        waiting.delete(n)
      }
    })
    return {
      more: (messages: number): Promise<void> =>
        new Promise((resolve) => waiting.set(published + messages - 1, resolve)),
      stop: () => timer.cancel(),
    }
  }

  /** A new group reads everything published so far from the beginning of the topic. */
  async function readsAll<T extends SharedTopic>(
    topic: T,
    expected: Numbers,
    read: (value: TopicBatch<T>['values'][number]) => { key: string; n: number }[],
  ): Promise<void> {
    const reader = await open(`reader-${topic}`)
    const seen: Numbers = new Map()
    const stop = await reader.consume(topic, `whole-${topic}-${published}`, async ({ values }) => {
      for (const value of values) for (const { key, n } of read(value)) note(seen, key, n)
    })
    await vi.waitFor(() => expect(countAll(seen)).toBeGreaterThanOrEqual(countAll(expected)), {
      timeout: 120_000,
      interval: 200,
    })
    await stop()
    const { repeated, missing } = reader.figures()
    console.log(`${topic}: ${countAll(expected)} messages; in the log a second time: ${repeated}; missing: ${missing}`)
    await reader.close()
    expect(missing).toBe(0)
    expect(seen).toEqual(expected)
  }
  const readsEverything = async (): Promise<void> => {
    await readsAll('tape', tape, ({ outcomeId, topOfBook }) => topOfBook.map(({ ts }) => ({ key: outcomeId, n: ts })))
    await readsAll('coverage', coverage, ({ outcomeId, at }) => [{ key: outcomeId, n: at }])
  }

  it(
    'lose and duplicate nothing when one is killed',
    async () => {
      const bus = await open('writer')
      const writing = startWriting(bus)
      await writing.more(perCalm)
      for (let crash = 0; crash < crashes; crash++) {
        const index = crash % 3
        await kafka.kill(index)
        await writing.more(perOutage)
        await kafka.restart(index)
        await writing.more(perCalm)
      }
      writing.stop()
      await bus.close()
      await readsEverything()
    },
    180_000 + crashes * 60_000,
  )

  it(
    'recover writes and reads after all connections were cut and some new ones were half-open',
    async () => {
      const [bus, reader] = await Promise.all([open('writer'), open('gateway')])
      const read = new Map<string, number>()
      await reader.subscribe('books', ({ marketId, seq }) => {
        read.set(marketId, seq)
      })
      inboxes = [await demandFor(reader, bus, { gatewayId: 'gateway', venue: 'kalshi' })]
      const writing = startWriting(bus)
      await writing.more(perCalm)
      let connections = 0
      for (let fault = 0; fault < networkFaults; fault++) {
        for (const proxy of kafka.proxies) {
          proxy.isHalfOpen = () => ++connections % halfOpenEvery === 0
          proxy.cutAll()
        }
        await writing.more(perNetworkFault)
        const endedAt = systemClock.monotonic()
        // Connections that are half-open stay so.
        for (const proxy of kafka.proxies) proxy.isHalfOpen = () => false
        const halfOpen = kafka.proxies.reduce((sum, proxy) => sum + proxy.halfOpenCount(), 0)
        const since = published
        const deadline = { timeout: backWithinMs, interval: 100 }
        await Promise.all([
          bus.fence('kalshi', { epoch: fault + 1 }),
          vi.waitFor(() => {
            expect([...read.values()].filter((seq) => seq >= since).length).toBe(outcomes)
          }, deadline),
        ])
        const backMs = Math.round(systemClock.monotonic() - endedAt)
        console.log(`half-open when the fault ended: ${halfOpen}; written and read again after ${backMs} ms`)
      }
      writing.stop()
      await Promise.all([bus.close(), reader.close()])
      await readsEverything()
    },
    240_000 + networkFaults * 120_000,
  )
})
