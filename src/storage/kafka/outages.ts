// Which errors of the brokers pass by themselves.
import type { KafkaJSError } from 'kafkajs'
import type { StartupProvider } from '#core/retryAtStartup'

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

/**
 * kafkajs retries some steps itself, and gives up others at the first broken connection. A broker that recovers its logs on a busy machine takes
 * most of a minute.
 */
export const kafkaAtStartup: StartupProvider = { name: 'Kafka', isOutage: isKafkaOutage, forMs: 120_000 }
