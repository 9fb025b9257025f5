// The slow, tolerant path: JSON.parse and a schema. It takes every frame that the scanner does not know, and calls the handler with the same values.

import { z } from 'zod'
import { parseMicros } from '#core/price'
import { parseFrameJson } from '#net/jsonScan'
import {
  DeltaFrame,
  ErrorFrame,
  LifecycleFrame,
  OkFrame,
  SnapshotFrame,
  SubscribedFrame,
  TickerFrame,
  TradeFrame,
} from '../wire.ts'
import { isLevelPrice } from './price.ts'
import { type FrameHandler, takerOutcomeSide } from './scan.ts'

/** Frames that only this path handles. */
export interface ControlHandler extends FrameHandler {
  ticker(
    ticker: string,
    lastMicros: number | null,
    bidMicros: number | null,
    askMicros: number | null,
    tsMs: number | null,
  ): void
  lifecycle(message: z.infer<typeof LifecycleFrame>['msg']): void
  subscribed(channel: string, sid: number): void
  ok(sid: number | null, seq: number | null): void
  refusal(commandId: number | null, code: number | null, text: string, ticker: string | null): void
  /** A message about this book could not be read. Its place in the sequence: null when that could not be read either. */
  unread(ticker: string, place: { sid: number; seq: number } | null): void
}

/** `data`: it carried market data. `control`: an answer to a command. */
export type ParseOutcome = 'data' | 'control' | { malformed: string }

export function parseFrame(frame: Buffer, handler: ControlHandler): ParseOutcome {
  let body: unknown
  try {
    body = parseFrameJson(frame.toString('utf8'))
  } catch {
    return { malformed: 'not JSON' }
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { malformed: 'not an object' }
  const type = (body as Record<string, unknown>).type
  if (typeof type !== 'string') return { malformed: 'no type' }
  const read = readers[type]
  if (read === undefined) return { malformed: 'unknown type' }
  const trouble = read(body, handler)
  if (trouble !== null) {
    if (bookTypes.has(type)) noteUnread(body, handler)
    return { malformed: trouble }
  }
  return controlTypes.has(type) ? 'control' : 'data'
}

const bookTypes: ReadonlySet<string> = new Set(['orderbook_delta', 'orderbook_snapshot'])

const Unread = z.object({
  sid: z.int().nullable().catch(null),
  seq: z.int().nullable().catch(null),
  msg: z.object({ market_ticker: z.string() }),
})

/** Without a readable ticker, the gap that it leaves in the sequence breaks every book of the subscription. */
function noteUnread(body: unknown, handler: ControlHandler): void {
  const unread = Unread.safeParse(body).data
  if (unread === undefined) return
  const { sid, seq, msg } = unread
  handler.unread(msg.market_ticker, sid === null || seq === null ? null : { sid, seq })
}

const controlTypes: ReadonlySet<string> = new Set(['subscribed', 'ok', 'unsubscribed', 'error'])

/** Null when the frame was understood, otherwise why not. */
type Reader = (body: unknown, handler: ControlHandler) => string | null

const readers: Readonly<Record<string, Reader | undefined>> = Object.assign(Object.create(null), {
  orderbook_delta(body, handler) {
    const frame = DeltaFrame.safeParse(body)
    if (!frame.success) return 'orderbook_delta: form'
    const { sid, seq, msg } = frame.data
    const micros = parseMicros(msg.price_dollars)
    if (micros === null || !isLevelPrice(micros)) return 'orderbook_delta: price'
    const delta = decimal(msg.delta_fp)
    if (delta === null) return 'orderbook_delta: delta'
    handler.delta(sid, seq, msg.market_ticker, msg.side === 'yes', micros, delta, msg.ts_ms)
    return null
  },
  orderbook_snapshot(body, handler) {
    const frame = SnapshotFrame.safeParse(body)
    if (!frame.success) return 'orderbook_snapshot: form'
    const { sid, seq, msg } = frame.data
    const yes = levels(msg.yes_dollars_fp)
    const no = levels(msg.no_dollars_fp)
    if (yes === null || no === null) return 'orderbook_snapshot: level'
    handler.snapshot(sid, seq, msg.market_ticker, msg.market_id !== '', yes, no)
    return null
  },
  trade(body, handler) {
    const frame = TradeFrame.safeParse(body)
    if (!frame.success) return 'trade: form'
    const { msg } = frame.data
    const yesMicros = parseMicros(msg.yes_price_dollars)
    const count = decimal(msg.count_fp)
    if (yesMicros === null || count === null || count < 0) return 'trade: numbers'
    handler.trade({
      tradeId: msg.trade_id,
      ticker: msg.market_ticker,
      yesMicros,
      count,
      takerSide: takerOutcomeSide(msg.taker_outcome_side, msg.taker_book_side, msg.taker_side),
      tsMs: msg.ts_ms ?? msg.ts * 1000,
    })
    return null
  },
  ticker(body, handler) {
    const frame = TickerFrame.safeParse(body)
    if (!frame.success) return 'ticker: form'
    const { msg } = frame.data
    const micros = (text: string | null | undefined) => (typeof text === 'string' ? parseMicros(text) : null)
    handler.ticker(
      msg.market_ticker,
      micros(msg.price_dollars),
      micros(msg.yes_bid_dollars),
      micros(msg.yes_ask_dollars),
      msg.ts_ms ?? null,
    )
    return null
  },
  market_lifecycle_v2(body, handler) {
    const frame = LifecycleFrame.safeParse(body)
    if (!frame.success) return 'market_lifecycle_v2: form'
    handler.lifecycle(frame.data.msg)
    return null
  },
  subscribed(body, handler) {
    const frame = SubscribedFrame.safeParse(body)
    if (!frame.success) return 'subscribed: form'
    handler.subscribed(frame.data.msg.channel, frame.data.msg.sid)
    return null
  },
  ok: acknowledgement,
  unsubscribed: acknowledgement,
  error(body, handler) {
    const frame = ErrorFrame.safeParse(body)
    if (!frame.success) return 'error: form'
    const { id, msg } = frame.data
    handler.refusal(id ?? null, msg.code ?? null, msg.msg ?? '', msg.market_ticker ?? null)
    return null
  },
  // Also sent on the lifecycle channel; they change nothing here before the next catalog walk.
  event_lifecycle: () => null,
  event_fee_update: () => null,
} satisfies Record<string, Reader>)

function acknowledgement(body: unknown, handler: ControlHandler): string | null {
  const frame = OkFrame.safeParse(body)
  if (!frame.success) return 'ok: form'
  handler.ok(frame.data.sid ?? null, frame.data.seq ?? null)
  return null
}

/** A plain decimal in JSON number format, inside a string. */
export function decimal(text: string): number | null {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

function levels(wire: readonly (readonly [string, string])[] | null | undefined): number[] | null {
  const flat: number[] = []
  for (const [price, size] of wire ?? []) {
    const micros = parseMicros(price)
    const count = decimal(size)
    if (micros === null || !isLevelPrice(micros) || count === null || count < 0) return null
    flat.push(micros, count)
  }
  return flat
}
