// What a build must know: the market from the catalog (catalogFacts.ts); of a pool also its current row, and the quote of its contract.
import { Fault } from '#core/fault'
import type { LaneContext } from '../../lane.ts'
import { checkTakesOrders, incomplete } from '../../shared/exec/catalogFacts.ts'
import { resolveSelector } from '../../shared/selector.ts'
import { getMarket } from '../data/endpoints.ts'
import { type Pool, poolOf } from '../data/pool.ts'
import { outcomeOf } from '../ids.ts'
import type { OrderBody } from './body.ts'
import { type CatalogFacts, readCatalogFacts } from './catalogFacts.ts'
import { amountsOf } from './poolOrder.ts'
import { type PoolQuote, readQuote } from './quote.ts'

export interface Facts {
  catalog: CatalogFacts
  /** Null: an order book. */
  pool: { row: Pool; quote: PoolQuote | null } | null
}

export async function gatherFacts(context: LaneContext, body: OrderBody): Promise<Facts> {
  const resolved = await resolveSelector(context.catalog, body)
  checkTakesOrders('outcome', resolved.market)
  const catalog = readCatalogFacts(resolved)
  if (catalog.model !== 'amm') return { catalog, pool: null }
  if (context.paper !== undefined) {
    throw new Fault('PAPER_NO_LIVE_BOOK', 'outcome: a pool trades this market; it has no order book of its own', {
      exchange: 'myriad',
      retryable: false,
    })
  }
  const { isBuy } = body
  const { value } = amountsOf(body, catalog.decimals)
  const [row, quote] = await Promise.all([
    readPool(context, catalog, isBuy),
    readQuote(context, catalog, { isBuy, value }),
  ])
  return { catalog, pool: { row, quote } }
}

/** The venue's own current row. */
async function readPool(
  context: LaneContext,
  { marketId, outcomeId, venueOutcomeId, decimals }: CatalogFacts,
  isBuy: boolean,
): Promise<Pool> {
  const row = await getMarket({ ...context, venue: 'myriad', credentials: null }, outcomeOf(outcomeId)!)
  const pool = row?.state === 'open' ? poolOf(row, String(venueOutcomeId), isBuy ? 'buy' : 'sell') : null
  if (row === null || pool === null || row.token?.decimals !== String(decimals)) {
    throw incomplete('myriad', marketId, `the venue’s row: ${row?.state ?? 'none'}`)
  }
  return pool
}
