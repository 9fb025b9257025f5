// What the reconciliation needs from the outside: our journal, the catalog, and the venues' reads of accounts.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { Catalog } from '#marketData/catalog/catalog'
import type { Holdings, HoldingsReader } from '#venues/holdings'
import type { JournalReader } from '../ports.ts'
import type { OurOrder } from './compareOrders.ts'

/** A venue whose accounts can be read here. */
export interface HoldingsVenue {
  holdings: Omit<HoldingsReader, 'read'>
  /** `account` and `credentials` as its schemas parsed them. Throws Faults. */
  read(caller: { accountId: string; signal: AbortSignal }, account: unknown, credentials: unknown): Promise<Holdings>
}

export interface ReconciliationDeps {
  portfolio: JournalReader
  /** By slug. */
  venues: ReadonlyMap<string, HoldingsVenue>
  /** The other venues that executions can exist at, and why their accounts cannot be read. */
  unsupported: ReadonlyMap<string, string>
  /** Our orders at a venue: those with these refs, and those in flight. Throws EXEC_UNAVAILABLE. */
  findOrders(query: { accountId: string; venue: string; venueRefs: readonly string[] }): Promise<readonly OurOrder[]>
  catalog: Pick<Catalog, 'findMarketsByIds' | 'findOutcomes'>
  clock: Clock
  log: Log
}

export interface ReconciliationRouteDeps {
  reconciliation: ReconciliationDeps
}
