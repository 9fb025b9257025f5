// What the owner entered, as entries of the ledger. An entry of the opposite amounts and the same time undoes an earlier one, which then
// does not count, also where its cost is unknown.
import { readDecimal, subtractDecimals } from '#core/decimal'
import type { ImportRow } from '#storage/postgres/portfolio/imports'
import type { CorrectionEntry, ImportEntry, TransferEntry } from '../ledger/entry.ts'

type Entered = ImportEntry | TransferEntry

/** `rows` in the order in which they were entered. */
export function importEntries(rows: readonly ImportRow[]): (Entered | CorrectionEntry)[] {
  /** What may still be undone, by what would undo it. */
  const open = new Map<string, Entered[]>()
  return rows.map((row) => {
    const entry = entryOf(row)
    const undone = open.get(keyOf(entry, (amount) => amount))?.pop()
    if (undone !== undefined) return undoes(entry, undone)
    const key = keyOf(entry, negated)
    const alike = open.get(key)
    if (alike === undefined) open.set(key, [entry])
    else alike.push(entry)
    return entry
  })
}

function entryOf(row: ImportRow): Entered {
  const base = {
    at: row.at.getTime(),
    venue: row.venue,
    currency: row.currency,
    provenance: 'import',
    enteredAt: row.created_at.getTime(),
  } as const
  if (row.kind === 'transfer')
    return { ...base, kind: 'transfer', id: `transfer:${row.id}`, cash: readDecimal(row.cash!)! }
  return {
    ...base,
    kind: 'import',
    id: `import:${row.id}`,
    marketId: row.market_id!,
    outcomeId: row.outcome_id!,
    size: readDecimal(row.size!)!,
    cost: row.cost === null ? null : readDecimal(row.cost),
  }
}

function keyOf(entry: Entered, amountOf: (amount: string) => string): string {
  const { kind, at, venue, currency } = entry
  const rest =
    entry.kind === 'transfer'
      ? [amountOf(entry.cash)]
      : [entry.marketId, entry.outcomeId, amountOf(entry.size), entry.cost === null ? null : amountOf(entry.cost)]
  return JSON.stringify([kind, at, venue, currency, ...rest])
}

const negated = (amount: string): string => subtractDecimals('0', amount)

const undoes = ({ id, at, venue, currency, provenance, enteredAt }: Entered, undone: Entered): CorrectionEntry => ({
  kind: 'correction',
  id,
  at,
  venue,
  currency,
  provenance,
  enteredAt,
  withdraws: undone.id,
})
