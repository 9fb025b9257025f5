// Adds up the entries of an account. The work grows with the number of entries times the logarithm of it, for the
// sorting only.
import { forEachYielding } from '#core/yieldToEventLoop'
import { AccountBook } from './accountBook.ts'
import { formatAmount, formatAmountOrNull, parseAmount } from './amounts.ts'
import { applyEntry } from './applyEntry.ts'
import type { LedgerEntry } from './entry.ts'
import type { Ledger } from './ledger.ts'
import { type CountedEntry, orderEntries } from './order.ts'

export type { CashBalance, Ledger, LedgerPosition } from './ledger.ts'

/** Some milliseconds of work. */
const entriesPerTurn = 1_000

/**
 * As of `until` (epoch ms, inclusive) or of the last entry. The result does not depend on the order of `entries`; those
 * with an id seen before are ignored. Throws RangeError for an amount with more than 18 places.
 */
export function foldLedger(entries: readonly LedgerEntry[], until?: number): Ledger {
  const { book, ordered } = prepare(entries, until)
  for (const entry of ordered) applyEntry(book, entry)
  return book.report()
}

/** The same for long histories: other work of the thread runs between the turns. Only the sorting is done in one go. */
export async function foldLedgerYielding(entries: readonly LedgerEntry[], until?: number): Promise<Ledger> {
  return (await foldWithRedemptions(entries, until)).ledger
}

/** Shares of all outcomes together, and what they paid before fees; null: unknown. */
export interface Redeemed {
  size: string
  cash: string | null
}

/** With what each redemption took, by its id. */
export async function foldWithRedemptions(
  entries: readonly LedgerEntry[],
  until?: number,
): Promise<{ ledger: Ledger; redemptions: ReadonlyMap<string, Redeemed> }> {
  const { book, ordered } = prepare(entries, until)
  await forEachYielding(ordered, entriesPerTurn, (entry) => applyEntry(book, entry))
  const redemptions = [...book.redemptions].map(([id, { size, cash }]): [string, Redeemed] => [
    id,
    { size: formatAmount(size), cash: formatAmountOrNull(cash) },
  ])
  return { ledger: book.report(), redemptions: new Map(redemptions) }
}

function prepare(entries: readonly LedgerEntry[], until?: number): { book: AccountBook; ordered: CountedEntry[] } {
  const book = new AccountBook()
  const ordered = orderEntries(entries, until)
  for (const entry of ordered) {
    if (entry.kind === 'settlement') book.position(entry).expectPayout(parseAmount(entry.value))
  }
  return { book, ordered }
}
