// Parses the requests of a client of the older API family. Pure.
//
//   {"id": "req-1", "action": "subscribe", "exchange": "kalshi", "method": "watchOrderBook", "args": ["KX…", 10]}
import { z } from 'zod'
import '#core/validationMessages'
import { marketsPerMessageMax, messageBytesMost } from '#schemas/stream'
import { canonicalVenue } from '#schemas/venues'

const Id = z.string().min(1).max(256)
const levelsMax = 10_000
const Limit = z.number().int().min(1).max(levelsMax).nullish()

/** Positional, as its clients send them; further arguments concern venues we do not serve here. */
const methods = {
  watchOrderBook: { channel: 'orderbook', args: z.tuple([Id, Limit.optional()], z.unknown()) },
  watchOrderBooks: {
    channel: 'orderbook',
    args: z.tuple([z.array(Id).min(1).max(marketsPerMessageMax), Limit.optional()], z.unknown()),
  },
  /** The second argument is a wallet; public tapes cannot be filtered by it. */
  watchTrades: { channel: 'trades', args: z.tuple([Id, z.null().optional()], z.unknown()) },
} as const
export type WatchMethod = keyof typeof methods

const Envelope = z.object({
  id: z.string().min(1).max(128),
  action: z.enum(['subscribe', 'unsubscribe']),
  exchange: z.string().min(1).max(64).transform(canonicalVenue),
  method: z.string().max(64),
  args: z.array(z.unknown()).max(8).default([]),
})

export interface WatchRequest {
  id: string
  method: WatchMethod
  channel: 'orderbook' | 'trades'
  venue: string
  marketIds: readonly string[]
  /** Levels per side; null: all. */
  limit: number | null
}

export type OlderMessage =
  | { kind: 'watch'; request: WatchRequest }
  | { kind: 'unwatch'; id: string }
  | { kind: 'refused'; id: string | null; code: 'BAD_MESSAGE' | 'NOT_SUPPORTED'; message: string }

export function readOlderMessage(bytes: Buffer, isBinary: boolean): OlderMessage {
  const refuse = (id: string | null, message: string): OlderMessage => ({
    kind: 'refused',
    id,
    code: 'BAD_MESSAGE',
    message,
  })
  if (isBinary || bytes.length > messageBytesMost) return refuse(null, 'messages are JSON text')
  let raw: unknown
  try {
    raw = JSON.parse(bytes.toString('utf8'))
  } catch {
    return refuse(null, 'message is not JSON')
  }
  const envelope = Envelope.safeParse(raw)
  if (!envelope.success) return refuse(idOf(raw), wordsOf(envelope.error))
  const { id, action, exchange: venue, method, args } = envelope.data
  if (action === 'unsubscribe') return { kind: 'unwatch', id }
  if (!Object.hasOwn(methods, method)) {
    const message = `${method} is not served here: ${Object.keys(methods).join(', ')} are`
    return { kind: 'refused', id, code: 'NOT_SUPPORTED', message }
  }
  const { channel, args: shape } = methods[method as WatchMethod]
  const parsed = shape.safeParse(args)
  if (!parsed.success) return refuse(id, `args.${wordsOf(parsed.error)}`)
  const [ids, limit] = parsed.data
  const marketIds = typeof ids === 'string' ? [ids] : [...new Set(ids)]
  return {
    kind: 'watch',
    request: { id, method: method as WatchMethod, channel, venue, marketIds, limit: limit ?? null },
  }
}

/** The id of an otherwise invalid message: its sender waits for an answer under it. */
function idOf(raw: unknown): string | null {
  const id = Envelope.shape.id.safeParse((raw as { id?: unknown } | null)?.id)
  return id.success ? id.data : null
}

function wordsOf({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join('.') ?? ''
  return `${path === '' ? 'message' : path}: ${issue?.message}`
}
