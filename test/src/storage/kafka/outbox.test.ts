// What of live messages outlasts brokers that refuse them.
import type { ProducerBatch } from 'kafkajs'
import { expect, test } from 'vitest'
import { ManualClock } from '#lib/clock'
import { silentLog } from '#lib/log'
import { ConflatingOutbox } from '#storage/kafka/outbox'

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
  expect(sent).toEqual(['quiet 1', 'busy 2'])
  expect(outbox.dropped).toBe(1)
  expect(clock.pendingCount).toBe(0)
})
