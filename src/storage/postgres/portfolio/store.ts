// The statements of the portfolio behind one interface; a database that cannot answer is EXEC_UNAVAILABLE, or CATALOG_UNAVAILABLE for the
// catalog's rows.
import type { FillRow } from '../executions/findExecutions.ts'
import { asUnavailable, type Pool } from '../pool.ts'
import * as executions from './findExecutions.ts'
import { type FilledOrderRow, type FillPosition, findFilledOrders, findFills, findNewFills } from './findFills.ts'
import { findReportTimes } from './findReportTimes.ts'
import {
  findImportByKey,
  findImportByRef,
  type ImportRow,
  insertImport,
  listImports,
  type NewImport,
} from './imports.ts'

export type ImportResult =
  | { kind: 'inserted' | 'replayed'; row: ImportRow }
  /** The key belongs to another request. */
  | { kind: 'key_taken' }
  /** The ref was entered under another key. */
  | { kind: 'duplicate'; row: ImportRow }

export interface PortfolioStore {
  findFills(query: { accountId: string; after: FillPosition | null; limit: number }): Promise<FillRow[]>
  findNewFills(query: { accountId: string; seen: readonly FillPosition[]; limit: number }): Promise<FillRow[]>
  findFilledOrders(ids: readonly string[]): Promise<FilledOrderRow[]>
  findRedemptions(page: executions.AccountPage): Promise<executions.RedemptionRow[]>
  /** Splits, merges and conversions that completed. */
  findExchanges(page: executions.AccountPage): Promise<executions.ExchangeRow[]>
  findMatchedOrders(page: executions.AccountPage): Promise<executions.MatchedOrderRow[]>
  /** Epoch ms, by `venue:marketId`; markets unknown to the catalog are missing. */
  findReportTimes(markets: readonly { venue: string; marketId: string }[]): Promise<ReadonlyMap<string, number>>
  insertImport(entry: NewImport): Promise<ImportResult>
  listImports(page: { accountId: string; after: string | null; limit: number }): Promise<ImportRow[]>
}

export function createPortfolioStore(pool: Pool): PortfolioStore {
  const orUnavailable = <T>(work: Promise<T>): Promise<T> => asUnavailable('EXEC_UNAVAILABLE', work)
  return {
    findFills: (query) => orUnavailable(findFills(pool, query)),
    findNewFills: (query) => orUnavailable(findNewFills(pool, query)),
    findFilledOrders: (ids) => orUnavailable(findFilledOrders(pool, ids)),
    findRedemptions: (page) => orUnavailable(executions.findRedemptions(pool, page)),
    findExchanges: (page) => orUnavailable(executions.findExchanges(pool, page)),
    findMatchedOrders: (page) => orUnavailable(executions.findMatchedOrders(pool, page)),
    async findReportTimes(markets) {
      const rows = await asUnavailable('CATALOG_UNAVAILABLE', findReportTimes(pool, markets))
      return new Map(rows.map(({ venue, id, as_of }) => [`${venue}:${id}`, as_of]))
    },
    insertImport: (entry) => orUnavailable(insertOnce(pool, entry)),
    listImports: (page) => orUnavailable(listImports(pool, page)),
  }
}

/** The rows that prevented an insert stay, so they are found after it. */
async function insertOnce(pool: Pool, entry: NewImport): Promise<ImportResult> {
  const row = await insertImport(pool, entry)
  if (row !== null) return { kind: 'inserted', row }
  const use = await findImportByKey(pool, entry.accountId, entry.idempotencyKey)
  if (use !== null)
    return use.bodySha256.equals(entry.bodySha256) ? { kind: 'replayed', row: use.row } : { kind: 'key_taken' }
  const earlier = await findImportByRef(pool, entry)
  if (earlier === null) throw new Error('an import was refused, and neither its key nor its ref is taken')
  return { kind: 'duplicate', row: earlier }
}
