// Stored fills as entries of the ledger.
//
//   the same fill, stored with two executions of one venue order ─► one entry
//   an order's total so far                                       ─► an entry of what it adds, where that is known; else it replaces
//                                                                     the entries of the order
//   a withdrawn fill                                              ─► its entry, and a correction
import { addDecimals, compareDecimals, roundDecimal, subtractDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { FillRow } from '#storage/postgres/executions/findExecutions'
import { withdrawnFillId } from '#storage/postgres/executions/withdrawnFill'
import type { FilledOrderRow } from '#storage/postgres/portfolio/findFills'
import type { ExecutionAdapter, FilledOrder, NormalizedFill, OrderTerms } from '#venues/lane'
import type { CorrectionEntry, FillEntry } from '../ledger/entry.ts'
import type { UnreadableFill } from '../ports.ts'

type ReadFill = ExecutionAdapter['readFill']

interface VenueOrder {
  /** The venue's key of a fill → our id of its first row. */
  seen: Map<string, string>
  /** Neither replaced nor withdrawn. */
  fills: FillEntry[]
}

interface Total {
  size: string
  cash: string | null
  fee: string | null
}

export class FillEntries {
  private readonly orders = new Map<string, VenueOrder>()
  /** By execution: its order may get an id at the venue later than its first fill. */
  private readonly byExecution = new Map<string, VenueOrder>()
  private readonly byId = new Map<string, FillEntry>()
  private readonly corrections: CorrectionEntry[] = []
  /** A second row of a fill → the first. */
  private readonly copies = new Map<string, string>()
  private readonly withdrawn = new Set<string>()
  private readonly unread: UnreadableFill[] = []
  private rows = 0

  /** Rows added, also those that count nowhere. */
  get size(): number {
    return this.rows
  }

  list(): (FillEntry | CorrectionEntry)[] {
    return [...this.byId.values(), ...this.corrections]
  }

  get unreadable(): UnreadableFill[] {
    return this.unread.filter(({ fillId }) => !this.withdrawn.has(fillEntryId(fillId)))
  }

  /** What the entries say was filled of the order. */
  filledSize(order: Pick<FilledOrderRow, 'id' | 'venue' | 'venue_ref'>): string {
    const found = this.orders.get(orderKey(order)) ?? this.byExecution.get(order.id)
    return (found?.fills ?? []).reduce((sum, { size }) => addDecimals(sum, size), '0')
  }

  /** Rows come by id. */
  add(row: FillRow, order: FilledOrderRow, readFill: ReadFill): void {
    this.rows++
    const of = this.orderOf(order)
    const withdrawnId = withdrawnFillId(row.fill)
    if (withdrawnId !== null) {
      this.withdraw(row, order, withdrawnId)
      return
    }
    const first = of.seen.get(row.venue_key)
    if (first !== undefined) {
      this.copies.set(row.id, first)
      return
    }
    of.seen.set(row.venue_key, row.id)
    const terms = termsOf(order)
    const read = terms === null ? null : inLedgerPlaces(readFill?.(row.fill, filledOrder(order)) ?? null)
    if (terms === null || read === null || compareDecimals(read.size, '0') <= 0) {
      const reason = readFill === undefined ? 'not_supported' : terms === null ? 'no_terms' : 'unreadable'
      this.unread.push({ fillId: row.id, executionId: row.execution_id, venue: row.venue, reason })
      return
    }
    if (read.cumulative === true) this.addTotal(of, row, order, terms, read)
    else this.insert(of, entryOf(row, order, terms, read))
  }

  private addTotal(
    of: VenueOrder,
    row: FillRow,
    order: FilledOrderRow,
    terms: OrderTerms,
    total: NormalizedFill,
  ): void {
    const isSameUnit = of.fills.every(({ feeIn }) => feeIn === total.feeIn)
    const added = isSameUnit ? difference(total, totalOf(of.fills)) : null
    if (added === 'nothing') return
    if (added === null) {
      for (const { id } of of.fills) this.byId.delete(id)
      of.fills = []
    }
    this.insert(of, entryOf(row, order, terms, { ...total, ...added }))
  }

  private insert(of: VenueOrder, entry: FillEntry): void {
    of.fills.push(entry)
    this.byId.set(entry.id, entry)
  }

  private withdraw(row: FillRow, order: FilledOrderRow, fillId: string): void {
    const withdraws = fillEntryId(this.copies.get(fillId) ?? fillId)
    if (this.withdrawn.has(withdraws)) return
    this.withdrawn.add(withdraws)
    const of = this.orderOf(order)
    of.fills = of.fills.filter(({ id }) => id !== withdraws)
    this.corrections.push({
      kind: 'correction',
      id: fillEntryId(row.id),
      at: row.filled_at.getTime(),
      venue: row.venue,
      currency: currencyOf(order),
      provenance: 'journal',
      withdraws,
    })
  }

  private orderOf(order: Pick<FilledOrderRow, 'id' | 'venue' | 'venue_ref'>): VenueOrder {
    const key = orderKey(order)
    const found = this.orders.get(key) ?? this.byExecution.get(order.id) ?? { seen: new Map(), fills: [] }
    this.orders.set(key, found)
    this.byExecution.set(order.id, found)
    return found
  }
}

/** An order and the modifications that keep its id are one order at the venue. */
export const orderKey = ({ id, venue, venue_ref }: Pick<FilledOrderRow, 'id' | 'venue' | 'venue_ref'>): string =>
  JSON.stringify([venue, venue_ref ?? id, venue_ref !== null])

const fillEntryId = (fillId: string): string => `fill:${fillId}`

/** Null: it names no market. */
export function termsOf({ terms }: Pick<FilledOrderRow, 'terms'>): OrderTerms | null {
  const isComplete =
    typeof terms?.marketId === 'string' && typeof terms.outcomeId === 'string' && typeof terms.isBuy === 'boolean'
  return isComplete ? (terms as unknown as OrderTerms) : null
}

const filledOrder = (row: FilledOrderRow): FilledOrder => ({
  intent: row.intent,
  unsigned: JSON.parse(row.unsigned) as JsonObject,
  submittedArtifact: row.submitted_artifact,
  bounds: row.bounds,
  terms: termsOf(row),
  owner: row.owner,
})

export const currencyOf = ({ summary }: Pick<FilledOrderRow, 'summary'>): string | null =>
  typeof summary?.currency === 'string' ? summary.currency : null

const entryOf = (row: FillRow, order: FilledOrderRow, terms: OrderTerms, read: NormalizedFill): FillEntry => ({
  kind: 'fill',
  id: fillEntryId(row.id),
  at: row.filled_at.getTime(),
  venue: row.venue,
  currency: currencyOf(order),
  provenance: 'journal',
  marketId: terms.marketId,
  outcomeId: terms.outcomeId,
  side: terms.isBuy ? 'buy' : 'sell',
  size: read.size,
  cash: read.cash,
  fee: read.fee,
  feeIn: read.feeIn,
  executionId: row.execution_id,
})

/** The ledger's precision. */
export const ledgerPlaces = 18

const rounded = (amount: string | null): string | null =>
  amount === null ? null : roundDecimal(amount, ledgerPlaces, 'halfEven')

const inLedgerPlaces = (read: NormalizedFill | null): NormalizedFill | null =>
  read && {
    ...read,
    size: roundDecimal(read.size, ledgerPlaces, 'down'),
    cash: rounded(read.cash),
    fee: rounded(read.fee),
  }

const sum = (a: string | null, b: string | null): string | null => (a === null || b === null ? null : addDecimals(a, b))

function totalOf(fills: readonly FillEntry[]): Total {
  let total: Total = { size: '0', cash: '0', fee: '0' }
  for (const { size, cash, fee } of fills) {
    total = { size: addDecimals(total.size, size), cash: sum(total.cash, cash), fee: sum(total.fee, fee) }
  }
  return total
}

/** Null: what the total adds is unknown, or it is less than before. */
function difference(total: Total, before: Total): Total | 'nothing' | null {
  const more = compareDecimals(total.size, before.size)
  const isRevealed = (before.cash === null && total.cash !== null) || (before.fee === null && total.fee !== null)
  const cash = total.cash === null || before.cash === null ? null : subtractDecimals(total.cash, before.cash)
  const fee = total.fee === null || before.fee === null ? null : subtractDecimals(total.fee, before.fee)
  if (more === 0) return total.cash === before.cash && total.fee === before.fee ? 'nothing' : null
  if (more < 0 || isRevealed || (cash !== null && compareDecimals(cash, '0') < 0)) return null
  return { size: subtractDecimals(total.size, before.size), cash, fee }
}
