// Short forms of ledger entries. Without other details they are about outcome `yes` of market `m1` at venue `alpha`, in
// USDC.
import type {
  CorrectionEntry,
  FillEntry,
  ImportEntry,
  LedgerEntry,
  RedemptionEntry,
  SetEntry,
  SettlementEntry,
  TransferEntry,
} from '#portfolio/ledger/entry'
import { type CashBalance, foldLedger, type Ledger, type LedgerPosition } from '#portfolio/ledger/fold'

const base = { venue: 'alpha', currency: 'USDC', provenance: 'journal' } as const
const outcome = { marketId: 'm1', outcomeId: 'yes' }

type Details<E extends LedgerEntry> = Partial<Omit<E, 'kind'>>

const fill = (side: 'buy' | 'sell', at: number, size: string, cash: string | null, details: Details<FillEntry>) =>
  ({
    ...base,
    ...outcome,
    kind: 'fill',
    id: `${side} ${at}`,
    at,
    side,
    size,
    cash,
    fee: '0',
    feeIn: 'cash',
    executionId: null,
    ...details,
  }) satisfies FillEntry

export const buy = (at: number, size: string, cash: string | null, details: Details<FillEntry> = {}): FillEntry =>
  fill('buy', at, size, cash, details)

export const sell = (at: number, size: string, cash: string | null, details: Details<FillEntry> = {}): FillEntry =>
  fill('sell', at, size, cash, details)

export const settlement = (at: number, value: string, details: Details<SettlementEntry> = {}): SettlementEntry => ({
  ...base,
  ...outcome,
  kind: 'settlement',
  id: `settlement ${at} ${details.outcomeId ?? ''}`,
  at,
  value,
  paysItself: false,
  ...details,
})

/** Of all shares at their payout, if no details are given. */
export const redemption = (at: number, details: Details<RedemptionEntry> = {}): RedemptionEntry => ({
  ...base,
  ...outcome,
  kind: 'redemption',
  id: `redemption ${at}`,
  at,
  size: null,
  cash: null,
  fee: '0',
  ...details,
})

const set = (kind: 'split' | 'merge', at: number, size: string, outcomeIds: readonly string[]): SetEntry => ({
  ...base,
  kind,
  id: `${kind} ${at}`,
  at,
  marketId: 'm1',
  outcomeIds,
  size,
})

export const split = (at: number, size: string, outcomeIds: readonly string[] = ['yes', 'no']): SetEntry =>
  set('split', at, size, outcomeIds)

export const merge = (at: number, size: string, outcomeIds: readonly string[] = ['yes', 'no']): SetEntry =>
  set('merge', at, size, outcomeIds)

export const transfer = (at: number, cash: string, details: Details<TransferEntry> = {}): TransferEntry => ({
  ...base,
  kind: 'transfer',
  id: `transfer ${at}`,
  at,
  cash,
  ...details,
})

export const imported = (
  at: number,
  size: string,
  cost: string | null,
  details: Details<ImportEntry> = {},
): ImportEntry => ({
  ...base,
  ...outcome,
  provenance: 'import',
  kind: 'import',
  id: `import ${at}`,
  at,
  size,
  cost,
  ...details,
})

export const correction = (at: number, withdraws: string): CorrectionEntry => ({
  ...base,
  kind: 'correction',
  id: `correction ${at}`,
  at,
  withdraws,
})

/** The position in an outcome of `m1` at `alpha`. */
export function positionIn(ledger: Ledger, outcomeId = 'yes'): LedgerPosition {
  const found = ledger.positions.find(
    (position) => position.venue === 'alpha' && position.marketId === 'm1' && position.outcomeId === outcomeId,
  )
  if (found === undefined) throw new Error(`no position in ${outcomeId}`)
  return found
}

export function balanceIn(ledger: Ledger, currency: string | null = 'USDC'): CashBalance {
  const found = ledger.cash.find((balance) => balance.venue === 'alpha' && balance.currency === currency)
  if (found === undefined) throw new Error(`no balance in ${currency}`)
  return found
}

/** The only position and balance that entries lead to. */
export function foldOne(entries: readonly LedgerEntry[], until?: number) {
  const { positions, cash } = foldLedger(entries, until)
  if (positions.length !== 1 || cash.length !== 1) throw new Error('more than one position or balance')
  return { position: positions[0]!, balance: cash[0]! }
}
