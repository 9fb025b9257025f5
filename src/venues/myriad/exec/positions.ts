// Splits and merges of an order book's market: one transaction to the contract that holds its outcome tokens. Those of negative-risk markets are
// an adapter's, and a pool has no sets.
import { Fault } from '#core/fault'
import type { Built, LaneContext } from '../../lane.ts'
import { incomplete } from '../../shared/exec/catalogFacts.ts'
import { checkSplittable, resolveSet, type SetBody, setExchange } from '../../shared/exec/positionBuilds.ts'
import { readCallAmount } from '../../shared/exec/positionCalls.ts'
import { boundsOf } from './artifact.ts'
import { readCatalogFacts } from './catalogFacts.ts'
import { setCalldata, shareDecimals } from './contracts.ts'
import { chainId, conditionalTokens } from './typedData.ts'

export const buildSplit = (context: LaneContext, body: SetBody): Promise<Built> => buildSet('split', context, body)
export const buildMerge = (context: LaneContext, body: SetBody): Promise<Built> => buildSet('merge', context, body)

async function buildSet(kind: 'split' | 'merge', { catalog }: LaneContext, body: SetBody): Promise<Built> {
  const resolved = await resolveSet(catalog, body)
  checkSplittable(kind, resolved)
  const { model, networkId, marketId, venueMarketId, decimals, collateral } = readCatalogFacts(resolved)
  const why =
    model === 'amm'
      ? `a pool has no ${kind}`
      : resolved.market.sourceMetadata.negRisk === true
        ? `the ${kind} of a negative-risk market is not built here`
        : null
  if (why !== null) throw new Fault('NOT_IMPLEMENTED', why, { exchange: 'myriad' })
  if (networkId !== chainId || decimals !== shareDecimals) {
    throw incomplete('myriad', marketId, `${decimals} decimals on chain ${networkId}`, `build its ${kind}`)
  }
  const { size, units } = readCallAmount(body.amount, decimals)
  const data = setCalldata(kind, BigInt(venueMarketId), units)
  const unsigned = { to: conditionalTokens, data, value: '0', chainId }
  const approval = `, and must first have approved ${conditionalTokens} for ${collateral} (approve)`
  return {
    unsigned,
    terms: null,
    notionalUsd: null,
    feeEstimate: null,
    currency: collateral,
    bounds: boundsOf(unsigned),
    clientRef: null,
    warnings: [
      `the wallet that holds the shares must send this on chain ${chainId}${kind === 'split' ? approval : ''}`,
    ],
    owner: body.owner,
    exchange: setExchange(kind, resolved, size),
  }
}
