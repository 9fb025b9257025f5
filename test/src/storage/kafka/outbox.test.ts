// Which live messages survive while brokers reject them.
import { KafkaJSNonRetriableError, KafkaJSProtocolError, type ProducerBatch } from 'kafkajs'
import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { sendMax } from '#storage/kafka/chunking'
import { ConflatingOutbox } from '#storage/kafka/outbox'
import type { SendingProducer } from '#storage/kafka/producers'
import { queueDelayOf } from '#storage/kafka/queueDelay'

/** A producer that is never replaced. */
const always = (producer: Pick<SendingProducer, 'sendBatch'>) => ({
  current: async () => ({ ...producer, disconnect: async () => undefined }),
  failed: () => undefined,
})

test('retries a rejected book until brokers accept it, unless a newer one replaces it', async () => {
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
  const outbox = new ConflatingOutbox(always(producer), clock, silentLog)
  const nextTurn = () => new Promise(setImmediate)
  outbox.push('books', { value: 'quiet 1' }, 'books|quiet')
  outbox.push('books', { value: 'busy 1' }, 'books|busy')
  outbox.push('trades', { value: 'trade' }, null)
  await nextTurn()
  outbox.push('books', { value: 'busy 2' }, 'books|busy')
  for (let i = 0; i < 5; i++) {
    clock.advance(1_000)
    await nextTurn()
  }
  expect(sent).toEqual([])
  refuses = false
  clock.advance(1_000)
  await outbox.flush()
  expect(sent).toEqual(['quiet 1', 'busy 2', 'trade'])
  expect(outbox.dropped).toBe(0)
  expect(clock.pendingCount).toBe(0)
})

