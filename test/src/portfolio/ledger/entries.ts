// Short forms of ledger entries. Without other details they are about outcome `yes` of market `m1` at venue `alpha`, in
// USDC.
import type {
  ConversionEntry,
  CorrectionEntry,
  FillEntry,
  ImportEntry,
  LedgerEntry,
  OutcomeShares,
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

/** Of NO shares of markets of one event. `gives`, `receives`: markets; `out`: what is received of each. */
export const conversion = (
  at: number,
  [size, gives]: [size: string, gives: readonly string[]],
  [out, receives]: [out: string, receives: readonly string[]],
  cash: string,
): ConversionEntry => {
  const shares =
    (outcomeId: string, amount: string) =>
    (marketId: string): OutcomeShares => ({
      marketId,
      outcomeId,
      size: amount,
    })
  return {
    ...base,
    kind: 'conversion',
    id: `conversion ${at}`,
    at,
    gives: gives.map(shares('no', size)),
    receives: receives.map(shares('yes', out)),
    cash,
  }
}

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

/** The position in an outcome of a market at `alpha`. */
export function positionIn(ledger: Ledger, outcomeId = 'yes', marketId = 'm1'): LedgerPosition {
  const found = ledger.positions.find(
    (position) => position.venue === 'alpha' && position.marketId === marketId && position.outcomeId === outcomeId,
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
