// Connects the portfolio to the stored executions, the catalog, the live books and the lanes that read fills.
import type { Clock } from '#core/clock'
import type { CursorCodec } from '#core/cursor'
import type { BookOf } from '#history/recordedOutcomeId'
import type { Catalog } from '#marketData/catalog/catalog'
import type { LiveBooks } from '#marketData/markets/index'
import { createPortfolioReader, createPositionBooks, type PortfolioDeps } from '#portfolio/index'
import type { Pool } from '#storage/postgres/pool'
import { createPortfolioStore } from '#storage/postgres/portfolio/store'
import type { ExecutionAdapter } from '#venues/lane'

export interface PortfolioOptions {
  pool: Pool
  catalog: Pick<Catalog, 'findMarket' | 'findMarketsByIds'>
  lanes: readonly ExecutionAdapter[]
  bookOf: BookOf
  books: LiveBooks
  /** Keeps a book fed for a while. */
  hold(venue: string, bookId: string): void
  cursors: CursorCodec
  clock: Clock
}

export function openPortfolio({
  pool,
  catalog,
  lanes,
  bookOf,
  books,
  hold,
  cursors,
  clock,
}: PortfolioOptions): PortfolioDeps {
  const store = createPortfolioStore(pool)
  const bySlug = new Map(lanes.map((lane) => [lane.slug as string, lane]))
  const reader = createPortfolioReader({
    store,
    lanes: bySlug,
    catalog,
    books: createPositionBooks({ bookOf, books, hold, clock }),
    clock,
  })
  return { reader, lanes: bySlug, imports: store, catalog, cursors, clock }
}
