// The tape in ClickHouse. Statements live in statements/, one per file; this file runs them and maps their failures.
import { bucketWindow } from '#core/buckets'
import type { Log } from '#core/log'
import type { Candle, OrderBook, Trade } from '#schemas/marketData'
import type { SqlParameters } from '#storage/clickhouse/client'
import { columnPage } from './columnarPage.ts'
import { engineCsv } from './engineCsv.ts'
import { fieldsOf } from './formats.ts'
import { encodeInline, type RowEncoderWorker } from './lines/rowEncoderWorker.ts'
import { splitPage } from './pageSplitter.ts'
import { type BookOf, type Recorded, recordedOutcomeId, unmirroredBooks } from './recordedOutcomeId.ts'
import { replayArbitrage } from './statements/arbitrage.ts'
import { type BookLine, findBooksParameters, findBooksSql, orderBookOf } from './statements/books.ts'
import { candlesBlocks, candlesColumns, candlesSql, replayCandles } from './statements/candles.ts'
import { hasOutcomeSql } from './statements/coverage.ts'
import { micros } from './statements/predicates.ts'
import { depthBlocks, depthColumnsUpTo, replayDepth } from './statements/replayDepth.ts'
import type { ReplayColumns, ReplayStatement } from './statements/replayStatement.ts'
import { replayTopOfBook, topOfBookBlocks, topOfBookColumns } from './statements/replayTopOfBook.ts'
import { outcomeOf, replayTrades, tradesBlocks, tradesColumns } from './statements/replayTrades.ts'
import {
  findTradesSql,
  sumTradesSql,
  type TradeLine,
  type TradeSumsLine,
  tradeOf,
  tradeSumsOf,
} from './statements/trades.ts'
import type { MarketHistory, ReplayKind, ReplayPage, ReplayPosition, ReplayQuery, TradeSums } from './tape.ts'
import { type TapeReads, withDeadline } from './tapeReads.ts'

const statementOf = {
  tob: replayTopOfBook,
  trades: replayTrades,
  candles: replayCandles,
  l2: replayDepth,
} as const satisfies Record<ReplayKind, (query: ReplayQuery, taped: Recorded) => ReplayStatement>

const blocksOf = {
  tob: topOfBookBlocks,
  trades: tradesBlocks,
  candles: candlesBlocks,
  l2: depthBlocks,
} as const satisfies Record<ReplayKind, (query: ReplayQuery, taped: Recorded) => ReplayColumns>

const columnsOf = {
  tob: topOfBookColumns,
  trades: tradesColumns,
  candles: candlesColumns,
  l2: depthColumnsUpTo,
} as const satisfies Record<ReplayKind, (query: ReplayQuery, taped: Recorded, last: ReplayPosition) => ReplayColumns>

interface TapedOne extends Recorded {
  outcomeId: string
}

/** Later than any time on the tape, epoch ms. */
const endOfTime = 4_102_444_800_000

export interface TapeOptions {
  /** Where lines are encoded from the engine's columns. */
  lines?: RowEncoderWorker
  log?: Pick<Log, 'warn'>
}

