// A wallet's tokens as the Data API lists them, open and resolved ones that are not redeemed; its pUSD from the chain, where a node is
// configured. https://docs.polymarket.com/api-reference/wallet/list-positions-for-a-user-or-market
import { defineHoldings, type HeldPosition } from '../../holdings.ts'
import { readKnown } from '../../shared/data/rest.ts'
import { readableRows, readPagedList } from '../../shared/exec/pagedList.ts'
import { readTokenBalance } from '../../shared/exec/tokenBalance.ts'
import { WalletAccount } from '../../shared/exec/walletBody.ts'
import { DataPage } from '../wire.ts'
import { chainId, pusd } from './typedData.ts'
import { DataPosition } from './wire.ts'

const pageRows = 500
const pagesMax = 20

export const holdings = defineHoldings<WalletAccount>({
  source: 'venue_api',
  account: WalletAccount,
  // Base units of the token: the list has numbers, not texts.
  quantityStep: '0.000001',
  costStep: '0.0001',
  async read(context, { wallet }) {
    const rest = { ...context, venue: 'polymarket' as const }
    const asOf = context.clock.now()
    const user = wallet.toLowerCase()
    const [{ rows, isWhole }, cash] = await Promise.all([
      readPagedList({
        // The cursor keeps the filters of the first page, and the venue requires its anchor again.
        read: async (cursor) => {
          const query = cursor === null ? { user, status: 'OPEN', limit: pageRows } : { user, cursor }
          const page = await readKnown(rest, { base: 'DATA', path: '/v2/positions', query, body: DataPage })
          const { has_more, next_cursor } = page.pagination
          return { ...readableRows(DataPosition, page.data), cursor: has_more ? next_cursor : null }
        },
        idOf: ({ token_id }) => token_id,
        pagesMax,
      }),
      readTokenBalance(context, { venue: 'polymarket', chainId, address: pusd, symbol: 'pUSD', decimals: 6 }, wallet),
    ])
    return { positions: rows.flatMap((row) => positionOf(row) ?? []), isComplete: isWhole, balances: [cash], asOf }
  },
})

/** Null: nothing is held. */
function positionOf({ token_id, current_size, avg_price }: DataPosition): HeldPosition | null {
  if (current_size === '0') return null
  return { marketId: null, outcomeId: token_id, quantity: current_size, averageCost: avg_price }
}
