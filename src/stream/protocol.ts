// The stream's protocol without any socket: client frames in, acknowledgements and error frames out. Pure.
import type { z } from 'zod'
import { findUnknown, unknownWords } from '#lib/unknownNames'
import type { StreamErrorCode } from '#schemas/errors'
import {
  ClientOp,
  channelOfOp,
  closeFlood,
  closeGoingAway,
  closeSlowConsumer,
  closeTryAgain,
  closeUnauthorized,
  messageBytesMax,
} from '#schemas/stream'
import { canonicalVenue, tradeFilterVenue } from '#schemas/venues'

export type { ClientOp, StreamErrorCode }
export { closeFlood, closeGoingAway, closeSlowConsumer, closeTryAgain, closeUnauthorized, messageBytesMax }

/** Longest string of a refused message that is echoed back. */
const echoCharsMax = 256

/** What an error frame repeats of the operation it answers. */
export interface Echo {
  venue?: string
  marketId?: string
  channel?: string
  feed?: string
  symbol?: string
}

export type ParsedFrame =
  | { ok: true; op: ClientOp }
  /** `op` is what the message called itself, so that a failed `auth` can be told from another failed operation. */
  | { ok: false; message: string; echo: Echo; op: string | null }

export function parseClientFrame(bytes: Buffer, isBinary: boolean): ParsedFrame {
  if (isBinary) return bad('messages are JSON text, not binary')
  if (bytes.length > messageBytesMax) return bad(`message is larger than ${messageBytesMax} bytes`)
  let raw: unknown
  try {
    raw = JSON.parse(bytes.toString('utf8'))
  } catch {
    return bad('message is not JSON')
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return bad('message is not a JSON object')
  const parsed = ClientOp.safeParse(raw)
  if (parsed.success) return { ok: true, op: parsed.data }
  const fields = raw as Record<string, unknown>
  const op = typeof fields.op === 'string' ? fields.op.slice(0, echoCharsMax) : null
  const message = op === null ? 'op is missing' : wordsOf(op, fields, parsed.error.issues[0])
  return { ok: false, message, echo: { ...echoOf(fields), ...channelNamedBy(op) }, op }
}

/** A mistyped name is told before the one that is missing for it. */
function wordsOf(op: string, fields: object, issue: z.core.$ZodIssue | undefined): string {
  const option = ClientOp.options.find(({ shape }) => shape.op.safeParse(op).success)
  if (option === undefined) return `unknown op ${op}`
  const unknown = op === 'auth' ? null : findUnknown(option, fields)
  if (unknown !== null) return unknownWords(unknown)
  const path = issue?.path.join('.') ?? ''
  return `${path === '' ? 'message' : path}: ${issue?.message}`
}

function channelNamedBy(op: string | null): Echo {
  const channel = op === null ? undefined : channelOfOp(op)
  return channel === undefined ? {} : { channel }
}

const bad = (message: string): ParsedFrame => ({ ok: false, message, echo: {}, op: null })

/** The fields of any message worth repeating: strings only, bounded, venue in the case we use. */
export function echoOf(fields: Readonly<Record<string, unknown>>): Echo {
  const echo: Echo = {}
  for (const name of ['venue', 'marketId', 'channel', 'feed', 'symbol'] as const) {
    const value = fields[name]
    if (typeof value !== 'string' || value.length > echoCharsMax) continue
    echo[name] = name === 'venue' ? canonicalVenue(value) : value
  }
  return echo
}

const tradeStatuses = ['confirmed', 'pending', 'all'] as const
/** `confirmed`: trades as they come. `pending`: fills that wait for their block, and what becomes of them. `all`: both. */
export type TradeStatus = (typeof tradeStatuses)[number]

type MarketOp = Extract<ClientOp, { op: 'subscribe' | 'unsubscribe' }>

/** Of filters that were not refused. */
export const tradeStatusOf = ({ filters }: Pick<MarketOp, 'filters'>): TradeStatus =>
  (filters as { status?: TradeStatus } | undefined)?.status ?? 'confirmed'

/** Null when the operation's `filters` are absent or mean what we serve; else the refusal, never fatal. `isWatched`: somebody watches a mempool. */
export function refuseFilters(op: MarketOp, isWatched = false): { code: StreamErrorCode; message: string } | null {
  const { filters } = op
  if (filters === undefined) return null
  const misuse = (message: string) => ({ code: 'BAD_MESSAGE' as const, message })
  if (op.channel !== 'trades' || op.venue !== tradeFilterVenue)
    return misuse(`filters are for ${tradeFilterVenue} trades`)
  if (typeof filters !== 'object' || filters === null || Array.isArray(filters))
    return misuse('filters is not an object')
  const strange = Object.keys(filters).find((key) => key !== 'status')
  if (strange !== undefined) return misuse(unknownWords({ path: ['filters'], name: strange, known: ['status'] }))
  const status = (filters as { status?: unknown }).status
  if (status === undefined || status === 'confirmed') return null
  if (!(tradeStatuses as readonly unknown[]).includes(status))
    return misuse('filters.status is one of confirmed, pending, all')
  if (isWatched) return null
  return { code: 'NOT_SUPPORTED', message: 'no mempool watcher here: only confirmed trades are served' }
}

/** Said with the acknowledgement of trades that come from elsewhere than the venue's own tape. */
export interface Disclosure {
  provenance: 'chain-scan' | 'mempool'
  /** Off a chain: from a block to its readers. Of pending fills: from seeing them to their block. As measured lately; null: not yet. */
  latencyMs: number | null
  /** What is in this tape, and what is not. */
  completeness: string
}

export interface Ack extends Echo {
  channel: string
  /** Of trades, where it is not `confirmed`. */
  status?: TradeStatus
  disclosure?: Disclosure
}

const bytesOf = (frame: object): Buffer => Buffer.from(JSON.stringify(frame))

export const authOkFrame: Buffer = bytesOf({ type: 'auth', status: 'ok' })
export const subscribedFrame = (ack: Ack): Buffer => bytesOf({ type: 'subscribed', ...ack })
export const unsubscribedFrame = (ack: Ack): Buffer => bytesOf({ type: 'unsubscribed', ...ack })

export const errorFrame = (code: StreamErrorCode, message: string, echo: Echo, ts: number): Buffer =>
  bytesOf({ type: 'error', code, message, ...echo, ts })
