// How much of the capital used is in one place. Capital is the cost basis; a short counts with its sign.
import { formatAmount, parseAmount } from '../ledger/amounts.ts'
import type { Holding } from './holdings.ts'

export interface Capital {
  /** Of the holdings with a known cost. */
  known: bigint
  /** Holdings without one. */
  unknown: number
}

export function capitalOf(holdings: readonly Holding[]): Capital {
  const capital: Capital = { known: 0n, unknown: 0 }
  for (const { position } of holdings) {
    if (position.costBasis === null) capital.unknown++
    else capital.known += parseAmount(position.costBasis)
  }
  return capital
}

/** Null if a cost is unknown. */
export const capitalUsed = ({ known, unknown }: Capital): bigint | null => (unknown > 0 ? null : known)

export interface Part<Key> {
  /** Unique among the parts. */
  id: string
  key: Key
  money: string
  holdings: Holding[]
  capital: Capital
  /** 0 to 1; null where nothing with a known cost is above zero. */
  share: number | null
}

const shareUnits = 1_000_000n

/** Holdings by what they have in common and by currency, largest capital first. Shares are those of the same currency. */
export function concentration<Key>(
  holdings: readonly Holding[],
  keyOf: (holding: Holding) => { name: string; key: Key },
): Part<Key>[] {
  const parts = new Map<string, Part<Key>>()
  for (const holding of holdings) {
    const { name, key } = keyOf(holding)
    const { money } = holding
    const id = `${name}\n${money}`
    const part = parts.get(id)
    if (part !== undefined) part.holdings.push(holding)
    else parts.set(id, { id, key, money, holdings: [holding], capital: { known: 0n, unknown: 0 }, share: null })
  }
  const totals = new Map<string, bigint>()
  for (const part of parts.values()) {
    part.capital = capitalOf(part.holdings)
    totals.set(part.money, (totals.get(part.money) ?? 0n) + above(part.capital.known))
  }
  for (const part of parts.values()) part.share = shareOf(part.capital.known, totals.get(part.money)!)
  return [...parts.values()].sort(largestFirst)
}

/** What the order of parts, and a page of them, depends on. */
export interface Place {
  id: string
  capital: Pick<Capital, 'known'>
}

export const largestFirst = (a: Place, b: Place): number =>
  compare(b.capital.known, a.capital.known) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const above = (amount: bigint): bigint => (amount > 0n ? amount : 0n)
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

const shareOf = (part: bigint, total: bigint): number | null =>
  total === 0n ? null : Number((above(part) * shareUnits) / total) / Number(shareUnits)

export const printCapital = ({ known, unknown }: Capital): { capitalUsed: string; unknownCosts: number } => ({
  capitalUsed: formatAmount(known),
  unknownCosts: unknown,
})
