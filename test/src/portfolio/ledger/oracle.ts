// What an account gained, from its cash alone: no cost, no lots. An independent count to compare a ledger with, in
// decimal text.
import { addDecimals, compareDecimals, multiplyDecimals, subtractDecimals } from '#core/decimal'
import type { CorrectionEntry, LedgerEntry, RedemptionEntry, SettlementEntry } from '#portfolio/ledger/entry'

type Plain = Exclude<LedgerEntry, CorrectionEntry>

export interface Totals {
  /** By venue and currency; null: unknown. */
  cash: Map<string, string | null>
  deposits: Map<string, string>
  /** Shares by venue, market and outcome. */
  shares: Map<string, string>
}

export const cashKey = ({ venue, currency }: Pick<LedgerEntry, 'venue' | 'currency'>): string => `${venue} ${currency}`

export const shareKey = (outcome: { venue: string; marketId: string; outcomeId: string }): string =>
  `${outcome.venue} ${outcome.marketId} ${outcome.outcomeId}`

const negative = (text: string): string => subtractDecimals('0', text)

export function totalsOf(entries: readonly LedgerEntry[]): Totals {
  const plain = countedInOrder(entries)
  const totals: Totals = { cash: new Map(), deposits: new Map(), shares: new Map() }
  const settled = new Map<string, SettlementEntry>()

  const receive = (entry: LedgerEntry, amount: string | null): void => {
    const key = cashKey(entry)
    const sum = totals.cash.get(key)
    totals.cash.set(key, sum === null || amount === null ? null : addDecimals(sum ?? '0', amount))
  }
  const deposit = (entry: LedgerEntry, amount: string | null): void => {
    totals.deposits.set(cashKey(entry), addDecimals(totals.deposits.get(cashKey(entry)) ?? '0', amount ?? '0'))
  }
  const held = (key: string): string => totals.shares.get(key) ?? '0'
  const move = (entry: LedgerEntry, key: string, shares: string): void => {
    const now = addDecimals(held(key), shares)
    const settlement = settled.get(key)
    const isPaid = settlement?.paysItself === true
    totals.shares.set(key, isPaid ? '0' : now)
    if (isPaid && now !== '0') receive(entry, multiplyDecimals(now, settlement.value))
  }
  const redeem = (entry: RedemptionEntry): void => {
    const { venue, marketId, outcomeId } = entry
    const keys =
      outcomeId === null
        ? [...totals.shares.keys()].filter(
            (key) => key.startsWith(`${venue} ${marketId} `) && compareDecimals(held(key), '0') > 0,
          )
        : [shareKey({ venue, marketId, outcomeId })]
    let payout: string | null = keys.length === 0 && entry.size !== null ? null : '0'
    const moves = keys.map((key) => {
      const all = compareDecimals(held(key), '0') > 0 ? held(key) : '0'
      const isLess = entry.size !== null && (outcomeId !== null || compareDecimals(entry.size, all) < 0)
      const shares = isLess ? entry.size! : all
      const value = (settled.get(key) ?? firstSettlement(plain, key))?.value ?? null
      if (shares !== '0')
        payout = payout === null || value === null ? null : addDecimals(payout, multiplyDecimals(shares, value))
      return { key, shares }
    })
    const received = entry.cash ?? payout
    receive(entry, received === null ? null : subtractDecimals(received, entry.fee ?? '0'))
    for (const { key, shares } of moves) if (shares !== '0') move(entry, key, negative(shares))
  }

  for (const entry of plain) {
    switch (entry.kind) {
      case 'fill': {
        const fee = entry.fee ?? '0'
        const gross = entry.side === 'buy' && entry.cash !== null ? negative(entry.cash) : entry.cash
        receive(entry, entry.feeIn === 'cash' && gross !== null ? subtractDecimals(gross, fee) : gross)
        const shares = entry.side === 'buy' ? entry.size : negative(entry.size)
        move(entry, shareKey(entry), entry.feeIn === 'outcome' ? subtractDecimals(shares, fee) : shares)
        break
      }
      case 'import':
        deposit(entry, entry.cost)
        receive(entry, '0')
        move(entry, shareKey(entry), entry.size)
        break
      case 'transfer':
        deposit(entry, entry.cash)
        receive(entry, entry.cash)
        break
      case 'split':
      case 'merge': {
        const shares = entry.kind === 'split' ? entry.size : negative(entry.size)
        receive(entry, negative(shares))
        for (const outcomeId of entry.outcomeIds) move(entry, shareKey({ ...entry, outcomeId }), shares)
        break
      }
      case 'conversion':
        receive(entry, entry.cash)
        for (const { size, ...outcome } of entry.gives) move(entry, shareKey({ ...entry, ...outcome }), negative(size))
        for (const { size, ...outcome } of entry.receives) move(entry, shareKey({ ...entry, ...outcome }), size)
        break
      case 'settlement':
        settled.set(shareKey(entry), entry)
        if (totals.shares.has(shareKey(entry))) move(entry, shareKey(entry), '0')
        break
      case 'redemption':
        redeem(entry)
    }
  }
  return totals
}

const letters = {
  import: 'a',
  transfer: 'a',
  split: 'b',
  buy: 'c',
  conversion: 'd',
  sell: 'e',
  merge: 'f',
  settlement: 'g',
  redemption: 'h',
}

function countedInOrder(entries: readonly LedgerEntry[]): Plain[] {
  const byPlace = new Map<string, Plain>()
  for (const entry of entries) {
    const isWithdrawn = entries.some((other) => other.kind === 'correction' && other.withdraws === entry.id)
    if (entry.kind === 'correction' || isWithdrawn) continue
    const letter = letters[entry.kind === 'fill' ? entry.side : entry.kind]
    byPlace.set(`${String(entry.at).padStart(4, '0')} ${letter} ${entry.id}`, entry)
  }
  return [...byPlace.keys()].sort().map((place) => byPlace.get(place)!)
}

const firstSettlement = (plain: readonly Plain[], key: string): SettlementEntry | undefined =>
  plain.find((entry): entry is SettlementEntry => entry.kind === 'settlement' && shareKey(entry) === key)
