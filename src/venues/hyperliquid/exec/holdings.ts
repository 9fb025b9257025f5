// A wallet's outcome tokens and other spot balances: one answer has all of them, by address and without a key.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint/spot
import { compareDecimals, divideDecimals, subtractDecimals } from '#core/decimal'
import { defineHoldings, type HeldBalance, type HeldPosition } from '../../holdings.ts'
import { readPublicOrders } from '../../shared/exec/publicOrders.ts'
import { WalletAccount } from '../../shared/exec/walletBody.ts'
import { openOrders } from '../data/openOrders.ts'
import { isCoin, outcomeNumberOf } from '../ids.ts'
import { info } from './info.ts'
import { HeldCoin, SpotHoldings } from './wireHoldings.ts'

/** Digits of an average that is a quotient. */
const places = 9

export const holdings = defineHoldings<WalletAccount>({
  source: 'venue_api',
  account: WalletAccount,
  costStep: '0.0001',
  async read(context, { wallet }) {
    const asOf = context.clock.now()
    const body = { type: 'spotClearinghouseState', user: wallet.toLowerCase() }
    const [{ balances: rows }, orders] = await Promise.all([
      info(context, body, SpotHoldings),
      readPublicOrders(context, 'hyperliquid', openOrders, wallet),
    ])
    const coins = rows.flatMap((row) => HeldCoin.safeParse(row).data ?? [])
    const tokens = coins.filter(({ coin }) => coin.startsWith('+'))
    const positions = tokens.map(positionOf)
    return {
      positions: positions.flatMap((position) => (position === 'unknown' ? [] : (position ?? []))),
      isComplete: coins.length === rows.length && !positions.includes('unknown'),
      balances: coins.filter((coin) => !tokens.includes(coin)).map(balanceOf),
      openOrders: orders,
      asOf,
    }
  },
})

/** A token is a plus sign and the number that its coin has after a hash sign. Null: nothing is held. */
function positionOf({ coin: token, total, entryNtl }: HeldCoin): HeldPosition | 'unknown' | null {
  const coin = `#${token.slice(1)}`
  if (!isCoin(coin)) return 'unknown'
  if (compareDecimals(total, '0') === 0) return null
  return {
    marketId: String(outcomeNumberOf(coin)),
    outcomeId: coin,
    quantity: total,
    averageCost: entryNtl === null ? null : divideDecimals(entryNtl, total, places, 'halfEven'),
  }
}

const balanceOf = ({ coin, total, hold }: HeldCoin): HeldBalance => ({
  currency: coin,
  total,
  available: hold === null ? null : subtractDecimals(total, hold),
})
