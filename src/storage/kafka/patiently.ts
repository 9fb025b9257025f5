// What a process needs of the brokers once, when it starts: they are asked again while they start themselves, as PostgreSQL is. kafkajs does so
// for some steps, and ends others at the first connection that breaks.
import { KafkaJSAggregateError, KafkaJSError, KafkaJSProtocolError } from 'kafkajs'
import { type Patience, patientlyWith } from '#lib/patiently'

/** A broker that recovers its logs on a busy machine takes most of a minute. */
const forMs = 120_000

const outages = new Set([
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSBrokerNotFound',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSLockTimeout',
  'KafkaJSTimeout',
])

/** Whether the brokers are away or not ready, as opposed to a refusal that stays. */
export function isKafkaOutage(error: unknown): boolean {
  // Topics made at once by another process that starts: what is there by then is passed over.
  if (error instanceof KafkaJSAggregateError) return error.errors.some(isKafkaOutage)
  if (!(error instanceof KafkaJSError)) return false
  if (error instanceof KafkaJSProtocolError) return error.retriable
  return outages.has(error.name) || isKafkaOutage(error.cause)
}

/** `work` may be done twice, and undoes what it did before it fails. Throws what is no outage at once, an outage after two minutes. */
export const patiently = <T>(work: () => Promise<T>, patience: Omit<Patience, 'forMs'>): Promise<T> =>
  patientlyWith(
    work,
    { forMs, ...patience },
    { isOutage: isKafkaOutage, words: 'Kafka does not answer yet; asked again' },
  )
