// A wallet's shares in pools and order books on BNB Chain, as the venue publishes them, without a key.
// https://docs.myriad.markets/builders (user portfolio)
import { defineHoldings, type HeldPosition } from '../../holdings.ts'
import { readKnown } from '../../shared/data/rest.ts'
import { readableRows, readPagedList } from '../../shared/exec/pagedList.ts'
import { readPublicOrders } from '../../shared/exec/publicOrders.ts'
import { WalletAccount } from '../../shared/exec/walletBody.ts'
import { openOrders } from '../data/openOrders.ts'
import { marketIdOf, outcomeIdOf } from '../ids.ts'
import { MyriadPage } from '../wire.ts'
import { chainId } from './typedData.ts'
import { MyriadShares } from './wire.ts'

const pageRows = 100
const pagesMax = 20

export const holdings = defineHoldings<WalletAccount>({
  source: 'venue_api',
  account: WalletAccount,
  // The list has numbers; the recorded ones have eight digits after the point.
  quantityStep: '0.00000001',
  costStep: '0.0001',
  async read(context, { wallet }) {
    const asOf = context.clock.now()
    const rest = { ...context, venue: 'myriad' as const }
    const listed = readPagedList({
      read: async (cursor) => {
        const page = Number(cursor ?? 1)
        const query = { network_id: String(chainId), trading_model: 'all', page, limit: pageRows }
        const body = await readKnown(rest, {
          path: `/users/${wallet.toLowerCase()}/portfolio`,
          query,
          body: MyriadPage,
        })
        const isLast = !(body.pagination?.hasNext ?? body.data.length === pageRows)
        return { ...readableRows(MyriadShares, body.data), cursor: isLast ? null : String(page + 1) }
      },
      idOf: ({ executionMode, marketId, outcomeId }) => `${executionMode} ${marketId} ${outcomeId}`,
      pagesMax,
    })
    const [{ rows, isWhole }, orders] = await Promise.all([
      listed,
      readPublicOrders(context, 'myriad', openOrders, wallet),
    ])
    return {
      positions: rows.flatMap((row) => positionOf(row) ?? []),
      isComplete: isWhole,
      balances: [],
      openOrders: orders,
      asOf,
    }
  },
})

/** Null: nothing is held. The price paid is not reported. */
function positionOf({ marketId: id, outcomeId, executionMode, shares, status }: MyriadShares): HeldPosition | null {
  if (shares === '0' || status === 'sold' || status === 'claimed') return null
  const marketId = marketIdOf({ networkId: String(chainId), model: executionMode === 0 ? 'amm' : 'ob', id })
  return { marketId, outcomeId: outcomeIdOf(marketId, outcomeId), quantity: shares, averageCost: null }
}
