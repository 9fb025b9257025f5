// The lines of a capture: JSON, one per line, in gzip members that each end with a whole line. docs/raw-capture.md describes them for readers.
//
// Events are the inputs of an ingest, in order; notes are what it did, and the resulting books and trades. Only events are counted: a note
// describes the state after that many of them.
import { isUtf8 } from 'node:buffer'
import type { Demand } from '#schemas/topics'

/** Increases when a program that reads captures of an earlier version would misread them. */
export const captureVersion = 1

/** When it happened: epoch ms, and ms on the capturing process' clock that never steps. */
export interface Stamp {
  at: number
  mono: number
}

/** How the ingest was started: a replay starts its own alike. */
export interface IngestSettings {
  epoch: number
  /** The part of the venue that it owned; absent: all of it. */
  part?: string
  idleUnwatchMs: number
  bookSnapshotMs: number
  recordsTraders: boolean
  tapesDepth: boolean
  /** Of its random numbers. */
  seed: number
  /** Whether it had a live feed to connect to. */
  streamed: boolean
  /** The venue's base addresses by name: each a name (`$REST`), or below another one (`$REST/clob`). */
  urls: Readonly<Record<string, readonly string[]>>
  /** Names of the operator's credentials. */
  credentials: readonly string[]
}

export type DemandLine = { type: 'demand'; gatewayId: string; marketIds: readonly string[] } & Pick<
  Demand,
  'purpose' | 'near'
>

/** First line of every file. */
export type HeaderLine = {
  type: 'capture'
  version: number
  /** Of the program that wrote it. */
  program: string
  venue: string
  /** Of one ingest, from its start to its end: the files of one run belong together. */
  run: string
  /** The run's first file is 1. */
  file: number
  /** Before this file. */
  events: number
  settings: IngestSettings
  /** What was wanted when the file began. */
  pinned: readonly string[] | null
  demands: readonly DemandLine[]
  /** Connections that were open, or opening. */
  sockets: readonly number[]
}

export type EventLine =
  | { type: 'pin'; bookIds: readonly string[] }
  | DemandLine
  /** The same as the sender's last one. */
  | { type: 'demandAgain'; gatewayId: string }
  | { type: 'open'; socket: number }
  /** `text`, or `base64` when the bytes are not UTF-8. */
  | ({ type: 'frame'; socket: number } & Payload)
  /** By the venue, or for lack of it. */
  | { type: 'closed'; socket: number; reason: string }
  | ({
      type: 'response'
      request: number
      status: number
      headers: Readonly<Record<string, string>>
      /** Milliseconds since the request. */
      tookMs: number
    } & Payload)
  /** The request failed, after retries. */
  | { type: 'failure'; request: number; code: string; message: string; retryAfterSeconds?: number }
  /** A token for the next connection was issued; it is not in the capture. */
  | { type: 'token'; error?: string }
  /** A trade read from the venue's chain. */
  | { type: 'chainTrade'; trade: unknown; isLate: boolean }
  /** The ingest is about to stop. */
  | { type: 'stopping' }

export type NoteLine =
  | { type: 'connect'; socket: number; url: string }
  | { type: 'sent'; socket: number; text: string }
  /** By us. */
  | { type: 'close'; socket: number }
  | { type: 'request'; request: number; method: string; url: string; query?: unknown; body?: unknown }
  /** What readers had of a book after so many events: `levels` identifies the levels of both sides. */
  | ({ type: 'book'; events: number } & BookState)
  /** So many rows of trades of one outcome are on the tape, and a digest of them in their order. */
  | { type: 'trades'; outcomeId: string; count: number; digest: string }
  /** Lines that were not written: the disk was full or slow. `events`: how many of them were events. */
  | { type: 'dropped'; lines: number; events: number }
  /** `inFlight`: requests that had no answer by then; absent: none. */
  | { type: 'stopped'; inFlight?: number[] }

export interface BookState {
  bookId: string
  state: 'live' | 'stale'
  /** Why it is stale. */
  reason?: string
  levels: string
  /** The best level of each side as readers see it; absent: that side is empty. */
  bid?: string
  ask?: string
}

export type Payload = { text: string } | { base64: string }
export type StampedLine = Stamp & (HeaderLine | EventLine | NoteLine)

export const payloadOf = (bytes: Buffer): Payload =>
  isUtf8(bytes) ? { text: bytes.toString('utf8') } : { base64: bytes.toString('base64') }

export const bytesOf = (payload: Payload): Buffer =>
  'text' in payload ? Buffer.from(payload.text) : Buffer.from(payload.base64, 'base64')
