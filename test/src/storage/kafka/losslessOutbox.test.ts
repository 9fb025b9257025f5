// Lossless messages against brokers that lose leaders, reject producers and acknowledge less than they received.
import kafkajs, { KafkaJSProtocolError, type Message, type ProducerBatch, type RecordMetadata } from 'kafkajs'
import { expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createPrng } from '#lab/prng'
import { LosslessOutbox, outboxReadyMax } from '#storage/kafka/losslessOutbox'
import { Producers, replaceAfterMs } from '#storage/kafka/producers'
import { Sequence } from '#storage/kafka/sequence'

const partitions = 3

const protocolError = (type: string, code: number): Error =>
  new KafkaJSProtocolError({ type, code, message: type, retriable: false } as never)

type FaultOf = (batch: { partition: number; messages: readonly Message[]; producer: number }) => Fault | null
/** `lost`: stored, but the response is lost. `empty`: kafkajs resolves without naming a partition. */
type Fault =
  | { kind: 'error'; error: Error }
  | { kind: 'lost' }
  | { kind: 'empty' }
  | { kind: 'repeated' }
  | { kind: 'hangs' }

/** Stores what each partition accepts. */
class Log {
  readonly partitions: Message[][] = Array.from({ length: partitions }, () => [])
  faultOf: FaultOf = () => null
  producers = 0
  readonly sends: number[] = []
  readonly compressions: (number | undefined)[] = []

  open = async () => {
    const producer = this.producers++
    return {
      sendBatch: async ({ topicMessages = [], compression }: ProducerBatch): Promise<RecordMetadata[]> => {
        const [{ topic, messages }] = topicMessages as [{ topic: string; messages: Message[] }]
        const named = new Set(messages.map(({ partition }) => partition!))
        expect([topicMessages.length, named.size], 'one partition in one request').toEqual([1, 1])
        const [partition] = named as unknown as [number]
        this.sends.push(partition)
        this.compressions.push(compression)
        const fault = this.faultOf({ partition, messages, producer })
        if (fault?.kind === 'error') throw fault.error
        if (fault?.kind === 'empty') return []
        if (fault?.kind === 'hangs') return new Promise(() => undefined)
        const stored = this.partitions[partition]!
        const own = { topicName: topic, partition, errorCode: 0 }
        if (fault?.kind === 'repeated') return [{ ...own, baseOffset: '0' }]
        const baseOffset = String(stored.length)
        stored.push(...messages)
        if (fault?.kind === 'lost') throw new Error('connection closed')
        return [{ ...own, baseOffset }]
      },
      disconnect: async () => undefined,
    }
  }

  /** What a consumer reads. */
  read(partition: number): { values: string[]; repeated: number; missing: number } {
    const sequence = new Sequence('')
    const values = this.partitions[partition]!.filter(({ headers }) => sequence.admits(headers)).map((m) =>
      String(m.value),
    )
    return { values, repeated: sequence.repeated, missing: sequence.missing }
  }
}

