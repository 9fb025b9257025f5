import { fork } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import kafkajs, { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type BookUpdate, type TapeBatch, type TradeUpdate, topics } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import { createKafkaBus } from '#storage/kafka/kafkaBus'
import { type KafkaCluster, startKafka } from '#test/support/kafka/broker'
import { demandFor } from '#test/support/kafka/inbox'
import { hasKafka } from '#test/support/kafka/installed'

let kafka: KafkaCluster
let bus: Bus
const open = (clientId: string): Promise<Bus> =>
  createKafkaBus({ brokers: kafka.brokers, clientId, clock: systemClock, log: silentLog })

const home = mkdtempSync(join(tmpdir(), 'crossbook-bus-'))
/** Bytes that the broker stores for the tape topic. */
const tapeBytes = (): number =>
  readdirSync(join(home, 'data-0'))
    .filter((name) => name.startsWith(topics.tape.name))
    .flatMap((name) => readdirSync(join(home, 'data-0', name)).map((file) => join(home, 'data-0', name, file)))
    .filter((path) => path.endsWith('.log'))
    .reduce((sum, path) => sum + statSync(path).size, 0)

beforeAll(async () => {
  kafka = await startKafka({ dir: home })
  bus = await open('producer')
}, 120_000)
afterAll(async () => {
  await bus?.close()
  await kafka?.stop()
  rmSync(home, { recursive: true, force: true })
}, 60_000)

const batchOf = (outcomeId: string, ts: number): TapeBatch => ({
  venue: 'kalshi',
  outcomeId,
  topOfBook: [{ venue: 'kalshi', outcomeId, ts, recvTs: ts, bidMicros: 1, bidSize: 1, askMicros: 2, askSize: 1 }],
  trades: [],
  books: [],
})

const tradeOf = (marketId: string): TradeUpdate => ({
  venue: 'kalshi',
  marketId,
  outcomeId: marketId,
  recvTs: 1,
  data: {
    id: marketId,
    time: '2026-01-01T00:00:00.000Z',
    timestamp: 1,
    type: 'Buy',
    usd: null,
    outcome: null,
    outcomeIndex: null,
    shares: 1,
    price: null,
    maker: null,
    transactionHash: null,
    wallet: null,
    counterparty: null,
  },
})

const book: BookUpdate = {
  venue: 'kalshi',
  marketId: 'Ä/B',
  state: 'live',
  seq: 1,
  epoch: 2,
  eventTs: null,
  recvTs: 3,
  core: Buffer.from('{"bids":[{"price":0.41,"size":5}],"asks":[],"timestamp":1'),
  lastTradeMicros: null,
}

