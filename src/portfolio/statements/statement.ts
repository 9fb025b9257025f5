// The statement of a day or month: what was held before, every entry, what was held after, and what the period added.
import { Fault } from '#core/fault'
import type { Statement, StatementEntry, StatementPosition } from '#schemas/portfolio'
import type { LedgerEntry } from '../ledger/entry.ts'
import { foldLedgerYielding, foldWithRedemptions, type Redeemed } from '../ledger/fold.ts'
import type { Ledger, LedgerPosition } from '../ledger/ledger.ts'
import { compareIds, withdrawnIds } from '../ledger/order.ts'
import { changes } from './history.ts'
import type { Period } from './periods.ts'

/** Entries of a statement. */
export const statementEntriesMax = 20_000

export async function statementOf(entries: readonly LedgerEntry[], period: Period, nowMs: number): Promise<Statement> {
  const own = entries.filter(({ at }) => at >= period.from && at < period.to).sort(byTime)
  if (own.length > statementEntriesMax) {
    throw new Fault(
      'VALIDATION_ERROR',
      `period: has more than ${statementEntriesMax} entries; request its days one by one`,
    )
  }
  const opening = await foldLedgerYielding(entries, period.from - 1)
  const { ledger: closing, redemptions } = await foldWithRedemptions(entries, period.to - 1)
  const withdrawn = withdrawnIds(entries)
  return {
    period: period.name,
    from: new Date(period.from).toISOString(),
    to: new Date(period.to).toISOString(),
    isComplete: period.to <= nowMs,
    opening: heldIn(opening),
    entries: own.map((entry) => statementEntry(entry, withdrawn.has(entry.id), redemptions)),
    closing: heldIn(closing),
    totals: changes(
      opening,
      closing,
      own.filter(({ id }) => !withdrawn.has(id)),
    ),
  }
}

const byTime = (a: LedgerEntry, b: LedgerEntry): number => a.at - b.at || compareIds(a.id, b.id)

const heldIn = ({ positions }: Ledger): StatementPosition[] =>
  positions.filter(({ quantity }) => quantity !== '0').map(statementPosition)

const statementPosition = ({
  settlement: _settlement,
  openedAt: _openedAt,
  updatedAt: _updatedAt,
  ...held
}: LedgerPosition): StatementPosition => held

const empty = {
  marketId: null,
  outcomeId: null,
  side: null,
  size: null,
  cash: null,
  fee: null,
  feeIn: null,
  executionId: null,
  withdraws: null,
} as const

export function statementEntry(
  entry: LedgerEntry,
  isWithdrawn: boolean,
  redemptions: ReadonlyMap<string, Redeemed>,
): StatementEntry {
  const { id, kind, venue, currency, provenance } = entry
  const base = {
    ...{ id, at: new Date(entry.at).toISOString(), kind, venue, currency, provenance },
    ...empty,
    isWithdrawn,
  }
  switch (entry.kind) {
    case 'fill': {
      const { marketId, outcomeId, side, size, cash, fee, feeIn, executionId } = entry
      return { ...base, marketId, outcomeId, side, size, cash, fee, feeIn, executionId }
    }
    case 'correction':
      return { ...base, withdraws: entry.withdraws }
    case 'settlement':
      return { ...base, marketId: entry.marketId, outcomeId: entry.outcomeId, cash: entry.value }
    case 'redemption': {
      const { marketId, outcomeId, fee } = entry
      const { size, cash } = redemptions.get(entry.id) ?? entry
      return { ...base, marketId, outcomeId, size, cash, fee }
    }
    case 'split':
    case 'merge':
      return { ...base, marketId: entry.marketId, size: entry.size }
    case 'conversion':
      return { ...base, size: entry.gives[0]?.size ?? null, cash: entry.cash }
    case 'transfer':
      return { ...base, cash: entry.cash }
    case 'import': {
      const { marketId, outcomeId, size, cost } = entry
      return { ...base, marketId, outcomeId, size, cash: cost }
    }
  }
}
