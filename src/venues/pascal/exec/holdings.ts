// An owner's positions and collateral, by public key and without credentials: one signed position per symbol, below zero for NO.
// https://docs.pascal.trade (accounts)
import { z } from 'zod'
import { Fault } from '#core/fault'
import { defineHoldings, type HeldOrder, type HeldPosition } from '../../holdings.ts'
import { otherPrice } from '../../shared/exec/normalizedFill.ts'
import { readableRows } from '../../shared/exec/pagedList.ts'
import { sideHeld } from '../../shared/exec/signedPosition.ts'
import { idsOf, isSymbol } from '../ids.ts'
import { PublicKey } from './base58.ts'
import { PascalHoldings, PascalPosition, PascalResting } from './wire.ts'

const OwnerAccount = z.strictObject({ owner: PublicKey })
type OwnerAccount = z.infer<typeof OwnerAccount>

export const holdings = defineHoldings<OwnerAccount>({
  source: 'venue_api',
  account: OwnerAccount,
  sides: (symbol) => idsOf(symbol),
  costStep: '0.0001',
  async read({ http, urls, signal, clock }, { owner }) {
    const asOf = clock.now()
    const { status, body } = await http.request({ url: `${urls.REST}/api/v1/accounts/${owner}`, signal })
    const parsed = PascalHoldings.safeParse(body)
    if (status !== 200 || !parsed.success) {
      throw new Fault('NETWORK_ERROR', 'pascal sent an answer we cannot read', {
        exchange: 'pascal',
        detail: `status ${status} ${parsed.success ? '' : z.prettifyError(parsed.error)}`.slice(0, 500),
      })
    }
    const { data, state_time_ms } = parsed.data
    const { rows, unreadable = 0 } = readableRows(PascalPosition, data.positions)
    const resting = readableRows(PascalResting, data.orders)
    const known = rows.filter(({ symbol }) => isSymbol(symbol))
    return {
      positions: known.flatMap((row) => positionOf(row) ?? []),
      isComplete: unreadable === 0 && known.length === rows.length,
      balances: [{ currency: 'USDC', total: data.collateral_usd, available: null }],
      openOrders: { orders: resting.rows.map(orderOf), isComplete: !resting.unreadable },
      asOf: state_time_ms ?? asOf,
    }
  },
})

/** Its executions have the client order id. An order is of YES. */
const orderOf = ({ client_order_id, id, symbol, side, price, size_remaining }: PascalResting): HeldOrder => ({
  venueRef: client_order_id ?? id ?? '',
  marketId: symbol,
  outcomeId: symbol,
  isBuy: side === 'BID',
  price,
  remaining: size_remaining,
})

/** Null: nothing is held. */
function positionOf({ symbol, size, average_entry_price }: PascalPosition): HeldPosition | null {
  const held = sideHeld(size, idsOf(symbol))
  if (held === null) return null
  const { outcomeId, quantity, isSecond } = held
  return {
    marketId: symbol,
    outcomeId,
    quantity,
    // Of the symbol itself, which is YES.
    averageCost: isSecond ? otherPrice(average_entry_price) : average_entry_price,
  }
}
