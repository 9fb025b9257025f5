// The stream's protocol without a socket: client frames in, acknowledgements and error frames out. Pure.
import type { z } from 'zod'
import { findUnknown, suggestUnknown } from '#core/didYouMean'
import { formatIssues } from '#core/formatZodIssues'
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
  type NamedOp,
  type ReplayOp,
} from '#schemas/stream'
import { canonicalVenue, tradeFilterVenue } from '#schemas/venues'

export type { StreamErrorCode }
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

type NamingOp = Extract<NamedOp, { op: 'subscribe' | 'unsubscribe' }>
/** For one market. `depth`: levels per side; null: all. */
export interface MarketOp extends Pick<NamingOp, 'op' | 'channel' | 'venue' | 'filters'> {
  marketId: string
  depth: number | null
}
export interface MarketsOp {
  op: 'markets'
  markets: MarketOp[]
}
/** The operation as requested, before names are resolved. */
export type StreamOp = Exclude<NamedOp, NamingOp> | MarketsOp

export type ParsedFrame =
  | { ok: true; op: StreamOp }
  /** `op` as the message gave it, so that a failed `auth` can be distinguished from another failed operation. */
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
  const fields = raw as Record<string, unknown>
  if (parsed.success) return named(parsed.data, requestId(fields))
  const op = typeof fields.op === 'string' ? fields.op.slice(0, echoCharsMax) : null
  const message = op === null ? 'op is missing' : wordsOf(op, fields, parsed.error.issues)
  return { ok: false, message, echo: { ...requestId(fields), ...channelNamedBy(op) }, op }
}

function named(given: ClientOp, echo: Echo): ParsedFrame {
  const refuse = (channel: string, message: string): ParsedFrame => ({
    ok: false,
    message,
    echo: { ...echo, channel },
    op: given.op,
  })
  switch (given.op) {
    case 'subscribe':
    case 'unsubscribe':
      return marketsOf(given, echo)
    case 'subscribePrice':
    case 'unsubscribePrice': {
      const marketId = nameIn(given)
      if (marketId === null) return refuse('price', `marketId: ${oneName}`)
      return { ok: true, op: { ...given, marketId } }
    }
    case 'subscribeReplay': {
      const markets: ReplayOp['markets'] = []
      for (const [i, market] of given.markets.entries()) {
        const marketId = nameIn(market)
        if (marketId === null) return refuse('replay', `markets.${i}.marketId: ${oneName}`)
        markets.push({ ...market, marketId })
      }
      return { ok: true, op: { ...given, markets } }
    }
    default:
      return { ok: true, op: given }
  }
}

const oneName = 'is required, or outcomeId; give only one of them'

/** Null: not exactly one. */
function nameIn({ marketId, outcomeId }: { marketId?: string | undefined; outcomeId?: string | undefined }) {
  return (marketId === undefined) === (outcomeId === undefined) ? null : (marketId ?? outcomeId)!
}

function marketsOf(given: NamingOp, echo: Echo): ParsedFrame {
  const { op, channel, venue, marketId, outcomeId, marketIds, depth, filters } = given
  const refuse = (message: string): ParsedFrame => ({ ok: false, message, echo, op })
  const named = [marketId, outcomeId, marketIds].filter((name) => name !== undefined)
  if (named.length === 0) return refuse('marketId: is required, or outcomeId, or marketIds')
  if (named.length > 1) return refuse('marketId, outcomeId and marketIds: give only one of them')
  if (depth !== undefined && channel !== 'orderbook') return refuse('depth: is only for books')
  const ids = new Set(marketIds ?? [(marketId ?? outcomeId)!])
  const rest = { op, channel, venue, depth: typeof depth === 'number' ? depth : null, filters }
  return { ok: true, op: { op: 'markets', markets: Array.from(ids, (id) => ({ ...rest, marketId: id })) } }
}

/** A mistyped name is reported before the field that is missing because of it. */
function wordsOf(op: string, fields: object, issues: readonly z.core.$ZodIssue[]): string {
  const option = ClientOp.options.find(({ shape }) => shape.op.safeParse(op).success)
  if (option === undefined) return `unknown op ${op}`
  const unknown = op === 'auth' ? null : findUnknown(option, fields)
  if (unknown !== null) return suggestUnknown(unknown)
  return issues[0]?.path.length === 0 ? `message: ${formatIssues(issues)}` : formatIssues(issues)
}

