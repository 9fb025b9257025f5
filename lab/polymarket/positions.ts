// Positions of the Data API: what the orders of a wallet's owner hold, open and resolved alike, with the amounts as numbers.
import { getAddress, type Hex } from 'viem'
import type { Engine } from '../engine/engine.ts'
import { type LabPosition, outcomePositions } from '../engine/positions.ts'
import type { LabRoute } from '../venueServer.ts'
import { isReply, pageOf, placeOf, refused } from './dataPage.ts'
import { detailsOf } from './orders.ts'

const positionsPageMax = 500

export function positionRoutes(engine: Engine): LabRoute[] {
  return [
    {
      method: 'GET',
      path: '/data/v2/positions',
      handle({ query }) {
        const user = query.get('user')
        if (user === null || !/^0x[0-9a-fA-F]{40}$/.test(user)) return refused('user is required', 'user')
        const place = placeOf(query, { route: 'positions', standard: 100, max: positionsPageMax })
        if (isReply(place)) return place
        const wallet = getAddress(user.toLowerCase())
        const held = outcomePositions(
          engine.orderManager
            .ordersOf(wallet)
            .filter((order) => makerOf(order.details).toLowerCase() === user.toLowerCase()),
          (order) => detailsOf(order).side === 0,
        )
        const rows = held.filter(({ hundredths }) => hundredths > 0).map((position) => rowOf(position, wallet))
        return pageOf('positions', place, rows.slice(place.offset))
      },
    },
  ]
}

const makerOf = (details: Readonly<Record<string, unknown>>): string =>
  (details.posted as { order: { maker: string } }).order.maker

function rowOf({ order, hundredths, averageMicros }: LabPosition, wallet: Hex) {
  const { market, side } = detailsOf(order)
  const [size, price] = [hundredths / 100, averageMicros / 1_000_000]
  return {
    proxy_wallet: wallet.toLowerCase(),
    token_id: market.tokens[side],
    condition_id: market.conditionId,
    current_size: size,
    avg_price: Number(price.toFixed(6)),
    entry_cost_usdc: Number((size * price).toFixed(6)),
    entry_fees_usdc: 0,
    status: 'OPEN',
    redeemable: false,
    mergeable: false,
    title: market.catalog.question,
    outcome_index: side,
  }
}
