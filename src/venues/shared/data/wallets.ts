// Wallets as on-chain venues name them, and the statistics of a wallet with unknown fields as null.
import type { WalletStats } from '#schemas/traders'
import { isPrice, isTraded } from './sanityChecks.ts'

/** Lower-cased, so that a wallet has one name; null for anything but an address. */
export const evmWallet = (text: string): string | null => (/^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : null)

/** Fields the venue does not report are null. */
export const statsOf = (reported: Partial<WalletStats>): WalletStats => ({
  walletAgeDays: null,
  marketsTraded: null,
  totalVolumeUsd: null,
  winRate: null,
  realizedPnlUsd: null,
  firstSeen: null,
  lastSeen: null,
  depositFirstAt: null,
  ...reported,
})

/** To the millionth of a dollar; null when either factor is impossible. */
export const usdOf = (price: number | null, amount: number | null): number | null =>
  price === null || amount === null || !isPrice(price) || !isTraded(amount)
    ? null
    : Math.round(price * amount * 1e6) / 1e6

/** A display name; left out when there is none. */
export const named = (...names: readonly (string | null | undefined)[]): { displayName?: string } => {
  const [displayName] = names.flatMap((name) => (name?.trim() ? [name] : []))
  return displayName === undefined ? {} : { displayName: displayName.slice(0, 128) }
}
