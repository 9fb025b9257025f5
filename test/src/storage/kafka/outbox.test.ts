// What of live messages outlasts brokers that refuse them.
import { KafkaJSNonRetriableError, type ProducerBatch } from 'kafkajs'
import { expect, test } from 'vitest'
import { ManualClock } from '#lib/clock'
import { silentLog } from '#lib/log'
import { ConflatingOutbox } from '#storage/kafka/outbox'
import { waitedOf } from '#storage/kafka/waited'

test('a book that brokers refused goes again until they take it, unless a newer one took its place', async () => {
  const clock = new ManualClock()
  let refuses = true
  const sent: string[] = []
  const producer = {
    async sendBatch({ topicMessages = [] }: ProducerBatch) {
      if (refuses) throw new Error('away')
      sent.push(...topicMessages.flatMap(({ messages }) => messages.map(({ value }) => String(value))))
      return []
    },
  }
  const outbox = new ConflatingOutbox(producer, clock, silentLog)
  const turn = () => new Promise(setImmediate)
  outbox.push('books', { value: 'quiet 1' }, 'books|quiet')
  outbox.push('books', { value: 'busy 1' }, 'books|busy')
  outbox.push('trades', { value: 'trade' }, null)
  await turn()
  outbox.push('books', { value: 'busy 2' }, 'books|busy')
  for (let i = 0; i < 5; i++) {
    clock.advance(1_000)
    await turn()
  }
  expect(sent).toEqual([])
  refuses = false
  clock.advance(1_000)
  await outbox.flush()
  expect(sent).toEqual(['quiet 1', 'busy 2', 'trade'])
  expect(outbox.dropped).toBe(0)
  expect(clock.pendingCount).toBe(0)
})

test('what waited for the brokers says how long, and what goes out as it comes says nothing', async () => {
  const clock = new ManualClock()
  let refuses = true
  const sent: [value: string, waitedMs: number][] = []
  const producer = {
    async sendBatch({ topicMessages = [] }: ProducerBatch) {
      if (refuses) throw new Error('away')
      for (const { value, headers } of topicMessages.flatMap(({ messages }) => messages))
        sent.push([String(value), waitedOf(headers)])
      return []
    },
  }
  const outbox = new ConflatingOutbox(producer, clock, silentLog)
  const turn = () => new Promise(setImmediate)
  // Its owner may lose the venue meanwhile, and never say anything newer of it.
  outbox.push('books', { value: 'old' }, 'books|old')
  for (let i = 0; i < 50; i++) {
    clock.advance(1_000)
    await turn()
  }
  outbox.push('books', { value: 'new' }, 'books|new')
  refuses = false
  clock.advance(1_000)
  await outbox.flush()
  outbox.push('books', { value: 'newer' }, 'books|new')
  await outbox.flush()
  expect(sent).toEqual([
    ['old', 51_000],
    ['new', 1_000],
    ['newer', 0],
  ])
})

test('a message that brokers find wrong is not sent again, and takes nothing with it that has a newer one', async () => {
  const clock = new ManualClock()
  const sent: string[] = []
  const producer = {
    async sendBatch({ topicMessages = [] }: ProducerBatch) {
      const values = topicMessages.flatMap(({ messages }) => messages.map(({ value }) => String(value)))
      if (values.includes('too large')) throw new KafkaJSNonRetriableError('too large')
      sent.push(...values)
      return []
    },
  }
  const outbox = new ConflatingOutbox(producer, clock, silentLog)
  outbox.push('books', { value: 'book' }, 'books|a')
  outbox.push('trades', { value: 'too large' }, null)
  await new Promise(setImmediate)
  clock.advance(1_000)
  await outbox.flush()
  expect(sent).toEqual(['book'])
  expect(outbox.dropped).toBe(1)
})
