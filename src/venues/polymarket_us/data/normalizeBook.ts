// The book of a slug, on the long side's scale. Pure. Half a book is no book: one level that cannot be read refuses it whole.
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import type { UsBook, UsLevel } from '../wire.ts'
import { contractsOf, isLevelPrice, microsOf, timeOf } from './read.ts'

/** Null when it cannot be read, or is another market's. */
export function normalizeBook(bookId: string, raw: UsBook, recvTs: number): BookSnapshot | null {
  const bids = levelsOf(raw.bids ?? [])
  const asks = levelsOf(raw.offers ?? [])
  if (raw.marketSlug !== bookId || bids === null || asks === null) return null
  return {
    bookId,
    bids,
    asks,
    eventTs: timeOf(raw.transactTime),
    recvTs,
    lastTradeMicros: microsOf(raw.stats?.lastTradePx?.value),
    isNegRisk: null,
    tickMicros: null,
  }
}

function levelsOf(raw: readonly UsLevel[]): SnapshotLevel[] | null {
  const levels: SnapshotLevel[] = []
  const seen = new Set<number>()
  for (const { px, qty } of raw) {
    const micros = microsOf(px.value)
    const size = contractsOf(qty)
    if (micros === null || !isLevelPrice(micros) || size === null || seen.has(micros)) return null
    seen.add(micros)
    if (size > 0) levels.push([micros, size])
  }
  return levels
}