/** `bookOf` maps outcomes to the taped book they are a side of. */
export function createClickhouseTape(
  tapeStore: TapeReads,
  bookOf: BookOf = unmirroredBooks,
  { lines: thread = encodeInline(), log }: TapeOptions = {},
): MarketHistory {
  const store = withDeadline(tapeStore)
  /** Kinds for which the engine returned column types we cannot read. From then on the engine prints them itself. */
  const unknown = new Set<ReplayKind>()
  const rows = <T>(sql: string, parameters: SqlParameters) => store.rows<T>(sql, parameters)

  const tapedOne = (venue: string, outcomeId: string, marketId?: string): TapedOne => {
    const taped = recordedOutcomeId(bookOf, venue, [outcomeId], marketId)
    return { ...taped, outcomeId: taped.outcomeIds[0] as string }
  }

  /** A page as printed by the engine. */
  async function printed(query: ReplayQuery, taped: Recorded): Promise<ReplayPage> {
    const { sql, parameters, positionOf } = statementOf[query.kind](query, taped)
    const page = splitPage(await store.stream(sql, parameters, query.signal), { limit: query.limit, positionOf })
    return query.lines === 'csv' ? engineCsv(fieldsOf[query.kind], page) : page
  }

  return {
    async replay(query) {
      const { venue, kind, limit, lines = 'ndjson', resolution = null } = query
      const taped = recordedOutcomeId(bookOf, venue, query.outcomeIds, query.marketId)
      if (unknown.has(kind)) return printed(query, taped)
      const { sql, parameters } = blocksOf[kind](query, taped)
      const source = await store.stream(`${sql}\nFORMAT Native`, parameters, query.signal)
      const { mirrored } = taped
      return columnPage(source, {
        job: { kind, format: lines, limit, mirrored, venue, outcomeId: outcomeOf(query, taped), resolution },
        thread,
        printed(what) {
          unknown.add(kind)
          log?.warn({ kind, what }, 'the engine returned unexpected column types; it formats the pages itself')
          return printed(query, taped)
        },
      })
    },

    async replayParquet(query, last) {
      const taped = recordedOutcomeId(bookOf, query.venue, query.outcomeIds, query.marketId)
      const { sql, parameters } = columnsOf[query.kind](query, taped, last)
      return store.stream(`${sql}\nFORMAT Parquet`, parameters, query.signal)
    },

    async replayArbitrage(query) {
      const { sql, parameters, positionOf } = replayArbitrage(query)
      const source = await store.stream(sql, parameters, query.signal)
      return splitPage(source, { limit: query.limit, positionOf })
    },

    async findBook(venue, outcomeId, atMs, marketId): Promise<OrderBook | null> {
      const taped = tapedOne(venue, outcomeId, marketId)
      const parameters = findBooksParameters(venue, taped.outcomeId, { sinceMs: 0, untilMs: atMs, limit: 1 })
      const [line] = await rows<BookLine>(findBooksSql('DESC', taped.mirrored), parameters)
      return line === undefined ? null : orderBookOf(line)
    },

    async findBooks(venue, outcomeId, range, marketId): Promise<OrderBook[]> {
      const taped = tapedOne(venue, outcomeId, marketId)
      const parameters = findBooksParameters(venue, taped.outcomeId, range)
      return (await rows<BookLine>(findBooksSql('ASC', taped.mirrored), parameters)).map(orderBookOf)
    },

    async findTrades(venue, outcomeId, { startMs = 0, endMs = endOfTime, limit }, marketId): Promise<Trade[]> {
      const taped = tapedOne(venue, outcomeId, marketId)
      const parameters = { venue, outcomeId: taped.outcomeId, since: startMs, until: endMs, limit }
      const lines = await rows<TradeLine>(findTradesSql(taped.mirrored), parameters)
      return lines.map(tradeOf(outcomeId))
    },

    async sumTrades(venue, outcomeId, { startMs, endMs, limit }, marketId): Promise<TradeSums> {
      const taped = tapedOne(venue, outcomeId, marketId)
      const parameters = { venue, outcomeId: taped.outcomeId, since: startMs, until: endMs, limit }
      const [line] = await rows<TradeSumsLine>(sumTradesSql(taped.mirrored), parameters)
      return tradeSumsOf(line!)
    },

    async findCandles(venue, outcomeId, { resolutionMs, startMs, endMs = endOfTime, limit }, marketId) {
      const taped = tapedOne(venue, outcomeId, marketId)
      const { fromMs, beforeMs } = bucketWindow(startMs ?? 0, endMs, resolutionMs)
      // With a start the reader walks forward; without one it wants the newest candles.
      const sql = `SELECT bucket * {step:UInt64} AS timestamp, ${micros('prices[1]')} AS open,
  ${micros('arrayMax(prices)')} AS high, ${micros('arrayMin(prices)')} AS low, ${micros('prices[-1]')} AS close, volume
FROM (${candlesSql(taped, startMs === undefined ? 'DESC' : 'ASC')}) ORDER BY timestamp FORMAT JSONEachRow`
      const parameters = {
        venue,
        outcomeId: taped.outcomeId,
        step: resolutionMs,
        from: fromMs,
        before: beforeMs,
        limit,
      }
      return rows<Candle>(sql, parameters)
    },

    async hasOutcome(venue, outcomeId, marketId) {
      const taped = tapedOne(venue, outcomeId, marketId)
      return (await rows(hasOutcomeSql, { venue, outcomeId: taped.outcomeId })).length > 0
    },
  }
}
