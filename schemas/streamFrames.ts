// Every frame the stream sends. Encoded by src/stream/frames.ts and the channels' own encoders; described here for the document, for
// clients, and for the tests that validate what is sent. `ts`: epoch ms when the frame was written.
import { z } from 'zod'
import { ArbitrageRow } from './arbitrage.ts'
import { errorCodes, streamOnlyCodes } from './errors.ts'
import { FeedTickerData } from './feeds.ts'
import { CoverageGap } from './history.ts'
import { OrderBook } from './marketData.ts'
import { OptionPriceData } from './optionPrices.ts'
import { StaleReason } from './staleReason.ts'
import { bookDepths, OrdersData, PortfolioData, streamChannels } from './stream.ts'
import { StructureRow } from './structures.ts'

const Count = z.number().int().min(0)
const Ts = z.number().int()

export const AuthFrame = z.strictObject({ type: z.literal('auth'), status: z.literal('ok') })

const disclosureOf = (provenances: readonly ('chain-scan' | 'mempool')[]) =>
  z
    .strictObject({
      provenance: z.enum(provenances),
      latencyMs: z.number().nullable().describe('Measured recently; null: not yet measured'),
      completeness: z.string(),
    })
    .describe(
      'With trades that are not the venue’s own tape: where they come from, how late (chain-scan) or how long before their block (mempool), what is among them',
    )

/** The id a name was resolved to. */
const readNames = {
  catalogMarketId: z
    .string()
    .nullable()
    .optional()
    .describe('The market in the catalog (`marketId` of `fetchMarkets`); null where the catalog does not know one'),
  nativeId: z
    .string()
    .optional()
    .describe(
      'What the venue calls the book or pool that is read; where it keeps one book for both sides of a market, both have its id',
    ),
}

const ackFields = {
  type: z.enum(['subscribed', 'unsubscribed']),
  channel: z.enum(['orderbook', 'trades', 'orderbook:all', ...streamChannels]),
  venue: z.string().optional(),
  marketId: z.string().optional().describe('As requested; frames repeat it'),
  outcomeId: z
    .string()
    .nullable()
    .optional()
    .describe(
      'For books and trades: the catalog outcome that is read; null while the catalog does not know it. For prices: as requested',
    ),
  ...readNames,
  markets: z
    .array(z.strictObject({ venue: z.string(), marketId: z.string(), outcomeId: z.string().nullable(), ...readNames }))
    .optional()
    .describe(
      'For a replay: what each is read as; `outcomeId` null: unknown to the catalog, and the tape has it under the name as given',
    ),
  depth: z
    .union(bookDepths.map((levels) => z.literal(levels)))
    .optional()
    .describe('For a book that is not sent whole'),
  feed: z.string().optional(),
  symbol: z.string().optional(),
  disclosure: disclosureOf(['chain-scan']).optional(),
}
export const AckFrame = z.strictObject(ackFields)
export const PendingAckFrame = z.strictObject({
  ...ackFields,
  disclosure: disclosureOf(['chain-scan', 'mempool']).optional(),
  status: z.enum(['pending', 'all']).optional().describe('For trades requested with such filters'),
})

export const BookFrame = z.strictObject({
  type: z.enum(['snapshot', 'update']),
  venue: z.string(),
  marketId: z.string(),
  ts: Ts,
  sequence: Count.describe(
    'Counts this book on this connection: an update follows the previous frame by 1 + `conflated`; a snapshot restarts the count',
  ),
  conflated: Count.optional().describe(
    'Books skipped since the previous frame because a newer one had arrived, with `depth` also those that differ only deeper; absent: none',
  ),
  data: OrderBook.pick({ bids: true, asks: true, timestamp: true }).strict(),
})

const text = z.string().nullable()
export const TradeFrameData = z.strictObject({
  id: z.string(),
  time: z.iso.datetime(),
  timestamp: Ts,
  type: z.enum(['Buy', 'Sell', 'Unknown']).describe('The taker’s direction'),
  usd: z.number().nullable(),
  outcome: text,
  outcomeIndex: z.number().int().nullable(),
  shares: z.number(),
  price: z.number().nullable(),
  maker: text,
  transactionHash: text,
  wallet: text,
  counterparty: text,
})

const tradeFields = {
  type: z.literal('trade'),
  venue: z.string(),
  marketId: z.string(),
  ts: Ts,
  data: TradeFrameData,
}
export const TradeFrame = z.strictObject({
  ...tradeFields,
  provenance: z.literal('chain-scan').optional().describe('Read from a chain; absent: the venue’s own tape'),
})
/** A fill seen before its block, and again, under the same `data.id`, when its outcome is known. */
export const PendingTradeFrame = z.strictObject({
  ...tradeFields,
  provenance: z.literal('mempool'),
  status: z.enum(['pending', 'confirmed', 'dropped']),
  seenAt: z.iso.datetime(),
  blockNumber: z.number().int().optional().describe('Of confirmed'),
  dropReason: z.enum(['timeout', 'reverted']).optional().describe('Of dropped'),
})