function channelNamedBy(op: string | null): Echo {
  const channel = op === null ? undefined : channelOfOp(op)
  return channel === undefined ? {} : { channel }
}

const bad = (message: string): ParsedFrame => ({ ok: false, message, echo: {}, op: null })

/** The fields of any message worth echoing: strings only, bounded, the venue in our case. */
export function requestId(fields: Readonly<Partial<Record<keyof Echo, unknown>>>): Echo {
  const echo: Echo = {}
  for (const name of ['venue', 'marketId', 'channel', 'feed', 'symbol'] as const) {
    const value = fields[name]
    if (typeof value !== 'string' || value.length > echoCharsMax) continue
    echo[name] = name === 'venue' ? canonicalVenue(value) : value
  }
  return echo
}

const tradeStatuses = ['confirmed', 'pending', 'all'] as const
/** `confirmed`: trades as they come. `pending`: fills that wait for their block, and their outcome. `all`: both. */
export type TradeStatus = (typeof tradeStatuses)[number]

/** For filters that were accepted. */
export const tradeStatusOf = ({ filters }: Pick<MarketOp, 'filters'>): TradeStatus =>
  (filters as { status?: TradeStatus } | undefined)?.status ?? 'confirmed'

/** Null when the operation's `filters` are absent or supported; otherwise the refusal, never fatal. `isWatched`: a mempool is watched. */
export function rejectFilters(
  op: Pick<MarketOp, 'channel' | 'venue' | 'filters'>,
  isWatched = false,
): { code: StreamErrorCode; message: string } | null {
  const { filters } = op
  if (filters === undefined) return null
  const misuse = (message: string) => ({ code: 'BAD_MESSAGE' as const, message })
  if (op.channel !== 'trades' || op.venue !== tradeFilterVenue)
    return misuse(`filters are for ${tradeFilterVenue} trades`)
  if (typeof filters !== 'object' || filters === null || Array.isArray(filters))
    return misuse('filters is not an object')
  const strange = Object.keys(filters).find((key) => key !== 'status')
  if (strange !== undefined) return misuse(suggestUnknown({ path: ['filters'], name: strange, known: ['status'] }))
  const status = (filters as { status?: unknown }).status
  if (status === undefined || status === 'confirmed') return null
  if (!(tradeStatuses as readonly unknown[]).includes(status))
    return misuse('filters.status must be one of confirmed, pending, all')
  if (isWatched) return null
  return { code: 'NOT_SUPPORTED', message: 'no mempool watcher here: only confirmed trades are served' }
}

/** Sent with the acknowledgement for trades that do not come from the venue's own tape. */
export interface PendingTradesNotice {
  provenance: 'chain-scan' | 'mempool'
  /**
   * Recent measurement; null: not yet. For trades read from a chain: from block to reader. For pending fills: from first sight to their
   * block.
   */
  latencyMs: number | null
  /** What this tape contains, and what it does not. */
  completeness: string
}

/** What a name resolved to: the market in the catalog, null when unknown there, and the venue's own id of what is read. */
export interface ReadNames {
  catalogMarketId?: string | null
  nativeId?: string
}

export interface Ack extends Echo, ReadNames {
  channel: string
  /** For a market's channel: the catalog outcome it reads; null when the catalog does not know it. For prices: as requested. */
  outcomeId?: string | null
  /** For a replay: what each of its markets reads. */
  markets?: readonly ({ venue: string; marketId: string; outcomeId: string | null } & ReadNames)[]
  /** For a book that is truncated. */
  depth?: number
  /** For trades, when it is not `confirmed`. */
  status?: TradeStatus
  disclosure?: PendingTradesNotice
}

const bytesOf = (frame: object): Buffer => Buffer.from(JSON.stringify(frame))

export const authOkFrame: Buffer = bytesOf({ type: 'auth', status: 'ok' })
export const subscribedFrame = (ack: Ack): Buffer => bytesOf({ type: 'subscribed', ...ack })
export const unsubscribedFrame = (ack: Ack): Buffer => bytesOf({ type: 'unsubscribed', ...ack })

export const errorFrame = (code: StreamErrorCode, message: string, echo: Echo, ts: number): Buffer =>
  bytesOf({ type: 'error', code, message, ...echo, ts })
