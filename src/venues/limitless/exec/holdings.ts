// A wallet's outcome tokens as the venue publishes them, without a key; its USDC from the chain. Markets of the venue's pools and groups have
// rows of another, undocumented form: with any of those the list is not complete.
import { Fault } from '#core/fault'
import { defineHoldings, type HeldPosition } from '../../holdings.ts'
import { readKnown } from '../../shared/data/rest.ts'
import { BaseUnits, unitsToDecimal } from '../../shared/exec/decimalShape.ts'
import { readTokenBalance } from '../../shared/exec/tokenBalance.ts'
import { WalletAccount } from '../../shared/exec/walletBody.ts'
import { idsOf, isSlug } from '../ids.ts'
import { chainId, usdc } from './typedData.ts'
import { LimitlessHolding, LimitlessHoldings } from './wire.ts'

export const holdings = defineHoldings<WalletAccount>({
  source: 'venue_api',
  account: WalletAccount,
  costStep: '0.0001',
  async read(context, { wallet }) {
    const asOf = context.clock.now()
    const [{ amm, clob, group }, cash] = await Promise.all([
      readKnown(
        { ...context, venue: 'limitless' as const },
        { path: `/portfolio/${wallet.toLowerCase()}/positions`, body: LimitlessHoldings },
      ),
      readTokenBalance(context, { venue: 'limitless', chainId, address: usdc, symbol: 'USDC', decimals: 6 }, wallet),
    ])
    if (clob == null && amm == null && group == null) {
      throw new Fault('NETWORK_ERROR', 'limitless sent an answer we cannot read', { exchange: 'limitless' })
    }
    const rows = (clob ?? []).map((row) => LimitlessHolding.safeParse(row).data)
    return {
      positions: rows.flatMap((row) => (row === undefined ? [] : positionsOf(row))),
      isComplete: clob != null && !rows.includes(undefined) && !amm?.length && !group?.length,
      balances: [cash],
      asOf,
    }
  },
})

function positionsOf({ market, tokensBalance, positions }: LimitlessHolding): HeldPosition[] {
  const { decimals } = market.collateralToken
  const [yes, no] = idsOf(market.slug)
  return (
    [
      ['yes', yes],
      ['no', no],
    ] as const
  ).flatMap(([side, outcomeId]) => {
    const quantity = unitsToDecimal(tokensBalance[side], decimals)
    if (quantity === '0' || !isSlug(market.slug)) return []
    const price = BaseUnits.safeParse(positions?.[side]?.fillPrice).data
    // Zero: it was received, and not bought.
    const averageCost = price === undefined || BigInt(price) === 0n ? null : unitsToDecimal(price, decimals)
    return { marketId: market.slug, outcomeId, quantity, averageCost }
  })
}
