// What the gateway hands to the HTTP layer and gets back. Nothing here knows uWebSockets.js.

export interface HttpCall {
  method: string
  path: string
  /** Raw query string without `?`. */
  query: string
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  /** How often a header came, lower-case name; also one whose value is empty, or nothing the transport can read. */
  timesOf(header: string): number
  body: Buffer
  remoteAddress: string
  /** Aborts when the client went away. */
  signal: AbortSignal
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  /** A stream is written with backpressure; its error after the first byte closes the socket without the final chunk. */
  body: string | Buffer | AsyncIterable<Uint8Array>
  /** Bytes of a stream, where they are known: told to the client, so that it can tell a part from the whole. */
  length?: number
}

/** Answers every call, failures included: never throws, never rejects. Synchronous where nothing must be awaited. */
export type HttpHandler = (call: HttpCall) => HttpAnswer | Promise<HttpAnswer>

/** Bodies above this are refused with 413 before they are parsed, but on routes that say otherwise. */
export const bodyBytesMax = 64 * 1024

/** What the gateway must know of a call before its handler is asked. */
export interface RouteTraits {
  bodyBytesMax: number
  /** Something may be different afterwards: never begun when its answer could not be given. */
  hasEffect: boolean
}
export type TraitsOf = (method: string, path: string) => RouteTraits
