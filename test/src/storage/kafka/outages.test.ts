// Brokers that are unavailable while a process starts.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Kafka, KafkaJSNonRetriableError, logLevel } from 'kafkajs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { retryAtStartup } from '#core/retryAtStartup'
import { isKafkaOutage, kafkaAtStartup } from '#storage/kafka/outages'

/** Resets connections, like a broker that is starting or stopping. */
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', () => socket.resetAndDestroy())
})
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => void server.close())

/** The error of kafkajs for a reset connection, without its own retries. */
async function reset(retries = 0): Promise<unknown> {
  const brokers = [`127.0.0.1:${(server.address() as AddressInfo).port}`]
  const retry = { retries, initialRetryTime: 1, maxRetryTime: 1 }
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry }).admin()
  try {
    await admin.connect()
    return null
  } catch (error) {
    return error
  } finally {
    await admin.disconnect()
  }
}

/** Advances the clock until the work ends. */
async function ended<T>(work: (clock: ManualClock) => Promise<T>): Promise<PromiseSettledResult<T>> {
  const clock = new ManualClock()
  let open = true
  const [result] = await Promise.allSettled([
    work(clock).finally(() => {
      open = false
    }),
    (async () => {
      while (open) {
        clock.advance(500)
        await new Promise(setImmediate)
      }
    })(),
  ])
  return result
}

test('retries after a connection reset, with a warning', async () => {
  const lines: string[] = []
  const log = { ...silentLog, warn: (_: unknown, words: string) => lines.push(words) } as unknown as typeof silentLog
  const resets = [await reset(), await reset(1), await reset()]
  const outcome = await ended((clock) =>
    retryAtStartup(
      kafkaAtStartup,
      async () => {
        const reason = resets.shift()
        if (reason !== undefined) throw reason
        return 'there'
      },
      { clock, log },
    ),
  )
  expect(outcome).toEqual({ status: 'fulfilled', value: 'there' })
  expect(lines).toEqual(Array(3).fill('Kafka does not answer yet; retrying'))
})

test('fails after two minutes without a broker, with the reason', async () => {
  const reason = await reset()
  let attempts = 0
  const outcome = await ended((clock) =>
    retryAtStartup(
      kafkaAtStartup,
      () => {
        attempts++
        return Promise.reject(reason)
      },
      { clock, log: silentLog },
    ),
  )
  expect(outcome).toEqual({ status: 'rejected', reason })
  expect(attempts).toBeGreaterThan(30)
})

test('does not treat a permanent refusal as an outage', () => {
  expect(isKafkaOutage(new KafkaJSNonRetriableError('no such mechanism'))).toBe(false)
  expect(isKafkaOutage(new TypeError('a defect'))).toBe(false)
})
