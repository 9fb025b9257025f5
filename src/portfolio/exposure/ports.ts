// External dependencies of the exposure: the account's positions, what the catalog knows of their markets, and the matcher's relations.
import type { Relation } from '#arbitrage/structures/index'
import type { CursorCodec } from '#core/cursor'
import type { PortfolioReader } from '../ports.ts'

export interface MarketName {
  venue: string
  marketId: string
}

/** A held market as the catalog has it. */
export interface MarketFacts {
  eventId: string | null
  /** Ids of its outcomes. */
  outcomes: readonly string[]
  /** Outcome ids of its YES and NO; null unless it has exactly these two answers. */
  sides: { yes: string; no: string } | null
  /** False for a scalar market, which pays a part of a unit. */
  paysWhole: boolean
  /** Its venue documents that a settlement costs nothing. */
  settlesFree: boolean
}

export interface FoundRelations {
  /** In the bands `verified` and `minor`, between `<venue>:<marketId>`s; also of markets that connect held ones. */
  relations: readonly Relation[]
  /** There are more than were read. */
  isCut: boolean
}

export interface ExposureDeps {
  portfolio: PortfolioReader
  /** By `<venue>:<marketId>`; unknown markets are missing. Throws Fault CATALOG_UNAVAILABLE when the store is down. */
  findMarkets(markets: readonly MarketName[]): Promise<ReadonlyMap<string, MarketFacts>>
  /** Throws Fault MATCHES_UNAVAILABLE when the store is down or the matcher has never finished a run. */
  findRelations(markets: readonly MarketName[]): Promise<FoundRelations>
  cursors: CursorCodec
}

export interface ExposureRouteDeps {
  exposure: ExposureDeps
}