export const FeedTickerFrame = z.strictObject({
  type: z.literal('feedTicker'),
  feed: z.string(),
  symbol: z.string(),
  ts: Ts,
  data: FeedTickerData,
})

export const PriceFrame = z.strictObject({
  type: z.literal('price'),
  venue: z.string(),
  marketId: z.string(),
  marketAddress: z.string(),
  ts: Ts,
  data: OptionPriceData,
})

const surfaceFields = <Row extends z.ZodType>(row: Row) => ({
  exchange: z.literal('router'),
  kind: z.enum(['snapshot', 'delta']),
  seq: Count.describe('Increases from frame to frame, but not by one; parts of one frame share it'),
  computedAt: z.iso.datetime(),
  publishedAt: z.iso.datetime(),
  part: z.strictObject({ i: z.number().int().min(1), n: z.number().int().min(1) }),
  rows: z.array(row).optional().describe('In a snapshot'),
  upserts: z.array(row).optional().describe('In a delta'),
  removes: z.array(z.string()).optional().describe('In a delta: ids of removed rows'),
})

export const ArbitrageFrame = z.strictObject({
  type: z.literal('arbitrage'),
  ts: Ts,
  data: z.strictObject({
    ...surfaceFields(ArbitrageRow),
    intervalMs: z.number(),
    heartbeatMs: z.number(),
    contracts: z.number(),
    limit: z.number(),
  }),
})

export const StructuresFrame = z.strictObject({
  type: z.literal('structures'),
  ts: Ts,
  data: z.strictObject({
    ...surfaceFields(StructureRow),
    computedAt: z.iso.datetime().nullable().describe('Null: nothing was searched yet'),
    complete: z.boolean().describe('False: some sets have not been searched yet, so that rows may be missing'),
  }),
})

export const OrdersFrame = z.strictObject({ type: z.literal('orders'), ts: Ts, data: OrdersData })

export const PortfolioFrame = z.strictObject({ type: z.literal('portfolio'), ts: Ts, data: PortfolioData })

const replayed = { replay: z.literal(true).describe('From the tape: it happened in the past') }
const placed = {
  at: Ts.describe(
    'Position in the replay, epoch ms: to continue, subscribe again with `since` one millisecond earlier',
  ),
}

/** What `subscribeReplay` sends: books and trades in time order, gaps the tape may have, and progress. */
export const ReplayBookFrame = BookFrame.extend({ ...replayed, ...placed })
export const ReplayTradeFrame = TradeFrame.extend({ ...replayed, ...placed })
export const ReplayGapFrame = z.strictObject({
  type: z.literal('replayGap'),
  venue: z.string(),
  marketId: z.string(),
  ts: Ts,
  ...replayed,
  ...placed,
  data: CoverageGap.strict(),
})
export const ReplayStateFrame = z.strictObject({
  type: z.enum(['replayPaused', 'replayResumed', 'replayEnd']),
  ts: Ts,
  ...replayed,
  data: z.strictObject({
    frames: Count.describe('Books and trades sent so far'),
    at: Ts.nullable().describe('Time of the last of them; null: none yet'),
    completeUntil: Ts.nullable()
      .optional()
      .describe('Of `replayEnd`: everything received before is on the tape, and was replayed; null: unknown'),
  }),
})
export const ReplayFrame = z.union([ReplayBookFrame, ReplayTradeFrame, ReplayGapFrame, ReplayStateFrame])

const errorFields = {
  type: z.literal('error'),
  code: z.enum([...(Object.keys(errorCodes) as (keyof typeof errorCodes)[]), ...streamOnlyCodes]),
  message: z.string(),
  venue: z.string().optional(),
  marketId: z.string().optional(),
  channel: z.string().optional(),
  staleReason: StaleReason.optional().describe('Why a book is not shown as current'),
  ts: Ts,
}
export const ErrorFrame = z.strictObject(errorFields)
export const FeedErrorFrame = z.strictObject({
  ...errorFields,
  feed: z.string().optional(),
  symbol: z.string().optional(),
})

/** Every frame a socket can receive. */
export const ServerFrame = z.union([
  AuthFrame,
  PendingAckFrame,
  BookFrame,
  TradeFrame,
  PendingTradeFrame,
  FeedTickerFrame,
  PriceFrame,
  ArbitrageFrame,
  StructuresFrame,
  OrdersFrame,
  PortfolioFrame,
  ReplayFrame,
  FeedErrorFrame,
])
