// A shared topic is read without gaps and duplicates, whatever kafkajs delivers and in whatever order.
import type { Admin, Consumer, ConsumerRunConfig, EachBatchPayload } from 'kafkajs'
import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Log, silentLog } from '#core/log'
import { type RawBatch, runSharedConsumer } from '#storage/kafka/sharedConsumer'

interface Committed {
  offset: string
  metadata: string
}

const tokens = (...offsets: string[]): string[] => offsets.map((range) => `one/tape:0:${range}@100`)

/** State of one partition, as kafkajs and a broker see it. */
async function world(log: Log = silentLog) {
  let committed: Committed = { offset: '-1', metadata: '' }
  let low = 0
  let partitions = 1
  let clusterId = 'one'
  let timestamp = 100
  let soleReader = 0
  let config: ConsumerRunConfig = {}
  let joined: (event: object) => void = () => undefined
  let commitFailure: Error | null = null
  const handled: string[] = []
  const resolved: string[] = []
  let handle = async (_batch: RawBatch): Promise<void> => undefined
  const consumer = {
    events: { GROUP_JOIN: 'join', CRASH: 'crash' },
    on(event: string, listener: (event: object) => void) {
      if (event === 'join') joined = listener
    },
    connect: async () => undefined,
    subscribe: async () => undefined,
    async run(given: ConsumerRunConfig) {
      config = given
    },
    disconnect: async () => undefined,
  }
  const admin = {
    fetchOffsets: async () => [{ topic: 'tape', partitions: [{ partition: 0, ...committed }] }],
    fetchTopicOffsets: async () =>
      Array.from({ length: partitions }, (_, partition) => ({ partition, low: String(low), high: '1000' })),
    describeCluster: async () => ({ brokers: [], controller: 1, clusterId }),
  }
  await runSharedConsumer({
    consumer: consumer as unknown as Consumer,
    admin: admin as unknown as Admin,
    topic: 'tape',
    groupId: 'writers',
    async handle(batch) {
      await handle(batch)
      handled.push(batch.token)
      return 'memo'
    },
    sessionTimeoutMs: 10_000,
    onSoleReader: () => soleReader++,
    clock: new ManualClock(),
    log,
  })
  const join = (assigned: number[] = [0]) => joined({ payload: { memberAssignment: { tape: assigned } } })
  join()
  return {
    handled,
    resolved,
    join,
    committed: () => `${committed.offset} ${committed.metadata}`,
    failCommits(error: Error | null) {
      commitFailure = error
    },
    commit(offset: number, metadata = '') {
      committed = { offset: String(offset), metadata }
    },
    soleReader: () => soleReader,
    divide(count: number) {
      partitions = count
    },
    /** Nothing is committed yet; messages are stamped with `stamp`. */
    replaceKafka(id: string, stamp: number) {
      clusterId = id
      timestamp = stamp
      committed = { offset: '-1', metadata: '' }
      join()
    },
    removeBefore(offset: number) {
      low = offset
    },
    onHandle(work: typeof handle) {
      handle = work
    },
    /** Both ends inclusive. */
    fetched(from: number, to: number): Promise<void> {
      const messages = Array.from({ length: to - from + 1 }, (_, i) => ({
        offset: String(from + i),
        timestamp: String(timestamp),
        value: Buffer.from('row'),
      }))
      const payload = {
        batch: { partition: 0, messages },
        resolveOffset: (offset: string) => resolved.push(offset),
        heartbeat: async () => undefined,
        isRunning: () => true,
        isStale: () => false,
        async commitOffsetsIfNecessary({ topics }: { topics: { partitions: Committed[] }[] }) {
          if (commitFailure !== null) throw commitFailure
          const [{ offset, metadata }] = topics[0]!.partitions as [Committed]
          committed = { offset, metadata }
        },
      }
      return config.eachBatch!(payload as unknown as EachBatchPayload)
    },
  }
}

