// Runs the broker requests a process makes once at startup: while the brokers are starting they are retried, as with PostgreSQL. kafkajs
// does so for some steps, and gives up others at the first broken connection.
import type { KafkaJSError } from 'kafkajs'
import { type RetryOptions, retryUntilReady } from '#core/retryStartup'

/** A broker that recovers its logs on a busy machine takes most of a minute. */
const forMs = 120_000

/** By name: Node does not find error classes among the exports of kafkajs. */
const outages = new Set([
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSBrokerNotFound',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSLockTimeout',
  'KafkaJSTimeout',
])
const answers = new Set(['KafkaJSProtocolError', 'KafkaJSCreateTopicError'])

/** Whether the brokers are unavailable or not ready, as opposed to a permanent rejection. */
export function isKafkaOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { name, errors, retriable, cause } = error as Partial<KafkaJSError> & Error & { errors?: unknown[] }
  // One for each topic. On a retry, topics that another process created meanwhile are skipped.
  if (errors !== undefined) return errors.some(isKafkaOutage)
  if (answers.has(name)) return retriable === true
  return outages.has(name) || isKafkaOutage(cause)
}

/** `work` may run twice. Throws other errors immediately, an outage after two minutes. */
export const retryConnect = <T>(work: () => Promise<T>, patience: Omit<RetryOptions, 'forMs'>): Promise<T> =>
  retryUntilReady(
    work,
    { forMs, ...patience },
    { isOutage: isKafkaOutage, words: 'Kafka does not answer yet; retrying' },
  )
