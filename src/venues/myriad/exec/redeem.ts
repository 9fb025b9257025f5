// Payout of a resolved market: one transaction, sent by the holder of the shares. A pool's contract is called by its ABI. For an order book's
// market the venue itself supplies the call, and it is accepted only if it is one of the known ones: to the contract that holds the outcome
// tokens, for this market, paying nothing.
import { Fault } from '#core/fault'
import type { Built, LaneContext, ResolvedOutcome } from '../../lane.ts'
import { incomplete } from '../../shared/exec/catalogFacts.ts'
import { readFault } from '../../shared/exec/mapReadError.ts'
import { lossWarning, type RedeemBody, resolveRedeemed } from '../../shared/exec/redemption.ts'
import { boundsOf, type CallArtifact } from './artifact.ts'
import { type CatalogFacts, readCatalogFacts } from './catalogFacts.ts'
import { claimCalldata, predictionMarketOf, redeemCalldatas } from './contracts.ts'
import { myriadErrors } from './errors.ts'
import { chainId, conditionalTokens, wrappedCollateral } from './typedData.ts'
import { MyriadCall, paths } from './wire.ts'

export async function buildRedeem(context: LaneContext, body: RedeemBody): Promise<Built> {
  const resolved = await resolveRedeemed(context.catalog, body)
  const { status, sourceMetadata } = resolved.market
  if (status !== 'resolved')
    throw new Fault('VALIDATION_ERROR', `outcome: this market is ${status} and not resolved yet`)
  const facts = readCatalogFacts(resolved)
  const isVoid = voidOf(resolved)
  const names = body.asset !== undefined || body.outcomeSide !== undefined
  const unsigned = await (facts.model === 'amm' ? claim(facts, isVoid, names) : redemptionOf(context, facts, isVoid))
  return {
    unsigned: { ...unsigned },
    terms: null,
    notionalUsd: null,
    feeEstimate: null,
    bounds: boundsOf({ ...unsigned }),
    clientRef: null,
    warnings: [
      `the wallet that holds the shares must send this on chain ${unsigned.chainId}`,
      ...lossWarning(body, resolved),
      ...(sourceMetadata?.negRisk === true
        ? [`it pays wrapped collateral, ${wrappedCollateral}: unwrap it there`]
        : []),
    ],
    owner: body.owner,
  }
}

/** A market not known to be void pays its winner. */
const voidOf = ({ market }: ResolvedOutcome): boolean => market.sourceMetadata?.voided === true

async function claim(facts: CatalogFacts, isVoid: boolean, namesOutcome: boolean): Promise<CallArtifact> {
  const { marketId, networkId, venueMarketId, venueOutcomeId } = facts
  const to = predictionMarketOf(networkId)
  if (to === null) throw incomplete('myriad', marketId, `a pool on ${networkId}`, 'redeem it')
  if (isVoid && !namesOutcome) {
    throw new Fault('VALIDATION_ERROR', 'outcomeSide: a void market pays each outcome separately: name one')
  }
  const data = claimCalldata(BigInt(venueMarketId), isVoid ? BigInt(venueOutcomeId) : null)
  return { to, data, value: '0', chainId: networkId }
}

async function redemptionOf(
  { http, urls, signal, paper }: LaneContext,
  { networkId, venueMarketId }: CatalogFacts,
  isVoid: boolean,
): Promise<CallArtifact> {
  const [first] = redeemCalldatas(BigInt(venueMarketId), isVoid)
  if (paper !== undefined) return { to: conditionalTokens, data: first!, value: '0', chainId }
  const path = isVoid ? paths.redeemVoided : paths.redeem
  const requestBody = { market_id: Number(venueMarketId), network_id: networkId }
  const { status, body } = await http.request({ method: 'POST', url: `${urls.REST}${path}`, body: requestBody, signal })
  const parsed = MyriadCall.safeParse(body)
  if (status !== 200 || !parsed.success) throw readFault(myriadErrors, { venue: 'myriad', status, body, why: path })
  const { to, calldata, value } = parsed.data
  const data = redeemCalldatas(BigInt(venueMarketId), isVoid).find((known) => known === calldata)
  const isKnown = to.toLowerCase() === conditionalTokens.toLowerCase() && BigInt(value) === 0n
  if (networkId === chainId && isKnown && data !== undefined)
    return { to: conditionalTokens, data, value: '0', chainId }
  throw new Fault('EXEC_UNAVAILABLE', 'myriad returned a call that this lane does not know', {
    exchange: 'myriad',
    detail: `${to} ${calldata.slice(0, 80)} ${value}`,
  })
}
