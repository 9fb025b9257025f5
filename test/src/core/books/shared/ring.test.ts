import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRing, RingConsumer, RingProducer } from '#core/books/shared/ring'

const drained = (consumer: RingConsumer, max?: number): number[] => {
  const slots: number[] = []
  consumer.drain((slot) => slots.push(slot), max)
  return slots
}

describe('the ring', () => {
  it('shows nothing before the flush, then each slot once in the order pushed', () => {
    const memory = createRing(8)
    const producer = new RingProducer(memory)
    const consumer = new RingConsumer(memory)
    expect([3, 1, 3, 3, 7].map((slot) => producer.push(slot))).toEqual([true, true, true, true, true])
    expect(drained(consumer)).toEqual([])
    producer.flush()
    expect(drained(consumer)).toEqual([3, 1, 7])
    producer.push(3)
    producer.flush()
    expect([drained(consumer), drained(consumer)]).toEqual([[3], []])
  })

  it('queues a slot again when it changes during its visit', () => {
    const memory = createRing(4)
    const producer = new RingProducer(memory)
    const consumer = new RingConsumer(memory)
    producer.push(2)
    producer.flush()
    consumer.drain((slot) => producer.push(slot))
    producer.flush()
    expect(drained(consumer)).toEqual([2])
  })

  it('loses nothing when full: a rejected push is accepted later, compared with a plain queue', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(15), fc.constantFrom('flush', 'drain', 'drain one')), { maxLength: 300 }),
        (steps) => {
          const memory = createRing(16, 4)
          const producer = new RingProducer(memory)
          const consumer = new RingConsumer(memory)
          const waiting: number[] = []
          let flushed = 0
          for (const step of steps) {
            if (step === 'flush') {
              producer.flush()
              flushed = waiting.length
            } else if (step === 'drain' || step === 'drain one') {
              const got = drained(consumer, step === 'drain' ? undefined : 1)
              expect(got).toEqual(waiting.splice(0, step === 'drain' ? flushed : Math.min(1, flushed)))
              flushed -= got.length
            } else {
              const held = waiting.includes(step as number)
              expect(producer.push(step as number)).toBe(held || waiting.length < 4)
              if (!held && waiting.length < 4) waiting.push(step as number)
            }
          }
        },
      ),
    )
  })

  it('rejects a slot that does not exist', () => {
    const producer = new RingProducer(createRing(4))
    expect([producer.push(4), producer.push(-1)]).toEqual([false, false])
  })

  it('works across the int32 overflow of its counters', () => {
    const memory = createRing(4)
    const words = new Int32Array(memory.words)
    words[0] = 2 ** 31 - 2
    words[16] = 2 ** 31 - 2
    const producer = new RingProducer(memory)
    const consumer = new RingConsumer(memory)
    for (let i = 0; i < 20; i++) {
      expect(producer.push(i % 4)).toBe(true)
      producer.flush()
      expect(drained(consumer)).toEqual([i % 4])
    }
  })

  it('wakes a consumer that sleeps on another thread', async () => {
    const memory = createRing(4)
    const url = new URL('../../../../../src/core/books/shared/ring.ts', import.meta.url)
    const worker = new Worker(
      `const { workerData, parentPort } = require('node:worker_threads')
       import(workerData.url).then(({ RingConsumer }) => {
         const consumer = new RingConsumer(workerData.memory)
         parentPort.postMessage('ready')
         const slots = []
         while (slots.length < 3) { consumer.wait(20_000); consumer.drain((slot) => slots.push(slot)) }
         parentPort.postMessage(slots)
       })`,
      { eval: true, workerData: { url: url.href, memory } },
    )
    try {
      await once(worker, 'message')
      const answer = once(worker, 'message')
      const producer = new RingProducer(memory)
      for (const slot of [2, 0, 3]) {
        producer.push(slot)
        producer.flush()
      }
      expect(await answer).toEqual([[2, 0, 3]])
    } finally {
      await worker.terminate()
    }
  })
})
