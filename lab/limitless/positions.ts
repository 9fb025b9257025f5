// The markets an account holds tokens of, as its public positions list them. Shape: a recorded answer of May 2026.
import type { SimulatedOrder } from '../engine/orderManager.ts'
import { type LabPosition, outcomePositions } from '../engine/positions.ts'
import type { LimitlessListing, LimitlessMarket } from './marketGenerator.ts'
import { detailsOf } from './orders.ts'
import { usdc } from './rows.ts'
import type { Tokens } from './tokenChanges.ts'

const units = (amount: number): string => String(Math.round(amount * 1e6))

/** `changes`: of the wallet, besides its orders. Markets without tokens are left out. */
export function heldMarkets(
  orders: readonly SimulatedOrder[],
  listing: LimitlessListing,
  changes: ReadonlyMap<string, Tokens>,
) {
  const markets = new Map<LimitlessMarket, LabPosition[]>()
  for (const slug of changes.keys()) markets.set(listing.byName.get(slug)!, [])
  for (const position of outcomePositions(orders, (order) => detailsOf(order).isYes)) {
    const market = listing.byName.get(detailsOf(position.order).posted.marketSlug)!
    markets.set(market, [...(markets.get(market) ?? []), position])
  }
  return [...markets].flatMap(([market, held]) => {
    const of = (isYes: boolean) => held.find((position) => position.isYes === isYes)
    const change = changes.get(market.slug) ?? { yes: 0n, no: 0n }
    const balance = { yes: sharesOf(of(true)) + change.yes, no: sharesOf(of(false)) + change.no }
    if (balance.yes === 0n && balance.no === 0n) return []
    return [
      {
        market: {
          id: market.id,
          slug: market.slug,
          yesPositionId: market.tokens.yes,
          noPositionId: market.tokens.no,
          collateralToken: usdc,
        },
        positions: { yes: costOf(of(true)), no: costOf(of(false)) },
        tokensBalance: { yes: String(balance.yes), no: String(balance.no) },
      },
    ]
  })
}

const sharesOf = (position: LabPosition | undefined): bigint => BigInt(Math.round((position?.hundredths ?? 0) * 1e4))

function costOf(position: LabPosition | undefined) {
  const [shares, price] =
    position === undefined ? [0, 0] : [position.hundredths / 100, position.averageMicros / 1_000_000]
  return {
    cost: units(shares * price),
    fillPrice: units(price),
    marketValue: units(shares * price),
    realisedPnl: '0',
    unrealizedPnl: '0',
  }
}
