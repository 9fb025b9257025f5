// Coverage of the tape, as served to readers of history.
import { z } from 'zod'
import { ArbitrageReadRow } from './arbitrage.ts'
import { Coverage } from './market.ts'

export const coverageLimitDefault = 20
export const coverageLimitMax = 100
/** Per outcome and response; the newest are kept. */
export const coverageGapsMax = 1_000

/** Tables of the tape with a configurable retention period. */
export const retainedTables = ['top_of_book', 'trades', 'books', 'depth', 'arbitrage'] as const
export type RetainedTable = (typeof retainedTables)[number]

/** A period in which the tape may lack rows. */
export const CoverageGap = z.object({
  kind: z
    .enum(['gap', 'closed'])
    .describe('gap: rows may be missing (broken feed, loss, retention); closed: not watched'),
  from: z.iso
    .datetime()
    .nullable()
    .describe('null: unknown; after a process ended without notice, up to when its rows are known to be written'),
  to: z.iso.datetime().nullable().describe('null: it lasts'),
  reason: z.string().nullable(),
})
export type CoverageGap = z.infer<typeof CoverageGap>

export const OutcomeCoverage = z.object({
  venue: z.string(),
  outcomeId: z.string().describe('as requested; in a list, the tape’s name for it'),
  market: z
    .object({ marketId: z.string(), title: z.string(), outcome: z.string() })
    .nullable()
    .describe('null: the catalog cannot name it'),
  mechanism: Coverage.shape.mechanism,
  effectiveIntervalMs: Coverage.shape.effectiveIntervalMs,
  tapeSince: z.iso.datetime(),
  tradesSince: z.iso.datetime().nullable().describe('null: never taped'),
  depthSince: z.iso.datetime().nullable().describe('null: never taped'),
  tradesUntil: z.iso.datetime().nullable().describe('up to when its trades were read'),
  completeUntil: z.iso
    .datetime()
    .nullable()
    .describe('its books are complete up to here, except for gaps; null: no writer has reported'),
  gaps: z.array(CoverageGap).describe('gaps that touch the window, oldest first'),
  gapsTruncated: z.boolean().describe(`there are older gaps: at most ${coverageGapsMax} are returned`),
})
export type OutcomeCoverage = z.infer<typeof OutcomeCoverage>
/** Coverage as far as the tape itself knows it. */
export type RecordedCoverage = Omit<OutcomeCoverage, 'market'>

export const filesLimitDefault = 100
export const filesLimitMax = 500

/** The file for one UTC day, venue and kind. */
export const DayFile = z.object({
  date: z.iso.date().describe('UTC, by event time of the rows; for l2, by receive time'),
  venue: z.string(),
  kind: z.enum(['tob', 'trades', 'l2']),
  rows: z.number().int(),
  size: z.number().int().describe('bytes'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  madeAt: z.iso.datetime(),
})
export type DayFile = z.infer<typeof DayFile>
/** A day file as listed. */
export const ListedFile = DayFile.extend({ url: z.string().describe('path of the download') })
export type ListedFile = z.infer<typeof ListedFile>

const EventTime = z.number().int().describe('event time, epoch ms')
const RecvTime = z.number().int().describe('when it was received, epoch ms')

/** Lines of a page of the tape. Prices are probabilities, sizes contracts or shares; null: an empty side, or unknown. */
export const TopOfBookLine = z
  .object({
    k: z.literal('tob'),
    ts: EventTime,
    bid: z.number().nullable(),
    bidSize: z.number().nullable(),
    ask: z.number().nullable(),
    askSize: z.number().nullable(),
    recvTs: RecvTime,
    seq: z.number().int().describe('order of rows received in the same millisecond'),
  })
  .meta({ id: 'TopOfBookLine' })

export const TradeLine = z
  .object({
    k: z.literal('trades'),
    ts: EventTime,
    venue: z.string(),
    outcomeId: z.string(),
    tradeId: z.string(),
    price: z.number().nullable(),
    size: z.number(),
    side: z.enum(['buy', 'sell', 'unknown']).describe('the taker’s'),
    transactionHash: z.string().nullable(),
    recvTs: RecvTime,
  })
  .meta({ id: 'TradeLine' })

export const CandleLine = z
  .object({
    k: z.literal('candles'),
    ts: z.number().int().describe('start of the bucket, epoch ms'),
    venue: z.string(),
    resolution: z.string(),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number().describe('contracts or shares'),
    trades: z.number().int(),
  })
  .meta({ id: 'CandleLine' })

/** A changed level and its new size; lines with equal `recvTs`, `epoch` and `seq` belong to one change of the book. */
export const DepthLine = z
  .object({
    k: z.literal('l2'),
    ts: EventTime,
    type: z.enum(['start', 'snapshot', 'delta', 'same', 'gap']),
    side: z.enum(['bid', 'ask']).nullable(),
    price: z.number().nullable(),
    size: z.number().nullable(),
    recvTs: RecvTime,
    seq: z.number().int().describe('increases by one with every change within an epoch'),
    epoch: z.number().int(),
  })
  .meta({ id: 'DepthLine' })

/** A period in which a row of the arbitrage surface was executable. */
export const ArbitrageLine = z
  .object({
    k: z.literal('arbitrage'),
    clusterId: z.string(),
    buyYes: z.string().describe('venue'),
    buyNo: z.string().describe('venue'),
    firstSeen: z.number().int().describe('epoch ms'),
    lastSeen: z.number().int(),
    ended: z.boolean(),
    bestEdge: z.number().describe('USD'),
    bestAt: z.number().int(),
    best: ArbitrageReadRow.describe('as it was published then'),
  })
  .meta({ id: 'ArbitrageLine' })

export const CursorLine = z
  .object({
    k: z.literal('cursor'),
    next: z.string().nullable().describe('null: exhausted'),
    rows: z.number().int().describe('rows on the page'),
  })
  .meta({ id: 'CursorLine' })

export const ReplayLine = z
  .discriminatedUnion('k', [TopOfBookLine, TradeLine, CandleLine, DepthLine, CursorLine])
  .meta({ id: 'ReplayLine' })
export const ArbitrageReplayLine = z
  .discriminatedUnion('k', [ArbitrageLine, CursorLine])
  .meta({ id: 'ArbitrageReplayLine' })
