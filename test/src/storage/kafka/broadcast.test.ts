// Detects readers of the bus that hang, so that nothing relies on outdated data.
import type { Consumer, ConsumerRunConfig, EachBatchPayload, Message } from 'kafkajs'
import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type TopicName, topics } from '#schemas/topics'
import { BroadcastReader } from '#storage/kafka/broadcast'
import { pulseMs, stalledRestartMs } from '#storage/kafka/heartbeat'

/** The parts of kafkajs that a reader needs. A hanging consumer keeps fetching, but receives nothing. */
class Broker {
  readonly groups: string[] = []
  hanging = new Set<string>()
  partition: (partition: number) => boolean = () => true
  private readonly runs: { topic: string; group: string; config: ConsumerRunConfig }[] = []
  private readonly clock: ManualClock

  constructor(clock: ManualClock) {
    this.clock = clock
  }

  readonly admin = {
    fetchTopicMetadata: async () => ({
      topics: [{ name: '', partitions: [0, 1].map((partitionId) => ({ partitionId })) }],
    }),
    deleteGroups: async () => [],
  }

  consumer({ groupId }: { groupId: string }): Consumer {
    let topic = ''
    const fetches = new Set<() => void>()
    this.groups.push(groupId)
    const consumer = {
      events: { FETCH: 'fetch', CRASH: 'crash' },
      on(event: string, listener: () => void) {
        if (event === 'fetch') fetches.add(listener)
        return () => fetches.delete(listener)
      },
      connect: async () => undefined,
      async subscribe(subscription: { topic: string }) {
        topic = subscription.topic
      },
      run: async (config: ConsumerRunConfig) => {
        this.runs.push({ topic, group: groupId, config })
        setImmediate(() => {
          for (const fetched of [...fetches]) fetched()
        })
      },
      // A hanging consumer does not disconnect either.
      disconnect: () => (this.hanging.has(groupId) ? new Promise<void>(() => undefined) : Promise.resolve()),
    }
    return consumer as unknown as Consumer
  }

  send(topic: TopicName, partition: number, overrides: Partial<Message> = {}): void {
    if (!this.partition(partition)) return
    for (const { group, config } of this.runs.filter((run) => run.topic === topics[topic].name)) {
      if (this.hanging.has(group)) continue
      const message = { key: null, value: null, timestamp: String(this.clock.now()), offset: '1', ...overrides }
      const batch = { partition, messages: [message] }
      config.eachBatch!({ batch, resolveOffset: () => undefined } as unknown as EachBatchPayload)
    }
  }
}

function world() {
  const clock = new ManualClock()
  const broker = new Broker(clock)
  const heartbeats: [venue: string, lateMs: number][] = []
  const reader = new BroadcastReader({
    kafka: broker,
    admin: broker.admin as never,
    clientId: 'gateway',
    inbox: async () => 1,
    isWanted: (key) => key !== 'kalshi:of another process',
    onHeartbeat: (venue, lateMs) => heartbeats.push([venue, lateMs]),
    sendPulse: (topic, partition) => broker.send(topic, partition),
    clock,
    log: silentLog,
  })
  /** Advances the clock, with event loop turns between the steps, so that a hanging reader can restart. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += pulseMs) {
      clock.advance(pulseMs)
      await new Promise(setImmediate)
    }
  }
  return { broker, reader, pass, heartbeats }
}

test('counts an idle topic as read while its reader works, and as unread when the reader hangs', async () => {
  const { broker, reader, pass } = world()
  expect(reader.unreadMs('books')).toBe(Number.POSITIVE_INFINITY)
  const stops = [await reader.subscribe('books', () => undefined), await reader.subscribe('health', () => undefined)]
  await pass(60_000)
  expect([reader.unreadMs('books'), reader.unreadMs('health')]).toEqual([0, 0])
  broker.hanging.add(broker.groups[0]!)
  await pass(12_000)
  expect([reader.unreadMs('books'), reader.unreadMs('health')]).toEqual([12_000, 0])
  broker.hanging.clear()
  await pass(pulseMs)
  expect(reader.unreadMs('books')).toBe(0)
  await Promise.all(stops.map((stop) => stop()))
})

test('counts a topic as unread when one partition is not read', async () => {
  const { broker, reader, pass } = world()
  const stop = await reader.subscribe('health', () => undefined)
  broker.partition = (partition) => partition !== 1
  await pass(12_000)
  expect(reader.unreadMs('health')).toBe(12_000)
  await stop()
})

test('considers only the own inbox of an inbox topic', async () => {
  const { broker, reader, pass } = world()
  const stop = await reader.subscribe('books', () => undefined)
  broker.partition = (partition) => partition === 1
  await pass(12_000)
  expect(reader.unreadMs('books')).toBe(0)
  broker.partition = (partition) => partition !== 1
  await pass(12_000)
  expect(reader.unreadMs('books')).toBe(12_000)
  await stop()
})

test('counts and skips messages that another process requested in the same inbox, without decoding them', async () => {
  const { broker, reader } = world()
  const received: string[] = []
  const stop = await reader.subscribe('trades', ({ marketId }) => received.push(marketId))
  broker.send('trades', 1, { key: 'kalshi:of another process', value: Buffer.from('unreadable') })
  broker.send('trades', 1, { key: 'kalshi:M', value: Buffer.from('{"marketId":"M"}') })
  expect(received).toEqual(['M'])
  expect(reader.inbox).toEqual({ taken: 1, ignored: 1 })
  await stop()
})

test('treats an empty message with a venue key as a heartbeat of its owner, with its delay, and hides it from subscribers', async () => {
  const { broker, reader, heartbeats, pass } = world()
  const received: unknown[] = []
  const stop = await reader.subscribe('books', (book) => received.push(book))
  await pass(4_000)
  expect(heartbeats).toEqual([])
  broker.send('books', 1, { key: 'kalshi' })
  broker.send('books', 1, { key: 'kalshi', headers: { waited: '700' } })
  expect(heartbeats).toEqual([
    ['kalshi', 0],
    ['kalshi', 700],
  ])
  expect(received).toEqual([])
  await stop()
})

test('restarts a hanging reader in its group, rarely when that does not help', async () => {
  const { broker, reader, pass } = world()
  const stop = await reader.subscribe('books', () => undefined)
  const [group] = broker.groups
  broker.hanging.add(group!)
  await pass(stalledRestartMs + pulseMs)
  expect(broker.groups).toEqual([group, group])
  await pass(600_000)
  expect(broker.groups.length).toBeLessThan(9)
  broker.hanging.clear()
  await pass(pulseMs)
  expect(reader.unreadMs('books')).toBe(0)
  const begun = broker.groups.length
  await pass(60_000)
  expect(broker.groups).toHaveLength(begun)
  await stop()
})

test('adds the time a message waited before the broker stamped it', async () => {
  const { broker, reader } = world()
  const received: number[] = []
  const stop = await reader.subscribe('health', (_, lateMs) => received.push(lateMs))
  const value = Buffer.from('{}')
  broker.send('health', 0, { value })
  // Headers are buffers when kafkajs delivers them.
  broker.send('health', 0, { value, headers: { waited: Buffer.from('50900') } })
  expect(received).toEqual([0, 50_900])
  await stop()
})
