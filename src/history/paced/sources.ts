// Events of one market of a replay in time order: pages of its tape, one held at a time, and its gaps.
import { ONE, usdOf } from '#core/price'
import type { CoverageGap } from '#schemas/history'
import type { TradeData } from '#schemas/topics'
import type { Gap } from '../statements/gaps.ts'
import type { MarketHistory, ReplayKind, ReplayPosition, ReplayQuery } from '../tape.ts'
import { byReceivedAt, eventWindow } from './receiveOrder.ts'
import type { Window } from './window.ts'

/** A frame without `ts`, which is written when it is sent, and without its head. */
export interface EmittedFrame {
  /** When it was received, epoch ms. */
  at: number
  kind: 'book' | 'trade' | 'gap'
  data: object
}

export interface Market {
  venue: string
  /** As requested. */
  marketId: string
  outcomeIds: readonly string[]
  /** The catalog's, if known. */
  catalogMarketId: string | undefined
}

interface TopLine {
  ts: number
  recvTs: number
  bid: number | null
  bidSize: number | null
  ask: number | null
  askSize: number | null
}

interface TradeLine {
  ts: number
  recvTs: number
  tradeId: string
  price: number | null
  size: number
  side: 'buy' | 'sell' | 'unknown'
  transactionHash: string | null
}

/** Top of book in order of receipt. */
export const topsOf = (
  tape: Pick<MarketHistory, 'replay'>,
  market: Market,
  window: Window,
  pageRows: number,
  signal: AbortSignal,
): AsyncGenerator<EmittedFrame[]> =>
  byReceivedAt(linesOf<TopLine>(tape, market, 'tob', eventWindow(window), pageRows, signal), window, pageRows, bookOf)

export const tradesOf = (
  tape: Pick<MarketHistory, 'replay'>,
  market: Market,
  window: Window,
  pageRows: number,
  signal: AbortSignal,
): AsyncGenerator<EmittedFrame[]> =>
  byReceivedAt(
    linesOf<TradeLine>(tape, market, 'trades', eventWindow(window), pageRows, signal),
    window,
    pageRows,
    tradeOf,
  )

/** `pageRows`: held at once. No page is empty. Ends when the window is exhausted; rejects when the tape does. */
export async function* linesOf<Line>(
  tape: Pick<MarketHistory, 'replay'>,
  { venue, outcomeIds, catalogMarketId }: Market,
  kind: ReplayKind,
  { sinceMs, untilMs }: Window,
  pageRows: number,
  signal: AbortSignal,
): AsyncGenerator<Line[]> {
  const query: Omit<ReplayQuery, 'after'> = {
    venue,
    outcomeIds,
    marketId: catalogMarketId,
    kind,
    sinceMs,
    untilMs,
    limit: pageRows,
    signal,
  }
  for (let after: ReplayPosition | null = null; ; ) {
    const page = await tape.replay({ ...query, after })
    const parts: Uint8Array[] = []
    // Copied: a chunk belongs to its producer.
    for await (const chunk of page.chunks) parts.push(Buffer.from(chunk))
    const { last, more } = await page.end
    const lines = Buffer.concat(parts).toString().split('\n')
    // The last line is newline-terminated too.
    lines.pop()
    if (lines.length > 0) yield lines.map((line) => JSON.parse(line) as Line)
    if (!more || last === null) return
    after = last
  }
}

const levels = (price: number | null, size: number | null) => (price === null ? [] : [{ price, size: size ?? 0 }])

const bookOf = ({ ts, bid, bidSize, ask, askSize }: TopLine, at: number): EmittedFrame => ({
  at,
  kind: 'book',
  data: { bids: levels(bid, bidSize), asks: levels(ask, askSize), timestamp: ts },
})

const directions = { buy: 'Buy', sell: 'Sell', unknown: 'Unknown' } as const

/** Fields of a trade that the tape does not keep are null. */
function tradeOf({ ts, tradeId, price, size, side, transactionHash }: TradeLine, at: number): EmittedFrame {
  const data: TradeData = {
    id: tradeId,
    time: new Date(ts).toISOString(),
    timestamp: ts,
    type: directions[side],
    usd: price === null ? null : usdOf(Math.round(price * ONE), size),
    outcome: null,
    outcomeIndex: null,
    shares: size,
    price,
    maker: null,
    transactionHash,
    wallet: null,
    counterparty: null,
  }
  return { at, kind: 'trade', data }
}

/** Each at its beginning, or the window's if it began before; if only its end is known, at its end. */
export function reportedGaps(gaps: readonly Gap[], sinceMs: number): EmittedFrame[] {
  const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
  return gaps
    .map(({ kind, from, to, reason }): EmittedFrame => {
      const data: CoverageGap = { kind, from: isoOf(from), to: isoOf(to), reason }
      return { at: Math.max(sinceMs, from ?? to ?? sinceMs), kind: 'gap', data }
    })
    .sort((a, b) => a.at - b.at)
}