test('sends a queue delay only with messages that had to wait', async () => {
  const clock = new ManualClock()
  let refuses = true
  const sent: [value: string, waitedMs: number][] = []
  const producer = {
    async sendBatch({ topicMessages = [] }: ProducerBatch) {
      if (refuses) throw new Error('away')
      for (const { value, headers } of topicMessages.flatMap(({ messages }) => messages))
        sent.push([String(value), queueDelayOf(headers)])
      return []
    },
  }
  const outbox = new ConflatingOutbox(always(producer), clock, silentLog)
  const nextTurn = () => new Promise(setImmediate)
  // Its owner may lose the venue meanwhile and never publish a newer one.
  outbox.push('books', { value: 'old' }, 'books|old')
  for (let i = 0; i < 50; i++) {
    clock.advance(1_000)
    await nextTurn()
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

test('drops a message that brokers find invalid, but keeps the others', async () => {
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
  const outbox = new ConflatingOutbox(always(producer), clock, silentLog)
  outbox.push('books', { value: 'book' }, 'books|a')
  outbox.push('trades', { value: 'too large' }, null)
  await new Promise(setImmediate)
  clock.advance(1_000)
  await outbox.flush()
  expect(sent).toEqual(['book'])
  expect(outbox.dropped).toBe(1)
})

/** Records what it accepts while `accepts()`. */
function recording(accepts: () => boolean = () => true) {
  const sends: string[][] = []
  return {
    sends,
    async sendBatch({ topicMessages = [] }: ProducerBatch) {
      if (!accepts()) throw new Error('away')
      const messages = topicMessages.flatMap((of) => of.messages)
      sends.push(messages.map(({ key, value }) => String(value ?? `heartbeat of ${key}`)))
      return []
    },
  }
}

test('keeps the position of a key that changes repeatedly, with its newest value', async () => {
  const broker = recording()
  const outbox = new ConflatingOutbox(always(broker), new ManualClock(), silentLog)
  outbox.push('books', { value: 'busy 0' }, 'books|busy')
  for (let n = 0; n < sendMax; n++) outbox.push('books', { value: `${n}` }, `books|${n}`)
  for (let n = 1; n <= 5; n++) outbox.push('books', { value: `busy ${n}` }, 'books|busy')
  await outbox.flush()
  expect(broker.sends.map((values) => values.length)).toEqual([sendMax, 1])
  expect(broker.sends[0]![0]).toBe('busy 5')
})

test('sends a pending heartbeat with the delay of the first one, because it covers only what was published before', async () => {
  const clock = new ManualClock()
  let accepts = false
  const waited: number[] = []
  const outbox = new ConflatingOutbox(
    always({
      async sendBatch({ topicMessages = [] }: ProducerBatch) {
        if (!accepts) throw new Error('away')
        for (const { headers } of topicMessages.flatMap(({ messages }) => messages)) waited.push(queueDelayOf(headers))
        return []
      },
    }),
    clock,
    silentLog,
  )
  for (let second = 0; second < 5; second++) {
    outbox.push('books', { key: 'kalshi', value: null }, 'books|3|kalshi')
    await new Promise(setImmediate)
    clock.advance(1_000)
  }
  accepts = true
  await outbox.flush()
  expect(waited).toEqual([5_000])
})

test('counts an interruption once, when a send succeeds again, and not for a message that is too large', async () => {
  const clock = new ManualClock()
  let accepts = false
  const broker = recording(() => accepts)
  const outbox = new ConflatingOutbox(always(broker), clock, silentLog)
  outbox.push('books', { value: 'book' }, 'books|a')
  for (let i = 0; i < 3; i++) {
    await new Promise(setImmediate)
    clock.advance(1_000)
  }
  expect(outbox.interruptions).toBe(0)
  accepts = true
  await outbox.flush()
  outbox.push('books', { value: 'next' }, 'books|a')
  await outbox.flush()
  expect(outbox.interruptions).toBe(1)
  const small = new ConflatingOutbox(always(bounded(10)), clock, silentLog)
  small.push('books', { value: 'far too large' }, 'books|b')
  small.push('books', { value: 'small' }, 'books|c')
  await small.flush()
  expect([small.interruptions, small.dropped]).toEqual([0, 1])
})

/** Accepts a limited number of bytes per send, and records the attempts. */
function bounded(bytesMax: number) {
  const taken: string[] = []
  const attempts: number[] = []
  return {
    taken,
    attempts,
    async sendBatch({ topicMessages = [] }: ProducerBatch) {
      const values = topicMessages.flatMap(({ messages }) => messages.map(({ value }) => String(value)))
      attempts.push(values.length)
      if (values.join('').length > bytesMax)
        throw new KafkaJSProtocolError({ type: 'MESSAGE_TOO_LARGE', code: 10, message: 'too large' } as never)
      taken.push(...values)
      return []
    },
  }
}
const long = (name: number, bytes: number): string => String(name).padEnd(bytes, '.')
const mebibyte = 1_048_576

test('splits a backlog into sends that a broker accepts, in order and without loss', async () => {
  const broker = bounded(mebibyte)
  const outbox = new ConflatingOutbox(always(broker), new ManualClock(), silentLog)
  const values = Array.from({ length: 60 }, (_, n) => long(n, n % 9 === 0 ? 250_000 : 60_000))
  for (const [n, value] of values.entries()) outbox.push('t', { key: 'k', value }, `t|${n}`)
  await outbox.flush()
  expect(broker.taken).toEqual(values)
  expect(broker.attempts.length).toBeGreaterThan(5)
})

test('sends smaller batches to a broker with a lower limit, and drops what it can never accept', async () => {
  const broker = bounded(100_000)
  const errors: object[] = []
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) } as typeof silentLog
  const clock = new ManualClock()
  const live = new ConflatingOutbox(always(broker), clock, log)
  const values = Array.from({ length: 40 }, (_, n) => long(n, n === 17 ? 100_001 : 9_000))
  for (const [n, value] of values.entries()) live.push('books', { value }, n % 2 === 0 ? `books|${n}` : null)
  await live.flush()
  expect(broker.taken.toSorted()).toEqual(values.toSpliced(17, 1).toSorted())
  expect([live.dropped, errors.length]).toEqual([1, 1])
})

test('counts as stalled only while brokers acknowledge nothing', async () => {
  const clock = new ManualClock()
  let refuses = true
  const outbox = new ConflatingOutbox(
    always({
      async sendBatch() {
        if (refuses) throw new Error('away')
        return []
      },
    }),
    clock,
    silentLog,
  )
  expect(outbox.stalledMs()).toBe(0)
  clock.advance(60_000)
  outbox.push('books', { value: 'a' }, 'books|a')
  for (let i = 0; i < 12; i++) {
    outbox.push('books', { value: `b${i}` }, 'books|b')
    await new Promise(setImmediate)
    clock.advance(1_000)
  }
  expect(outbox.stalledMs()).toBe(12_000)
  refuses = false
  clock.advance(1_000)
  await outbox.flush()
  expect(outbox.stalledMs()).toBe(0)
})
