// Facts for a build: the buyer's balance, if available without delay, and the outcome from the catalog, so the data half must write there:
//
//   market.sourceMetadata.outcome           HIP-4 outcome number
//   market.sourceMetadata.quoteToken        `USDC`, as outcomeMeta names it
//   market.sourceMetadata.deployerFeeScale  decimal string, or absent when the venue does not report it
//   outcome.outcomeId                       the coin: `#` + 10 × outcome + side
import { z } from 'zod'
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { checkTakesOrders, incomplete, readFact } from '../../shared/exec/catalogFacts.ts'
import { resolveSelector } from '../../shared/selector.ts'
import type { Network } from './action.ts'
import { assetOf, coinOf, encodingOf, type Side } from './asset.ts'
import type { OrderBody } from './body.ts'
import { fetchSpotBalance, type SpotBalance } from './spot.ts'

/** The advisory is not worth waiting longer. */
const balanceTimeoutMs = 2_000

const Metadata = z.object({
  outcome: z.number().int().min(0).max(9_999_999),
  quoteToken: z.string().regex(/^[A-Za-z0-9]{1,16}$/),
  deployerFeeScale: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,8})?$/)
    .nullish(),
})

export interface CatalogFacts {
  marketId: string
  outcomeId: string
  side: Side
  encoding: number
  asset: number
  quoteToken: string
  deployerFeeScale: string | null
}

export interface Facts {
  catalog: CatalogFacts
  network: Network
  /** Null for sellers, and when it could not be read: the build continues without the advisory. */
  balance: SpotBalance | null
}

export async function gatherFacts(context: LaneContext, body: OrderBody): Promise<Facts> {
  const catalog = readCatalogFacts(await resolveSelector(context.catalog, body))
  return {
    catalog,
    network: networkOf(context.urls.REST ?? ''),
    balance:
      body.isBuy && context.paper === undefined ? await readBalance(context, body.owner, catalog.quoteToken) : null,
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

export function readCatalogFacts({ market, outcome: { outcomeId }, side }: ResolvedOutcome): CatalogFacts {
  checkTakesOrders('outcome', market)
  const {
    outcome,
    quoteToken,
    deployerFeeScale = null,
  } = readFact('hyperliquid', market, Metadata, market.sourceMetadata)
  const encoding = encodingOf(outcome, side)
  const { marketId } = market
  if (outcomeId !== coinOf(encoding)) {
    throw incomplete('hyperliquid', marketId, `outcome ${outcomeId} is not side ${side} of ${outcome}`)
  }
  return { marketId, outcomeId, side, encoding, asset: assetOf(encoding), quoteToken, deployerFeeScale }
}