test('does not accept later messages before a failed batch is repeated', async () => {
  const { handled, failCommits, fetched, committed, resolved } = await world()
  await fetched(0, 4)
  failCommits(new Error('the connection was closed'))
  await expect(fetched(5, 9)).rejects.toThrow('the connection was closed')
  failCommits(null)
  // kafkajs lost that error because of another one, and continues with the next offset.
  await expect(fetched(10, 14)).rejects.toThrow('offset 10 was fetched where 5 comes next')
  await fetched(5, 14)
  expect(handled).toEqual(tokens('0-4', '5-14'))
  expect(resolved).toEqual(['4', '14'])
  expect(committed()).toBe('15 ;memo')
})

test('skips the committed part of a batch', async () => {
  const { handled, commit, fetched } = await world()
  commit(7, ';memo')
  await fetched(3, 9)
  expect(handled).toEqual(tokens('7-9'))
})

test('repeats a started batch as a whole, however it is fetched, even if a part was read before a rebalance', async () => {
  const { handled, commit, fetched, join } = await world()
  commit(5, 'begun:12;memo')
  await fetched(5, 8)
  join()
  await expect(fetched(9, 15)).rejects.toThrow('offset 9 was fetched where 5 comes next')
  await fetched(5, 10)
  await fetched(11, 15)
  expect(handled).toEqual(tokens('5-12', '13-15'))
})

test('repeats a batch of a version whose tokens held only offsets under that token, and only that batch', async () => {
  const { handled, commit, fetched } = await world()
  commit(5, 'intent:12;memo')
  await fetched(5, 15)
  expect(handled).toEqual(['tape:0:5-12', ...tokens('13-15')])
})

test('uses another token for the same offsets of another cluster or a recreated topic', async () => {
  const { handled, replaceKafka, fetched } = await world()
  await fetched(0, 4)
  replaceKafka('two', 100)
  await fetched(0, 4)
  replaceKafka('two', 200)
  await fetched(0, 4)
  expect(handled).toEqual(['one/tape:0:0-4@100', 'two/tape:0:0-4@100', 'two/tape:0:0-4@200'])
})

test('does not commit a batch that a rebalance interrupted, and makes the next one wait for its end', async () => {
  const { handled, fetched, committed, join, onHandle } = await world()
  let finish = (): void => undefined
  onHandle(() => new Promise((resolve) => (finish = resolve)))
  const overtaken = fetched(0, 4)
  await new Promise(setImmediate)
  join()
  onHandle(async () => undefined)
  const next = fetched(0, 9)
  await new Promise(setImmediate)
  expect(handled).toEqual([])
  finish()
  await expect(overtaken).rejects.toThrow('no longer in hand')
  await next
  // The same token again, which the sink recognises.
  expect(handled).toEqual(tokens('0-4', '0-4', '5-9'))
  expect(committed()).toBe('10 ;memo')
})

test('does not commit a revoked partition, whatever is still fetched from it', async () => {
  const { handled, fetched, committed, join } = await world()
  await fetched(0, 4)
  join([1])
  await expect(fetched(5, 9)).rejects.toThrow('no longer in hand')
  expect(handled).toEqual(tokens('0-4'))
  expect(committed()).toBe('5 ;memo')
})

test('continues with the oldest message when earlier ones were deleted unread, and logs an error', async () => {
  const loggedErrors: string[] = []
  const log = { ...silentLog, error: (_: unknown, words: string) => void loggedErrors.push(words) } as Log
  const { handled, commit, removeBefore, fetched } = await world(log)
  commit(5, ';memo')
  removeBefore(20)
  await fetched(20, 24)
  expect(handled).toEqual(tokens('20-24'))
  expect(loggedErrors).toEqual(['messages were removed before they were read'])
})

test('reports to be the only reader once all partitions are assigned to it', async () => {
  const { join, divide, soleReader } = await world()
  await expect.poll(soleReader).toBe(1)
  divide(3)
  join([0, 2])
  join([0, 1, 2])
  await expect.poll(soleReader).toBe(2)
})
