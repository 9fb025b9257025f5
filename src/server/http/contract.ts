// The interface between the gateway and the HTTP layer. Nothing here knows uWebSockets.js.

export interface HttpCall {
  method: string
  path: string
  /** Raw query string without `?`. */
  query: string
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  /** How often a header occurred, by lower-case name; including empty and unreadable ones. */
  timesOf(header: string): number
  body: Buffer
  remoteAddress: string
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  /** A stream is written with backpressure; its error after the first byte closes the socket without the final chunk. */
  body: string | Buffer | AsyncIterable<Uint8Array>
  /** Length of a stream in bytes, if known: sent to the client, so that it can detect a truncated body. */
  length?: number
}

/** Answers every call, failures included: never throws, never rejects. Synchronous when nothing must be awaited. */
export type HttpHandler = (call: HttpCall) => HttpAnswer | Promise<HttpAnswer>

/** Bodies above this are refused with 413 before they are parsed, except on routes with their own limit. */
export const bodyBytesMax = 64 * 1024

/** What the gateway must know of a call before it calls the handler. */
export interface RouteTraits {
  bodyBytesMax: number
  /** It may change something: never started when its answer could not be delivered. */
  hasEffect: boolean
}
export type TraitsOf = (method: string, path: string) => RouteTraits
