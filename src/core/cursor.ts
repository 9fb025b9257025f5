// Opaque signed cursors. A cursor opens only for the kind and the query (sort, filter) it was minted for; the server keeps no state.
//
//   base64url( mac[16] ++ utf8(JSON(value)) )      mac = HMAC-SHA256(secret, kind, bind, value)[0..16]
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Fault } from '#core/fault'

/** Longest cursor text that is decoded, characters. */
export const cursorLengthMax = 2_048
/** 128 bits of the HMAC: forging one takes 2^127 guesses, and the text stays short. */
const macBytes = 16

export interface CursorCodec {
  /** `bind` identifies the query the position belongs to; see `bindOf`. `value` must survive JSON. */
  encode(kind: string, bind: string, value: unknown): string
  /** Throws `VALIDATION_ERROR` unless this deployment minted exactly this text for this kind and bind. */
  decode(kind: string, bind: string, cursor: string): unknown
}

export function createCursorCodec(secret: Buffer): CursorCodec {
  if (secret.length < 16) throw new Error('a cursor secret needs at least 16 bytes')

  /** Length prefixes keep two different (kind, bind) pairs from yielding the same bytes. */
  const macOf = (kind: string, bind: string, payload: Buffer) =>
    createHmac('sha256', secret)
      .update(`crossbook.cursor.v1:${Buffer.byteLength(kind)}:${kind}:${Buffer.byteLength(bind)}:${bind}:`)
      .update(payload)
      .digest()
      .subarray(0, macBytes)

  return {
    encode(kind, bind, value) {
      const payload = Buffer.from(JSON.stringify(value))
      return Buffer.concat([macOf(kind, bind, payload), payload]).toString('base64url')
    },
    decode(kind, bind, cursor) {
      if (cursor.length > cursorLengthMax) throw refusal('too long')
      const bytes = Buffer.from(cursor, 'base64url')
      // Node skips foreign characters and unused trailing bits; a text that differs from ours was changed on the way.
      if (bytes.length <= macBytes || bytes.toString('base64url') !== cursor) throw refusal('not base64url')
      const payload = bytes.subarray(macBytes)
      if (!timingSafeEqual(bytes.subarray(0, macBytes), macOf(kind, bind, payload))) throw refusal('signature differs')
      return JSON.parse(payload.toString())
    },
  }
}

/** One message for every reason: a forger learns nothing, and a caller can only start over. */
const refusal = (detail: string) =>
  new Fault('VALIDATION_ERROR', 'cursor is not valid for this query: start again without it', { detail })

/**
 * Identifies a query for `bind`: equal parts yield equal text whatever the order of object keys; `undefined` counts as
 * absent.
 */
export function cursorBinding(parts: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(parts)))
    .digest('base64url')
    .slice(0, 22)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value ?? null
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]))
}
