// Which partition a process reads, and which messages reach it there, with a real broker whose topics have only two partitions.
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type BookUpdate, topics } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import { chooseInbox } from '#storage/kafka/inbox'
import { createKafkaBus } from '#storage/kafka/kafkaBus'
import { type KafkaCluster, startKafka } from '#test/support/kafka/broker'
import { demandFor } from '#test/support/kafka/inbox'
import { hasKafka } from '#test/support/kafka/installed'

const groups = (...named: [groupId: string, members: number][]) => ({
  listGroups: async () => ({ groups: named.map(([groupId]) => ({ groupId, protocolType: 'consumer' })) }),
  describeGroups: async (ids: string[]) => ({
    groups: named
      .filter(([groupId]) => ids.includes(groupId))
      .map(([groupId, members]) => ({ groupId, members: Array.from({ length: members }, () => ({})) })),
  }),
})
const choose = (admin: unknown, clientId: string, partitions: number) =>
  chooseInbox({ admin: admin as Parameters<typeof chooseInbox>[0]['admin'], partitions, clientId, log: silentLog })

describe('the inbox of a process', () => {
  it('is one that no running process reads', async () => {
    const admin = groups(
      ['a-books-0-inbox-0', 1],
      ['b-books-3-inbox-2', 1],
      ['c-books-0-inbox-1', 0],
      ['d-trades-0', 1],
    )
    for (const clientId of ['x', 'y', 'z']) expect(await choose(admin, clientId, 3)).toBe(1)
  })

  it('is shared by as few processes as possible when there are more processes than inboxes', async () => {
    const admin = groups(['a-books-0-inbox-0', 1], ['b-books-0-inbox-1', 1], ['c-books-0-inbox-0', 1])
    expect(await choose(admin, 'x', 2)).toBe(1)
  })

  it('is chosen even if groups cannot be listed, and within the partitions of the topic', async () => {
    const forbidden = { listGroups: () => Promise.reject(new Error('not allowed')) }
    const chosen = new Set<number>()
    for (let n = 0; n < 50; n++) chosen.add(await choose(forbidden, `client-${n}`, 4))
    expect([...chosen].sort()).toEqual([0, 1, 2, 3])
    expect(await choose(groups(['a-books-0-inbox-31', 1]), 'x', 1)).toBe(0)
  })
})

const bookOf = (marketId: string, seq: number): BookUpdate => ({
  ...{ venue: 'kalshi', marketId, state: 'live', seq, epoch: 1, eventTs: null, recvTs: seq, lastTradeMicros: null },
  core: Buffer.from('{"bids":[],"asks":[],"timestamp":1'),
})

describe.runIf(hasKafka)('books between processes', () => {
  let kafka: KafkaCluster
  let publisher: Bus
  const buses: Bus[] = []
  const open = async (clientId: string): Promise<Bus> => {
    const bus = await createKafkaBus({ brokers: kafka.brokers, clientId, clock: systemClock, log: silentLog })
    buses.push(bus)
    return bus
  }

  beforeAll(async () => {
    kafka = await startKafka()
    // Topics created by an operator.
    const admin = new Kafka({ brokers: kafka.brokers, logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    await admin.createTopics({
      waitForLeaders: true,
      topics: [topics.books, topics.trades].map(({ name }) => ({ topic: name, numPartitions: 2 })),
    })
    await admin.disconnect()
    publisher = await open('publisher')
  }, 120_000)
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.close()))
    await kafka?.stop()
  }, 60_000)

  it('reach the processes that request them: alone in an inbox, sharing one, and after a restart', async () => {
    const names = ['a', 'b', 'c']
    const seen: Record<string, string[]> = {}
    const inboxes: Record<string, number> = {}
    const readers: Record<string, Bus> = {}
    /** Reads its own books and the shared ones until it is closed. */
    async function begin(name: string): Promise<void> {
      const reader = await open(name)
      readers[name] = reader
      seen[name] = []
      await reader.subscribe('books', ({ marketId, seq }) => seen[name]!.push(`${marketId} ${seq}`))
      const wants = { gatewayId: name, venue: 'kalshi', marketIds: [`only ${name}`, 'all'] }
      inboxes[name] = await demandFor(reader, publisher, wants)
    }
    for (const name of names) await begin(name)
    expect([...new Set(Object.values(inboxes))].sort()).toEqual([0, 1])
    const publish = (marketId: string, seq: number, ...to: string[]): void =>
      publisher.publish('books', `kalshi:${marketId}`, bookOf(marketId, seq), [
        ...new Set(to.map((name) => inboxes[name]!)),
      ])
    for (const name of names) publish(`only ${name}`, 1, name)
    publish('all', 1, ...names)
    await vi.waitFor(() => {
      for (const name of names) expect(seen[name]!.sort()).toEqual(['all 1', `only ${name}`.concat(' 1')].sort())
    }, 20_000)
    const ignored = names.map((name) => readers[name]!.figures().inboxIgnored).sort()
    expect(ignored, 'two of them share an inbox').toEqual([0, 1, 1])

    await readers.c!.close()
    await begin('c')
    publish('all', 2, ...names)
    await vi.waitFor(() => expect(names.map((name) => seen[name]!.at(-1))).toEqual(['all 2', 'all 2', 'all 2']), 20_000)
  }, 120_000)

  it('are conflated per inbox, however many are pending', async () => {
    const [first, second] = [await open('first'), await open('second')]
    const newest = new Map<Bus, number>()
    const inboxes: number[] = []
    for (const [index, reader] of [first, second].entries()) {
      await reader.subscribe('books', ({ seq }) => newest.set(reader, seq))
      inboxes.push(await demandFor(reader, publisher, { gatewayId: `n${index}`, venue: 'kalshi', marketIds: ['M'] }))
    }
    for (let seq = 1; seq <= 1_000; seq++)
      publisher.publish('books', 'kalshi:M', bookOf('M', seq), seq === 1_000 ? inboxes : [inboxes[seq % 2]!])
    await vi.waitFor(() => expect([newest.get(first), newest.get(second)]).toEqual([1_000, 1_000]), 20_000)
  }, 60_000)

  it('are not sent when nothing requests them', async () => {
    const reader = await open('idle reader')
    const seen: string[] = []
    await reader.subscribe('books', ({ marketId }) => seen.push(marketId))
    const inbox = await demandFor(reader, publisher, {
      gatewayId: 'i',
      venue: 'kalshi',
      marketIds: ['unwanted', 'end'],
    })
    publisher.publish('books', 'kalshi:unwanted', bookOf('unwanted', 1), [])
    publisher.publish('books', 'kalshi:end', bookOf('end', 1), [inbox])
    await vi.waitFor(() => expect(seen).toEqual(['end']), 20_000)
  }, 60_000)
})
