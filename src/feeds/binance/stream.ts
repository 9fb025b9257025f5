// Binance's market streams without any socket: what is asked, and what a frame says.
import { StreamTicker } from './wire.ts'

/** Streams of one connection. */
export const streamsMax = 1_024
/** A window is below a kilobyte. */
const frameBytesMax = 64 * 1024

const streamOf = (id: string): string => `${id.toLowerCase()}@ticker`

/** With what is wanted from the start. */
export const streamUrl = (base: string, ids: readonly string[]): string =>
  `${base}/stream?streams=${ids.map(streamOf).join('/')}`

export const request = (method: 'SUBSCRIBE' | 'UNSUBSCRIBE', ids: readonly string[], id: number): string =>
  JSON.stringify({ method, params: ids.map(streamOf), id })

export type Said =
  | { kind: 'window'; window: StreamTicker }
  /** An acknowledgement, or news that mean nothing here. */
  | { kind: 'control' }
  /** A request was refused, or the server is about to go: the connection is of no more use. */
  | { kind: 'end'; why: string }
  | { kind: 'malformed' }

export function readFrame(bytes: Buffer): Said {
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
