// Binance's market streams without a socket: requests, and the meaning of frames.
import { StreamTicker } from './wire.ts'

/** Maximum streams per connection. */
export const streamsMax = 1_024
/** A window is smaller than a kilobyte. */
const frameBytesMax = 64 * 1024

const streamOf = (id: string): string => `${id.toLowerCase()}@ticker`

/** With the initially wanted streams. */
export const streamUrl = (base: string, ids: readonly string[]): string =>
  `${base}/stream?streams=${ids.map(streamOf).join('/')}`

export const request = (method: 'SUBSCRIBE' | 'UNSUBSCRIBE', ids: readonly string[], id: number): string =>
  JSON.stringify({ method, params: ids.map(streamOf), id })

export type OracleStatus =
  | { kind: 'window'; window: StreamTicker }
  /** An acknowledgement, or an irrelevant event. */
  | { kind: 'control' }
  /** A request was refused, or the server is about to shut down: the connection is no longer useful. */
  | { kind: 'end'; why: string }
  | { kind: 'malformed' }

export function readFrame(bytes: Buffer): OracleStatus {
  if (bytes.length > frameBytesMax) return { kind: 'malformed' }
  let message: unknown
  try {
    message = JSON.parse(bytes.toString())
  } catch {
    return { kind: 'malformed' }
  }
  const fields = fieldsOf(message)
  const data = fieldsOf(fields.data ?? message)
  if (data.e === '24hrTicker') {
    const window = StreamTicker.safeParse(data)
    return window.success ? { kind: 'window', window: window.data } : { kind: 'malformed' }
  }
  if (data.e === 'serverShutdown') return { kind: 'end', why: 'the server shuts down' }
  if (fields.error !== undefined || typeof fields.code === 'number')
    return { kind: 'end', why: 'a request was refused' }
  return 'result' in fields || typeof data.e === 'string' ? { kind: 'control' } : { kind: 'malformed' }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
