// The entries that count, in the order in which they count. It depends on the entries only, not on when they arrived.
//
// Entries of equal time count by kind: imports and transfers, splits, purchases, conversions, sales, merges,
// settlements, redemptions. What brings shares in so comes before what takes them out, and trades before the resolution. Entries of
// equal kind count by id.
import type { CorrectionEntry, LedgerEntry } from './entry.ts'

export type CountedEntry = Exclude<LedgerEntry, CorrectionEntry>

const ranks = {
  import: 0,
  transfer: 0,
  split: 1,
  buy: 2,
  conversion: 3,
  sell: 4,
  merge: 5,
  settlement: 6,
  redemption: 7,
} as const

/**
 * Without withdrawn and repeated entries, and without those after `until`. A correction counts whenever it was made:
 * the entry that it withdraws is missing before the correction's own time, too.
 */
export function orderEntries(entries: readonly LedgerEntry[], until = Number.POSITIVE_INFINITY): CountedEntry[] {
  const withdrawn = withdrawnIds(entries)
  const counted = entries.filter(
    (entry): entry is CountedEntry => entry.kind !== 'correction' && entry.at <= until && !withdrawn.has(entry.id),
  )
  return withoutRepeated(counted.sort(compareEntries))
}

/** Entries that count no longer. */
export const withdrawnIds = (entries: readonly LedgerEntry[]): ReadonlySet<string> =>
  new Set(entries.flatMap((entry) => (entry.kind === 'correction' ? [entry.withdraws] : [])))

/** Of entries with one id the first in order counts. */
function withoutRepeated(sorted: readonly CountedEntry[]): CountedEntry[] {
  const seen = new Set<string>()
  return sorted.filter(({ id }) => {
    const isNew = !seen.has(id)
    seen.add(id)
    return isNew
  })
}

function compareEntries(a: CountedEntry, b: CountedEntry): number {
  if (a.at !== b.at) return a.at - b.at
  const ranked = rankOf(a) - rankOf(b)
  if (ranked !== 0) return ranked
  // Two versions of one entry: which of them counts must not depend on their arrival.
  return compareIds(a.id, b.id) || compareText(JSON.stringify(a), JSON.stringify(b))
}

const rankOf = (entry: CountedEntry): number => ranks[entry.kind === 'fill' ? entry.side : entry.kind]

const numbered = /^([a-z]+:)(0|[1-9]\d*)$/

/** Ids with a number come first, by kind and number, which is the order in which they were stored: `import:9` before `import:10`. */
export function compareIds(a: string, b: string): number {
  const [, aKind, aNumber] = numbered.exec(a) ?? []
  const [, bKind, bNumber] = numbered.exec(b) ?? []
  if (aKind === undefined || bKind === undefined) {
    if (aKind === bKind) return compareText(a, b)
    return aKind === undefined ? 1 : -1
  }
  return compareText(aKind, bKind) || aNumber!.length - bNumber!.length || compareText(aNumber!, bNumber!)
}

/** By code units: the same in every locale. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
