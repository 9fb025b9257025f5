// Splits, merges and conversions that completed, as entries of the ledger: what their summaries say they exchange, which is what was signed. One
// transaction may have been reported for several executions: an exchange of the same shares in it counts once.
import { Exchange, type JsonObject } from '#schemas/executions'
import type { ExchangeRow } from '#storage/postgres/portfolio/findExecutions'
import type { ConversionEntry, SetEntry } from '../ledger/entry.ts'

type ExchangeEntry = SetEntry | ConversionEntry

/** Null: its summary does not say what was exchanged, which is a gap of the portfolio. */
export function exchangeEntry(row: ExchangeRow): ExchangeEntry | null {
  const { venue, intent, summary, updated_at } = row
  const exchange = Exchange.safeParse(summary?.exchange).data
  if (exchange === undefined) return null
  const { size, gives, receives, cash } = exchange
  const base = {
    id: idOf(row, size),
    at: updated_at.getTime(),
    venue,
    currency: typeof summary?.currency === 'string' ? summary.currency : null,
    provenance: 'journal',
  } as const
  if (intent === 'convert') return gives.length === 0 ? null : { ...base, kind: 'conversion', gives, receives, cash }
  const shares = intent === 'split' ? receives : gives
  const [first] = shares
  if (first === undefined) return null
  return {
    ...base,
    kind: intent,
    marketId: first.marketId,
    outcomeIds: shares.map(({ outcomeId }) => outcomeId),
    size,
  }
}

/** By the transaction, and what it exchanges there. */
function idOf({ id, intent, venue, venue_ref, summary }: ExchangeRow, size: string): string {
  const instrument = (summary?.outcome as JsonObject | null | undefined)?.instrument
  return venue_ref === null || typeof instrument !== 'string'
    ? `${intent}:${id}`
    : `${intent}:${venue}:${venue_ref}:${instrument}:${size}`
}

/** Of several with one id the first. */
export function withoutCopies(entries: readonly ExchangeEntry[]): ExchangeEntry[] {
  const first = new Map<string, ExchangeEntry>()
  for (const entry of entries) if (!first.has(entry.id)) first.set(entry.id, entry)
  return [...first.values()]
}
