// Wallets as venues on chains name them, and what is reported of one if little is known.
import type { WalletStats } from '#schemas/traders'
import { isPrice, isTraded } from './possible.ts'

/** In lower case, so that one wallet has one name; null for what is no address. */
export const evmWallet = (text: string): string | null => (/^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : null)

/** What the venue does not say is null. */
export const statsOf = (told: Partial<WalletStats>): WalletStats => ({
  walletAgeDays: null,
  marketsTraded: null,
  totalVolumeUsd: null,
  winRate: null,
  realizedPnlUsd: null,
  firstSeen: null,
  lastSeen: null,
  depositFirstAt: null,
  ...told,
})

/** To the millionth of a dollar; null where one of them is impossible. */
export const usdOf = (price: number | null, amount: number | null): number | null =>
  price === null || amount === null || !isPrice(price) || !isTraded(amount)
    ? null
    : Math.round(price * amount * 1e6) / 1e6

/** A name for people; left out where there is none. */
export const named = (...names: readonly (string | null | undefined)[]): { displayName?: string } => {
  const [displayName] = names.flatMap((name) => (name?.trim() ? [name] : []))
  return displayName === undefined ? {} : { displayName: displayName.slice(0, 128) }
}
