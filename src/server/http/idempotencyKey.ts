// What is valid as an idempotency key. Checked before anything is looked up or written.
import { Fault } from '#core/fault'

/** Characters; a key is a name, not a document. */
export const keyLengthMax = 255
/** Case-sensitive: the service uses these prefixes for its own attempts. */
const reserved = ['cond:', 'dry-run:']

/**
 * `times`: how often the header occurred. The transport strips non-ASCII characters from its ends, and may leave
 * nothing.
 */
export function readIdempotencyKey(header: string | undefined, times: number): string {
  if (times > 1) throw new Fault('VALIDATION_ERROR', 'the Idempotency-Key was sent more than once')
  if (times === 1 && header === undefined)
    throw new Fault('VALIDATION_ERROR', 'the Idempotency-Key is empty, or not in ASCII')
  const key = header?.trim() ?? ''
  if (key === '') throw new Fault('IDEMPOTENCY_KEY_REQUIRED', 'send an Idempotency-Key header')
  if (key === 'undefined' || key === 'null')
    throw new Fault('VALIDATION_ERROR', `the Idempotency-Key is the word "${key}", probably from an unset variable`)
  if (key.length > keyLengthMax)
    throw new Fault('VALIDATION_ERROR', `the Idempotency-Key is longer than ${keyLengthMax} characters`)
  if (!/^[\x20-\x7e]+$/.test(key))
    throw new Fault('VALIDATION_ERROR', 'the Idempotency-Key contains characters that are not printable ASCII')
  if (reserved.some((prefix) => key.startsWith(prefix)))
    throw new Fault('RESERVED_IDEMPOTENCY_KEY', 'Idempotency-Keys that begin with cond: or dry-run: are reserved')
  return key
}
