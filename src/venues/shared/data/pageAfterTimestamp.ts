// Numbered pages of a list of trades that grows at its front, continued behind a given row: new rows push that row to a later place, so some rows
// repeat and none is missed.
import type { TraderTrade } from '#schemas/traders'
import type { TradersPage, TradersPageOf, TradersPlace } from '../../traderData.ts'

/** The last row returned: its page and its id. With no row yet, `id` is empty. */
interface Behind {
  page: number
  ts: number
  id: string
}

export interface NumberedPages {
  /** Number of the first page. */
  first: number
  /** Maximum pages requested per answer. */
  pagesMax: number
  read(page: number): Promise<{ rows: readonly TraderTrade[]; isLast: boolean }>
}

export async function readPageAfter(
  list: NumberedPages,
  { limit, after }: TradersPage,
): Promise<TradersPageOf<TraderTrade>> {
  const from = after === null ? null : behindOf(after)
  const start = from?.page ?? list.first
  const rows: TraderTrade[] = []
  let last: Behind = from ?? { page: start, ts: 0, id: '' }
  let isBehind = last.id === ''
  for (let page = start; page < start + list.pagesMax; page++) {
    const answer = await list.read(page)
    for (const row of answer.rows) {
      if (!isBehind) {
        const isIt = row.tradeId === last.id && row.ts === last.ts
        // Older than a row that is gone: that row has been passed.
        isBehind = isIt || row.ts < last.ts
        if (isIt || !isBehind) continue
      }
      if (rows.length === limit) return { rows, next: { ...last } }
      rows.push(row)
      last = { page, ts: row.ts, id: row.tradeId }
    }
    if (answer.isLast) return { rows, next: null }
  }
  return { rows, next: { ...last, page: rows.length > 0 ? last.page : start + list.pagesMax } }
}

/** Where a list continues by the venue's own cursor, and which row was returned last. */
export interface AfterCursor {
  cursor: string
  ts: number
  id: string
}

/** A page by the venue's own cursor, whose position may have shifted: newest first, without rows the previous page returned. */
export function rowsAfter(rows: readonly TraderTrade[], { ts, id }: AfterCursor): TraderTrade[] {
  const at = rows.findIndex((row) => row.tradeId === id && row.ts === ts)
  return rows.slice(at + 1).filter((row) => row.ts <= ts)
}

/** Written by this file; cursors are signed. */
const behindOf = (place: TradersPlace): Behind => place as unknown as Behind
