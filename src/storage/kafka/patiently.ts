// For what a process needs from the brokers once, at its start: if they are still starting, they are asked again, as PostgreSQL is. kafkajs does so
// for some steps, and gives up others at the first broken connection.
import type { KafkaJSError } from 'kafkajs'
import { type Patience, patientlyWith } from '#lib/patiently'

/** A broker that recovers its logs on a busy machine takes most of a minute. */
const forMs = 120_000

/** By name: Node sees no classes of errors among the exports of kafkajs. */
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

/** Whether the brokers are away or not ready, as opposed to a refusal that stays. */
export function isKafkaOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { name, errors, retriable, cause } = error as Partial<KafkaJSError> & Error & { errors?: unknown[] }
  // One for each topic. Those that another process made meanwhile are passed over when asked again.
  if (errors !== undefined) return errors.some(isKafkaOutage)
  if (answers.has(name)) return retriable === true
  return outages.has(name) || isKafkaOutage(cause)
}

/** `work` may be done twice. Throws what is no outage at once, an outage after two minutes. */
export const patiently = <T>(work: () => Promise<T>, patience: Omit<Patience, 'forMs'>): Promise<T> =>
  patientlyWith(
    work,
    { forMs, ...patience },
    { isOutage: isKafkaOutage, words: 'Kafka does not answer yet; asked again' },
  )
