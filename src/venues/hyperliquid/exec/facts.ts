// What a build needs to know: the outcome from the catalog, and of the buyer's balance what can be had without delay.
import type { LaneContext } from '../../lane.ts'
import { resolveSelector } from '../../shared/selector.ts'
import type { Network } from './action.ts'
import type { OrderBody } from './body.ts'
import { type CatalogFacts, readCatalogFacts } from './catalogFacts.ts'
import { fetchSpotBalance, type SpotBalance } from './spot.ts'

/** The advisory is worth no more waiting than this. */
const balanceTimeoutMs = 2_000

export interface Facts {
  catalog: CatalogFacts
  network: Network
  /** Null for sellers, and when it could not be read: the build goes on without the advisory. */
  balance: SpotBalance | null
}

export async function gatherFacts(context: LaneContext, body: OrderBody): Promise<Facts> {
  const catalog = readCatalogFacts(await resolveSelector(context.catalog, body))
  return {
    catalog,
    network: networkOf(context.urls.REST ?? ''),
    balance: body.isBuy ? await readBalance(context, body.owner, catalog.quoteToken) : null,
  }
}

/** The testnet's signatures differ; only its own host is the testnet. */
export const networkOf = (url: string): Network =>
  URL.canParse(url) && new URL(url).hostname === 'api.hyperliquid-testnet.xyz' ? 'b' : 'a'

async function readBalance(context: LaneContext, owner: string, coin: string): Promise<SpotBalance | null> {
  try {
    return await fetchSpotBalance(context, owner, coin, balanceTimeoutMs)
  } catch (error) {
    context.log.warn({ err: error }, 'spot balance unread: the order is built without its advisory')
    return null
  }
}
