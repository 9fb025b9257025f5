// Data frames as bytes. Ingest encodes a book's core once; only the envelope is added here.

import { ONE, toProbability, usdOf } from '#core/price'
import type { PendingTradeUpdate } from '#marketData/pendingTrades/index'
import type { StaleReason } from '#schemas/staleReason'
import type { TradeData, TradeUpdate } from '#schemas/topics'

export type BookFrameType = 'snapshot' | 'update'

/** The fixed bytes before `ts` in every frame of one market, built once per topic. */
export interface BookHeads {
  snapshot: Buffer
  update: Buffer
}

export function bookHeads(venue: string, marketId: string): BookHeads {
  const head = (type: BookFrameType) =>
    Buffer.from(`{"type":"${type}","venue":${JSON.stringify(venue)},"marketId":${JSON.stringify(marketId)},"ts":`)
  return { snapshot: head('snapshot'), update: head('update') }
}

const dataField = ',"data":'
const tail = '}}'

export interface BookVersion {
  /** When the frame is written, epoch ms. */
  ts: number
  /**
   * Increases with each published book of the market; an update's sequence is the previous frame's plus `conflated` plus
   * one.
   */
  sequence: number
  /** Books skipped in between because a newer one arrived before they were sent. */
  conflated: number
}

/** `core` is a book without its closing brace (see BookUpdate). */
export function bookFrame(head: Buffer, core: Buffer, { ts, sequence, conflated }: BookVersion): Buffer {
  const middle = `${ts},"sequence":${sequence}${conflated === 0 ? '' : `,"conflated":${conflated}`}${dataField}`
  const frame = Buffer.allocUnsafe(head.length + middle.length + core.length + tail.length)
  head.copy(frame, 0)
  let at = head.length
  at += frame.write(middle, at, 'latin1')
  core.copy(frame, at)
  frame.write(tail, at + core.length, 'latin1')
  return frame
}

export const tradeFrame = (trade: TradeUpdate, ts: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: 'trade',
      venue: trade.venue,
      marketId: trade.marketId,
      ...(trade.provenance && { provenance: trade.provenance }),
      ts,
      data: trade.data,
    }),
  )

/** `trade`: from the perspective of the market being read. */
export const pendingTradeFrame = (
  { venue, marketId }: { venue: string; marketId: string },
  { seenAt, state }: Pick<PendingTradeUpdate, 'seenAt' | 'state'>,
  trade: TradeData,
  ts: number,
): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: 'trade',
      venue,
      marketId,
      ...state,
      seenAt: new Date(seenAt).toISOString(),
      provenance: 'mempool',
      ts,
      data: trade,
    }),
  )

const otherType = { Buy: 'Sell', Sell: 'Buy', Unknown: 'Unknown' } as const

/** The same trade seen from the market's other side: who bought it there sold it here. */
export function complementTrade(
  { data }: Pick<TradeUpdate, 'data'>,
  outcomeId: string,
): Pick<TradeUpdate, 'outcomeId' | 'data'> {
  const micros = data.price === null ? null : ONE - Math.round(data.price * ONE)
  const other: TradeData = {
    ...data,
    type: otherType[data.type],
    price: micros === null ? null : toProbability(micros),
    usd: micros === null ? null : usdOf(micros, data.shares),
    outcome: data.outcome === 'Yes' ? 'No' : data.outcome === 'No' ? 'Yes' : null,
    outcomeIndex: data.outcomeIndex === null ? null : 1 - data.outcomeIndex,
  }
  return { outcomeId, data: other }
}

/** A book that can no longer be trusted is announced, never sent. */
export const staleFrame = (venue: string, marketId: string, reason: StaleReason, ts: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: 'error',
      code: 'NETWORK_ERROR',
      message: `book is stale: ${reason}`,
      staleReason: reason,
      venue,
      marketId,
      channel: 'orderbook',
      ts,
    }),
  )
