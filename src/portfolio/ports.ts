// What an account holds, as other parts read it, and what the portfolio needs from the outside.
import type { Clock } from '#core/clock'
import type { CursorCodec } from '#core/cursor'
import type { Catalog } from '#marketData/catalog/catalog'
import type { PositionIntent } from '#schemas/executions'
import type { Level } from '#schemas/marketData'
import type { PortfolioStore } from '#storage/postgres/portfolio/store'
import type { ExecutionAdapter } from '#venues/lane'
import type { LedgerEntry } from './ledger/entry.ts'
import type { Ledger, LedgerPosition } from './ledger/ledger.ts'

export interface PortfolioReader {
  /**
   * The account's ledger with marks, as of now or `until`. `marks` false: no book is read, and marks are null. Throws EXEC_UNAVAILABLE when the
   * journal cannot be read.
   */
  read(accountId: string, options?: { until?: number; marks?: boolean }): Promise<AccountPortfolio>
}

export interface JournalReader {
  /** The account's entries alone, without positions. */
  readEntries(accountId: string): Promise<JournalView>
}

export interface AccountPortfolio extends JournalView {
  ledger: Ledger
  positions: readonly MarkedPosition[]
}

export interface JournalView {
  /** Epoch ms. */
  asOf: number
  /** Orders whose reported filled size exceeds their stored fills. */
  unexplained: readonly UnexplainedOrder[]
  /** Stored fills that no entry was made of. */
  unreadable: readonly UnreadableFill[]
  /** Completed exchanges that no entry was made of. */
  unreadableExchanges: readonly UnreadableExchange[]
  entries: readonly LedgerEntry[]
  /** Where the times of the settlements come from. */
  settlementTimes: readonly SettlementTime[]
  /** Sources that did not answer: `catalog`, `books:<venue>`. Values that depend on them are null. */
  unavailable: readonly string[]
}

export interface UnexplainedOrder {
  executionId: string
  venue: string
  marketId: string
  outcomeId: string
  /** What is missing of it, contracts or shares. */
  size: string
  side: 'buy' | 'sell'
  currency: string | null
  /** What the missing part pays or brings at the order's limit price, which is its worst; null: unknown, its fills should be stored by now. */
  cash: string | null
  /** The most that the missing part can lose, next to open orders; null: unknown. */
  atRisk: string | null
}

/** What an account gained or lost by trading. */
export interface Trades {
  entries: readonly LedgerEntry[]
  ledger: Ledger
  positions: readonly TradedPosition[]
}

export interface TradedPosition extends LedgerPosition {
  /** At the middle of the live book, and at the last price. */
  gain: Pick<MarkValues, 'mid' | 'last'>
}

export interface UnreadableFill {
  fillId: string
  executionId: string
  venue: string
  /** `not_supported`: the lane reads no fills. `no_terms`: the order names no market. `unreadable`: the fill states no quantity. */
  reason: 'not_supported' | 'no_terms' | 'unreadable'
}

/** Its summary does not say what was exchanged. */
export interface UnreadableExchange {
  executionId: string
  venue: string
  intent: PositionIntent
}

/**
 * `venue`: the venue reports it. `resolutionDate`: the market's own date, planned or actual. `catalogUpdate`: when the venue last reported the
 * market. `lastTrade`: those were before the account's last entry in the market. `redemption`: those were after its first redemption.
 */
export type SettlementTimeSource = 'venue' | 'resolutionDate' | 'catalogUpdate' | 'lastTrade' | 'redemption'

export interface SettlementTime {
  venue: string
  marketId: string
  /** Epoch ms. */
  at: number
  source: SettlementTimeSource
}

/** Decimal strings; null: unknown. */
export interface MarkValues {
  /** Between the best bid and the best ask. */
  mid: string | null
  /** Volume-weighted price of selling the whole quantity into the live book; of buying it back for a quantity below zero. */
  bid: string | null
  /** Last public trade, or the catalog's last price. */
  last: string | null
}

export interface MarkedPosition extends LedgerPosition {
  /** Title. */
  market: string | null
  /** Of the outcome. */
  label: string | null
  marketStatus: string | null
  resolutionDate: string | null
  marks: MarkValues
  /** Of the open quantity; `settlement`: of the shares whose payout is not collected. */
  value: MarkValues & { settlement: string | null }
  unrealizedPnl: MarkValues
}

export interface Instrument {
  venue: string
  marketId: string
  outcomeId: string
}

/** A live book as its outcome's traders see it. Sides in any order. */
export interface PositionBook {
  bids: readonly Level[]
  asks: readonly Level[]
  /** Decimal string. */
  lastPrice: string | null
}

/** `none`: this outcome has no book that an order can meet. `silent`: it has one, and it is not known to be current. */
export type BookAnswer = PositionBook | 'none' | 'silent'

export interface PositionBooks {
  /** One answer per instrument, in order. */
  read(instruments: readonly Instrument[]): Promise<readonly BookAnswer[]>
}

export interface JournalPorts {
  store: Pick<
    PortfolioStore,
    | 'findFills'
    | 'findNewFills'
    | 'findFilledOrders'
    | 'findRedemptions'
    | 'findExchanges'
    | 'findMatchedOrders'
    | 'findReportTimes'
    | 'listImports'
  >
  /** Every lane this version knows, by slug. */
  lanes: ReadonlyMap<string, Pick<ExecutionAdapter, 'readFill'>>
  catalog: Pick<Catalog, 'findMarketsByIds'>
  clock: Pick<Clock, 'now'>
}

export interface PortfolioDeps {
  reader: PortfolioReader & JournalReader
  /** Every lane this version knows, by slug: how it redeems. */
  lanes: ReadonlyMap<string, Pick<ExecutionAdapter, 'redeem'>>
  imports: Pick<PortfolioStore, 'insertImport' | 'listImports'>
  catalog: Pick<Catalog, 'findMarket'>
  cursors: CursorCodec
  clock: Pick<Clock, 'now'>
}

export interface PortfolioRouteDeps {
  portfolio: PortfolioDeps
}