describe.runIf(hasKafka)('the Kafka bus', () => {
  it('delivers a book with unchanged bytes to every process it is sent to', async () => {
    const readers = [await open('gateway-b'), await open('gateway-c')]
    const seen: BookUpdate[][] = [[], []]
    const inboxes: number[] = []
    for (const [index, reader] of readers.entries()) {
      await reader.subscribe('books', (update) => seen[index]!.push(update))
      inboxes.push(await demandFor(reader, bus, { gatewayId: `g${index}`, venue: 'kalshi', marketIds: ['Ä/B'] }))
    }
    bus.publish('books', 'kalshi:Ä/B', book, inboxes)
    await vi.waitFor(() => expect(seen.map((list) => list.length)).toEqual([1, 1]), 20_000)
    for (const [first] of seen) {
      expect({ ...first, core: first!.core.toString() }).toEqual({ ...book, core: book.core.toString() })
    }
    await Promise.all(readers.map((reader) => reader.close()))
  }, 60_000)

  it('delivers every message to both listeners of one process', async () => {
    const other = await open('two-listeners')
    const seen: string[][] = [[], []]
    for (const list of seen) await other.subscribe('trades', ({ marketId }) => list.push(marketId))
    const inbox = await demandFor(other, bus, { gatewayId: 'two-listeners', venue: 'kalshi' })
    const markets = Array.from({ length: 40 }, (_, i) => `m${i}`)
    for (const marketId of markets) bus.publish('trades', `kalshi:${marketId}`, tradeOf(marketId), [inbox])
    await vi.waitFor(() => expect(seen.map((list) => list.length)).toEqual([40, 40]), 20_000)
    for (const list of seen) expect(list.sort()).toEqual([...markets].sort())
    await other.close()
  }, 60_000)

  it('delivers a backlog that exceeds what the broker accepts for one partition at once', async () => {
    const other = await open('after-a-slow-moment')
    const books = new Set<string>()
    const rows: number[] = []
    const stopBooks = await other.subscribe(
      'books',
      ({ venue, marketId }) => void (venue === 'b' && books.add(marketId)),
    )
    const stopRows = await other.subscribe('surfaceRows', ({ n }) => void rows.push(n))
    const coverageIds = new Set<string>()
    const stopCoverage = await other.consume('coverage', 'slow-moment', async ({ values }) => {
      for (const { outcomeId } of values) coverageIds.add(outcomeId)
    })
    const inbox = await demandFor(other, bus, { gatewayId: 'slow-moment', venue: 'b' })
    const core = Buffer.alloc(12 * 1_024, 32)
    const reason = ' '.repeat(8_000)
    const tick = {
      venue: 'b',
      kind: 'gap',
      mechanism: 'ws-lossless',
      effectiveIntervalMs: null,
      reason,
      at: 1,
    } as const
    for (let n = 0; n < 400; n++)
      bus.publish('books', `b:${n}`, { ...book, venue: 'b', marketId: String(n), core }, [inbox])
    for (let n = 0; n < 8; n++)
      bus.publish('surfaceRows', 'm', {
        ...{ memberId: 'm', n, whole: null, computedAt: 1, rows: [], removes: [] },
        body: Buffer.alloc(200 * 1_024, 32),
      })
    for (let n = 0; n < 600; n++) bus.publish('coverage', `b:${n}`, { ...tick, outcomeId: String(n) })
    await vi.waitFor(() => expect([books.size, coverageIds.size, rows]).toEqual([400, 600, [0, 1, 2, 3, 4, 5, 6, 7]]), {
      timeout: 50_000,
      interval: 100,
    })
    await Promise.all([stopBooks(), stopRows(), stopCoverage()])
    await other.close()
  }, 90_000)

  it('loses and duplicates nothing when consumers are killed between insert and offset commit and a broker restarts', async () => {
    const sink = mkdtempSync(join(tmpdir(), 'crossbook-sink-'))
    const kills = process.env.CROSSBOOK_TEST_LONG ? 100 : 3
    const outcomes = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
    const child = fileURLToPath(new URL('./crashingConsumer.ts', import.meta.url))
    let ts = 0
    const produce = async (messages: number): Promise<void> => {
      for (let i = 0; i < messages; i++) {
        await bus.ready()
        bus.publish('tape', outcomes[ts % outcomes.length]!, batchOf(outcomes[ts % outcomes.length]!, ts))
        ts++
      }
    }
    for (let round = 0; round < kills; round++) {
      const consumer = fork(child, [kafka.brokers.join(','), sink, `c${round}`], { execPath: process.execPath })
      await produce(400)
      await new Promise<void>((resolve) => {
        let inserted = 0
        consumer.on('message', (message) => {
          if (message === 'inserted' && ++inserted > round % 3) resolve()
        })
      })
      await produce(200)
      const gone = new Promise((resolve) => consumer.once('exit', resolve))
      consumer.kill('SIGKILL')
      await gone
      if (round === 1) await kafka.restart(0)
    }
    const last = fork(child, [kafka.brokers.join(','), sink, 'last'], { execPath: process.execPath })
    const rows = (): Map<string, number[]> => {
      const byOutcome = new Map<string, number[]>()
      for (const name of readdirSync(sink)) {
        if (name.includes('.tmp-')) continue
        for (const [outcome, stamps] of JSON.parse(readFileSync(join(sink, name), 'utf8')) as [string, number[]][]) {
          byOutcome.set(outcome, [...(byOutcome.get(outcome) ?? []), ...stamps])
        }
      }
      return byOutcome
    }
    const total = (): number => [...rows().values()].reduce((sum, list) => sum + list.length, 0)
    await vi.waitFor(() => expect(total()).toBeGreaterThanOrEqual(ts), { timeout: 60_000, interval: 500 })
    expect(total(), 'a row was duplicated').toBe(ts)
    const all = [...rows().values()].flat().sort((a, b) => a - b)
    expect(all).toEqual(Array.from({ length: ts }, (_, i) => i))
    last.kill('SIGKILL')
    rmSync(sink, { recursive: true })
  }, 600_000)

  it.runIf(process.env.CROSSBOOK_TEST_LONG === '1')(
    'sends only the newest book after an outage, not one that was replaced meanwhile',
    async () => {
      const [reader, writer] = await Promise.all([open('reader'), open('writer')])
      const seen: string[] = []
      await reader.subscribe('books', ({ marketId }) => seen.push(marketId))
      const inbox = await demandFor(reader, writer, { gatewayId: 'reader', venue: 'kalshi' })
      const publish = (marketId: string) => writer.publish('books', 'kalshi:one key', { ...book, marketId }, [inbox])
      await vi.waitFor(() => {
        publish('before')
        expect(seen).toContain('before')
      }, 20_000)
      await kafka.kill(0)
      publish('replaced')
      await vi.waitFor(() => expect(reader.unreadMs('books')).toBeGreaterThan(4_000), 20_000)
      publish('newest')
      await kafka.restart(0)
      await vi.waitFor(() => expect(seen).toContain('newest'), 60_000)
      expect(seen).not.toContain('replaced')
      await Promise.all([reader.close(), writer.close()])
    },
    120_000,
  )

  it.runIf(process.env.CROSSBOOK_TEST_LONG === '1')(
    'counts an idle topic as read, but not while the broker is away; a process that starts meanwhile waits',
    async () => {
      const reader = await open('unread')
      await reader.subscribe('books', () => undefined)
      await vi.waitFor(() => expect(reader.unreadMs('books')).toBeGreaterThan(1_000), 20_000)
      await vi.waitFor(() => expect(reader.unreadMs('books')).toBeLessThan(1_000), 20_000)
      await kafka.kill(0)
      const started = open('starts-meanwhile')
      await vi.waitFor(() => expect(reader.unreadMs('books')).toBeGreaterThan(4_000), 20_000)
      await kafka.restart(0)
      await vi.waitFor(() => expect(reader.unreadMs('books')).toBeLessThan(3_000), 60_000)
      await (await started).close()
      await reader.close()
    },
    120_000,
  )

  it('reads compressed and uncompressed messages, and compression saves four fifths of the bytes', async () => {
    const plain = await createKafkaBus({
      ...{ brokers: kafka.brokers, clientId: 'plain', compression: 'none', clock: systemClock, log: silentLog },
    })
    const seen = new Map<string, number>()
    const stop = await bus.consume('tape', 'compression', async ({ values }) => {
      for (const { outcomeId } of values) seen.set(outcomeId, (seen.get(outcomeId) ?? 0) + 1)
    })
    const before = tapeBytes()
    const count = 2_000
    for (let n = 0; n < count; n++) plain.publish('tape', 'kalshi:PLAIN', batchOf('PLAIN', n))
    await vi.waitFor(() => expect(seen.get('PLAIN')).toBe(count), 30_000)
    const plainBytes = tapeBytes() - before
    for (let n = 0; n < count; n++) bus.publish('tape', 'kalshi:ZSTD', batchOf('ZSTD', n))
    await vi.waitFor(() => expect(seen.get('ZSTD')).toBe(count), 30_000)
    expect(tapeBytes() - before - plainBytes).toBeLessThan(plainBytes / 5)
    await stop()
    await plain.close()
  }, 90_000)

  it('sets the retention of new and existing topics, and keeps the setting of an operator', async () => {
    const admin = new Kafka({ brokers: kafka.brokers, logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: topics.tape.name }
    const read = async (): Promise<Record<string, string>> => {
      const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [resource] })
      return Object.fromEntries(resources[0]!.configEntries.map((entry) => [entry.configName, entry.configValue]))
    }
    expect(await read()).toMatchObject({ 'retention.ms': '172800000', 'segment.ms': '3600000' })
    // As in a version without this setting, with an operator's retention of a week.
    const configEntries = [{ name: 'retention.ms', value: '604800000' }]
    await admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] })
    // The controller accepts a change before its brokers apply it.
    const becomes = (expected: object) => vi.waitFor(async () => expect(await read()).toMatchObject(expected), 10_000)
    await becomes({ 'retention.ms': '604800000', 'segment.ms': '604800000' })
    await (await open('later')).close()
    await becomes({ 'retention.ms': '604800000', 'segment.ms': '3600000' })
    await admin.disconnect()
  }, 60_000)

  it("drops messages of a former owner after its successor's fence, also for a consumer that never read the fence", async () => {
    const from = (epoch: number, ts: number): TapeBatch => ({ ...batchOf('fenced', ts), venue: 'fencing', epoch })
    const kept: number[] = []
    const fenced: number[] = []
    const read = async (clientId: string, rows: number): Promise<void> => {
      const reader = await open(clientId)
      await reader.consume('tape', 'fence-test', async (batch) => {
        for (const { venue, topOfBook } of batch.values)
          if (venue === 'fencing') kept.push(...topOfBook.map(({ ts }) => ts))
        for (const { topOfBook } of batch.fenced) fenced.push(...topOfBook.map(({ ts }) => ts))
      })
      await vi.waitFor(() => expect(kept.length + fenced.length).toBe(rows), 20_000)
      await reader.close()
    }
    const publish = (epoch: number, ts: number) => bus.publish('tape', 'fencing:fenced', from(epoch, ts))
    publish(1, 10)
    publish(1, 11)
    await bus.fence('fencing', { epoch: 2 })
    publish(1, 12)
    await read('first', 3)
    publish(1, 13)
    publish(2, 20)
    publish(1, 14)
    await read('second', 6)
    expect({ kept, fenced }).toEqual({ kept: [10, 11, 20], fenced: [12, 13, 14] })
  }, 90_000)
})
