// The markets an account holds tokens of, as its public positions list them. Shape: a recorded answer of May 2026.
import type { SimulatedOrder } from '../engine/orderManager.ts'
import { type LabPosition, outcomePositions } from '../engine/positions.ts'
import type { LimitlessListing, LimitlessMarket } from './marketGenerator.ts'
import { detailsOf } from './orders.ts'
import { usdc } from './rows.ts'

const units = (amount: number): string => String(Math.round(amount * 1e6))

export function heldMarkets(orders: readonly SimulatedOrder[], listing: LimitlessListing) {
  const markets = new Map<LimitlessMarket, LabPosition[]>()
  for (const position of outcomePositions(orders, (order) => detailsOf(order).isYes)) {
    const market = listing.byName.get(detailsOf(position.order).posted.marketSlug)!
    markets.set(market, [...(markets.get(market) ?? []), position])
  }
  return [...markets].map(([market, held]) => {
    const of = (isYes: boolean) => held.find((position) => position.isYes === isYes)
    return {
      market: {
        id: market.id,
        slug: market.slug,
        yesPositionId: market.tokens.yes,
        noPositionId: market.tokens.no,
        collateralToken: usdc,
      },
      positions: { yes: costOf(of(true)), no: costOf(of(false)) },
      tokensBalance: { yes: sharesOf(of(true)), no: sharesOf(of(false)) },
    }
  })
}

const sharesOf = (position: LabPosition | undefined): string =>
  units(position === undefined ? 0 : position.hundredths / 100)

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
