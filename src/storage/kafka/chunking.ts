// How much goes into one send. Brokers limit the bytes one send brings to a partition (`message.max.bytes`, 1 MiB by default) and reject it as a
// whole, so a send stays below that limit in total, whichever partitions it goes to.
import type { KafkaJSError, Message } from 'kafkajs'

export const sendBytesMax = 900 * 1_024
/** Messages per send. */
export const sendMax = 2_000
/** Overhead of a message besides key and value: lengths, times, a header. */
const overheadBytes = 100

export const bytesOf = ({ key, value }: Message): number => lengthOf(key) + lengthOf(value) + overheadBytes

const lengthOf = (part: Buffer | string | null | undefined): number =>
  part === null || part === undefined ? 0 : Buffer.byteLength(part)

/** As many of the first as fit: at least one, even if it is too large by itself. */
export function chunk<T extends { message: Message }>(queue: Iterable<T>, countMax: number = sendMax): T[] {
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

/** The send exceeded the broker's limit: nothing of it was accepted, nor would be on a retry. */
export function isTooLarge(error: unknown): boolean {
  const { code, cause } = error as Partial<KafkaJSError> & { code?: unknown; cause?: unknown }
  if (code === messageTooLarge || code === recordListTooLarge) return true
  return cause !== undefined && cause !== null && isTooLarge(cause)
}
