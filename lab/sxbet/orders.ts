// Sxbet's read of one order by its own account. Order placement is out of this lab's scope: the orders exist.
import { BID } from '../engine/book.ts'
import type { Engine } from '../engine/engine.ts'
import type { SimulatedOrder } from '../engine/orderManager.ts'
import { stableUuid } from '../prng.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabRoute, ok } from '../venueServer.ts'
import type { SxbetListing } from './marketGenerator.ts'
import { refused } from './reads.ts'

const contracts = 50

export interface SxbetOrders {
  route(core: VenueCore): LabRoute
  /** Returns its id. */
  place(engine: Engine, listing: SxbetListing): string
}

export function createOrders(apiKey: string): SxbetOrders {
  const placed = new Map<string, { order: SimulatedOrder; marketHash: string }>()
  return {
    place(engine, listing) {
      for (const { key, marketHash } of listing.markets) {
        const live = engine.market(key)
        if (live?.status !== 'open') continue
        const bid = live.book.bestBidMicros()
        if (bid === null) continue
        const order = engine.orderManager.place(live, {
          account: apiKey,
          side: BID,
          priceMicros: bid,
          hundredths: contracts * 100,
          clientId: null,
          life: 'gtc',
        })
        if (typeof order === 'string') continue
        const id = stableUuid(`sxbet/order/${order.ordinal}`)
        placed.set(id, { order, marketHash })
        return id
      }
      throw new Error('no market takes an order now')
    },
    route: ({ faults }) => ({
      method: 'GET',
      path: '/orders-v3/:id',
      handle({ headers, params }) {
        if (headers['x-sx-api-key'] !== apiKey) return refused(401, 'BAD_AUTH')
        const found = faults().hides('orders') ? undefined : placed.get(params.id!)
        if (found === undefined) return refused(404, 'Order not found')
        return ok({ status: 'success', data: { order: rowOf(params.id!, found.order, found.marketHash) } })
      },
    }),
  }
}

function rowOf(id: string, order: SimulatedOrder, marketHash: string) {
  const { priceMicros, hundredths, filledHundredths, status, updatedAtMs } = order
  /** Base units of USDC: the cost of this many hundredths of a share at this price. */
  const stakeOf = (shares: number): string => String((BigInt(shares) * BigInt(priceMicros)) / 100n)
  return {
    id,
    marketHash,
    isBettingOutcomeOne: true,
    totalBetSize: stakeOf(hundredths),
    remainingSize: stakeOf(hundredths - filledHundredths),
    status: status === 'open' ? 'ACTIVE' : 'INACTIVE',
    inactiveReason: status === 'open' ? null : status === 'filled' ? 'FILLED' : 'USER_REQUESTED',
    updatedAt: new Date(updatedAtMs).toISOString(),
  }
}
