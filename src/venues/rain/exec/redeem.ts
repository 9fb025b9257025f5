// Redeems an ended option: a transaction of its own.
import type { Built, LaneContext } from '../../lane.ts'
import { chainOf } from '../../shared/evm.ts'
import { lossWarning, type RedeemBody, redemption, resolveRedeemed } from '../../shared/exec/redemption.ts'
import { chainId } from '../ids.ts'
import { boundsOf } from './artifact.ts'
import { callData, selectorOf } from './contracts.ts'
import { checkDone, refusedNow, simulateRevert } from './errors.ts'
import { readCatalogFacts } from './facts.ts'
import { checkPool, unverifiedWarning } from './pool.ts'

/** One call claims both sides of an option. */
export async function buildRedeem(context: LaneContext, body: RedeemBody): Promise<Built> {
  const { owner } = body
  const resolved = await resolveRedeemed(context.catalog, body)
  const { pool, option, token } = readCatalogFacts(resolved)
  const data = callData({ kind: 'redeem', option: String(option) })
  const node = chainOf(context, 'rain', chainId)
  const selectors = [selectorOf(data)]
  const { block, isProven } = await checkPool(context, node, {
    pool,
    option,
    token,
    selectors,
    facet: 'diamondClaimFacet',
  })
  const refusal = await simulateRevert(node, { from: owner, to: pool, data }, block)
  checkDone('outcome', refusal)
  const warnings = [...(isProven ? [] : [unverifiedWarning]), ...lossWarning(body, resolved), ...refusedNow(refusal)]
  const built = redemption({ to: pool, data, chainId }, { owner, warnings })
  return { ...built, bounds: boundsOf(built.unsigned) }
}
