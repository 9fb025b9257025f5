// How much goes into one send. Brokers limit the bytes that one send brings to a partition (`message.max.bytes`, 1 MiB by default) and refuse it as a
// whole: so a send stays below that limit in total, whichever partitions it goes to.
import type { KafkaJSError, Message } from 'kafkajs'

export const sendBytesMax = 900 * 1_024
/** Messages of one send. */
export const sendMax = 2_000
/** Of a message beside key and value: lengths, times, a header. */
const besideBytes = 100

export const bytesOf = ({ key, value }: Message): number => lengthOf(key) + lengthOf(value) + besideBytes

const lengthOf = (part: Buffer | string | null | undefined): number =>
  part === null || part === undefined ? 0 : Buffer.byteLength(part)

/** As many of the first as fit: one at least, also where it is too large for itself. */
export function portion<T extends { message: Message }>(queue: Iterable<T>, countMax: number = sendMax): T[] {
  const taken: T[] = []
  let bytes = 0
  for (const queued of queue) {
    bytes += bytesOf(queued.message)
    if (taken.length > 0 && (bytes > sendBytesMax || taken.length >= countMax)) break
    taken.push(queued)
  }
  return taken
}

const messageTooLarge = 10
const recordListTooLarge = 18

/** What was sent was more than the broker takes at once: it has none of that, and would refuse it again. */
export function isTooLarge(error: unknown): boolean {
  const { code, cause } = error as Partial<KafkaJSError> & { code?: unknown; cause?: unknown }
  if (code === messageTooLarge || code === recordListTooLarge) return true
  return cause !== undefined && cause !== null && isTooLarge(cause)
}