function world() {
  const clock = new ManualClock()
  const log = new Log()
  const producers = new Producers({ open: log.open, clock, log: silentLog })
  const outbox = new LosslessOutbox({
    producers,
    sender: 'test',
    partitionFor: (_, { partition, key }) => partition ?? Number(key) % partitions,
    clock,
    log: silentLog,
    random: () => 0,
  })
  /** Lets sends finish and pauses pass. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 50) {
      clock.advance(50)
      await new Promise(setImmediate)
    }
  }
  async function flush(flushing = outbox): Promise<void> {
    let done = false
    const flushed = flushing.flush().then(() => {
      done = true
    })
    while (!done) await pass(50)
    await flushed
  }
  return { clock, log, producers, outbox, pass, flush }
}

test('sends messages that closely follow each other together, compressed when there are many', async () => {
  const { clock, log, producers, flush } = world()
  const outbox = new LosslessOutbox({
    ...{ producers, sender: 'test', partitionFor: () => 0, lingerMs: 25, compression: 'zstd' as const },
    ...{ clock, log: silentLog },
  })
  const value = 'x'.repeat(500)
  outbox.push('tape', { key: '0', value })
  clock.advance(20)
  for (let n = 0; n < 9; n++) outbox.push('tape', { key: '0', value })
  clock.advance(5)
  await flush(outbox)
  outbox.push('tape', { key: '0', value })
  await flush(outbox)
  expect(log.sends).toEqual([0, 0])
  expect(log.compressions).toEqual([kafkajs.CompressionTypes.ZSTD, kafkajs.CompressionTypes.None])
})

test('resends only the partition that the response does not name, with a new producer', async () => {
  const { log, outbox, flush, producers } = world()
  let skipped = 0
  log.faultOf = ({ partition }) => (partition === 1 && skipped++ === 0 ? { kind: 'empty' } : null)
  for (let n = 0; n < 9; n++) outbox.push('tape', { key: String(n), value: String(n) })
  await flush()
  expect([0, 1, 2].map((partition) => log.read(partition).values)).toEqual([
    ['0', '3', '6'],
    ['1', '4', '7'],
    ['2', '5', '8'],
  ])
  expect(log.sends.toSorted()).toEqual([0, 1, 1, 2])
  expect(producers.replaced).toBe(1)
})

test('ignores an acknowledgement of an earlier offset', async () => {
  const { log, outbox, flush } = world()
  outbox.push('tape', { key: '0', value: 'first' })
  await flush()
  let repeated = 0
  log.faultOf = () => (repeated++ === 0 ? { kind: 'repeated' } : null)
  outbox.push('tape', { key: '0', value: 'second' })
  await flush()
  expect(log.read(0)).toEqual({ values: ['first', 'second'], repeated: 0, missing: 0 })
})

test.each([
  ['OUT_OF_ORDER_SEQUENCE_NUMBER', 45],
  ['DUPLICATE_SEQUENCE_NUMBER', 46],
  ['INVALID_PRODUCER_EPOCH', 47],
  ['UNKNOWN_PRODUCER_ID', 59],
  ['PRODUCER_FENCED', 90],
])('after %s resends only unacknowledged messages with a new producer', async (type, code) => {
  const { log, outbox, flush, producers } = world()
  log.faultOf = ({ partition, producer }) =>
    partition === 2 && producer === 0 ? { kind: 'error', error: protocolError(type, code) } : null
  for (let n = 0; n < 30; n++) outbox.push('tape', { key: String(n), value: String(n) })
  await flush()
  expect(producers.replaced).toBe(1)
  for (const partition of [0, 1, 2]) {
    const numbers = Array.from({ length: 10 }, (_, n) => String(3 * n + partition))
    expect(log.read(partition)).toEqual({ values: numbers, repeated: 0, missing: 0 })
  }
  expect(log.sends.filter((partition) => partition !== 2)).toHaveLength(2)
})

test('replaces a producer that keeps failing, rarely, and does not block other partitions', async () => {
  const { log, outbox, pass, flush, producers } = world()
  let away = true
  log.faultOf = ({ partition }) => (partition === 0 && away ? { kind: 'error', error: new Error('timed out') } : null)
  for (let n = 0; n < 6; n++) outbox.push('tape', { key: String(n), value: String(n) })
  await pass(replaceAfterMs - 1_000)
  expect(producers.replaced).toBe(0)
  expect([1, 2].map((partition) => log.read(partition).values.length)).toEqual([2, 2])
  expect(outbox.backlog()).toMatchObject({ messages: 2, oldestMs: replaceAfterMs - 1_000, stalledMs: 9_000 })
  await pass(60_000)
  expect(producers.replaced).toBeGreaterThan(1)
  expect(producers.replaced).toBeLessThan(7)
  away = false
  await flush()
  expect(log.read(0).values).toEqual(['0', '3'])
  expect(outbox.backlog()).toEqual({ messages: 0, bytes: 0, oldestMs: 0, stalledMs: 0 })
})

test('gives up a send that never ends, and replaces its producer', async () => {
  const { log, outbox, flush, producers, pass } = world()
  log.faultOf = ({ partition, producer }) => (partition === 0 && producer === 0 ? { kind: 'hangs' } : null)
  for (let n = 0; n < 6; n++) outbox.push('tape', { key: String(n), value: String(n) })
  await pass(11_500)
  await flush()
  expect(producers.replaced).toBe(1)
  expect([0, 1, 2].map((partition) => log.read(partition).values)).toEqual([
    ['0', '3'],
    ['1', '4'],
    ['2', '5'],
  ])
})

test('makes publishers wait while too many messages are unacknowledged', async () => {
  const { log, outbox, pass, flush } = world()
  let away = true
  log.faultOf = () => (away ? { kind: 'error', error: new Error('away') } : null)
  for (let n = 0; n < outboxReadyMax; n++) outbox.push('tape', { key: String(n), value: 'x' })
  let released = false
  const ready = outbox.ready().then(() => {
    released = true
  })
  await pass(5_000)
  expect(released).toBe(false)
  away = false
  await flush()
  await ready
  await outbox.ready()
})

test('skips a message that brokers never accept, and readers notice the missing one', async () => {
  const { log, outbox, flush } = world()
  log.faultOf = ({ messages }) =>
    messages.some(({ value }) => value === 'too large')
      ? { kind: 'error', error: protocolError('MESSAGE_TOO_LARGE', 10) }
      : null
  const acked: number[] = []
  for (let n = 0; n < 12; n++)
    outbox.push('tape', { key: '0', value: n === 7 ? 'too large' : String(n) }, () => acked.push(n))
  await flush()
  expect(acked).toEqual(Array.from({ length: 12 }, (_, n) => n))
  expect(log.read(0)).toEqual({
    values: ['0', '1', '2', '3', '4', '5', '6', '8', '9', '10', '11'],
    repeated: 0,
    missing: 1,
  })
})

test('loses, duplicates and reorders nothing for readers under random faults', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { next: random } = createPrng(`lossless outbox ${seed}`)
    const { log, outbox, pass, flush } = world()
    log.faultOf = () => {
      const dice = random()
      if (dice < 0.1) return { kind: 'lost' }
      if (dice < 0.15) return { kind: 'empty' }
      if (dice < 0.2) return { kind: 'error', error: protocolError('OUT_OF_ORDER_SEQUENCE_NUMBER', 45) }
      if (dice < 0.3) return { kind: 'error', error: new Error('not leader') }
      return null
    }
    const expected: string[][] = Array.from({ length: partitions }, () => [])
    for (let n = 0; n < 600; n++) {
      outbox.push('tape', { key: String(n), value: String(n) })
      expected[n % partitions]!.push(String(n))
      if (random() < 0.05) await pass(50)
    }
    await flush()
    for (let partition = 0; partition < partitions; partition++) {
      const { values, missing } = log.read(partition)
      expect(values, `seed ${seed}`).toEqual(expected[partition])
      expect(missing, `seed ${seed}`).toBe(0)
    }
  }
})
