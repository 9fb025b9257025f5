// The redemption of a resolved market of conditional tokens: one transaction, sent by the wallet that holds them. It redeems both sides, so the
// amounts are whatever the wallet holds.
import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem'
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { ExecutionVenue } from '#schemas/venues'
import type { Built, LaneCatalog, ResolvedOutcome } from '../../lane.ts'
import { credentialAtBuild } from '../buildBody.ts'
import { selectorMessage, selectorShape } from '../selector.ts'
import { violation } from './artifact.ts'
import type { BoundsRule } from './bounds.ts'
import type { Hex } from './typedOrder.ts'
import { Address } from './walletBody.ts'

/** Both sides of a market are redeemed at once, so the market alone identifies it. */
export const RedeemBody = z
  .strictObject({ ...selectorShape, owner: Address }, { error: credentialAtBuild })
  .refine(({ asset, outcome }) => (asset === undefined) !== (outcome === undefined), {
    path: ['outcome'],
    message: 'give outcome, or asset alone',
  })
  .refine(({ asset, outcomeSide }) => asset === undefined || outcomeSide === undefined, selectorMessage)
  .meta({ examples: [{ outcome: '512345', owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }] })
export type RedeemBody = z.infer<typeof RedeemBody>

type Named = Pick<RedeemBody, 'asset' | 'outcome' | 'outcomeSide'>

/** A market that still trades in the catalog may just have resolved: it is read from its venue. Throws VALIDATION_ERROR while it trades. */
export async function resolveRedeemed(
  catalog: LaneCatalog,
  { asset, outcome, outcomeSide = 'YES' }: Named,
): Promise<ResolvedOutcome> {
  const resolved = await (asset === undefined ? catalog.side(outcome!, outcomeSide) : catalog.outcome(asset))
  if (resolved.market.status !== 'active') return resolved
  const market = (await catalog.current?.(resolved.market.marketId)) ?? null
  const same = market?.outcomes.find(({ outcomeId }) => outcomeId === resolved.outcome.outcomeId)
  if (market !== null && market.status !== 'active' && same !== undefined) return { ...resolved, market, outcome: same }
  throw new Fault('VALIDATION_ERROR', 'outcome: this market still trades; there is nothing to redeem')
}

/** For a build's warnings, when the caller names an outcome that lost. */
export function lossWarning({ asset, outcomeSide }: Named, { market, outcome }: ResolvedOutcome): string[] {
  const isNamed = asset !== undefined || outcomeSide !== undefined
  if (!isNamed || market.status !== 'resolved' || outcome.price !== 0) return []
  return ['the outcome that this names lost: its tokens pay nothing']
}

const abi = parseAbi(['function redeemPositions(address, bytes32, bytes32, uint256[])'])
const noParent: Hex = `0x${'0'.repeat(64)}`

/** For both sides of a standalone condition. `collateral`: the token it pays. */
export const redeemPositions = (collateral: Hex, conditionId: Hex): Hex =>
  encodeFunctionData({ abi, functionName: 'redeemPositions', args: [collateral, noParent, conditionId, [1n, 2n]] })

/** The condition named by such calldata. Throws ARTIFACT_BOUNDS_VIOLATION for other calldata. */
export function redeemedCondition(venue: ExecutionVenue, data: Hex): Hex {
  try {
    return decodeFunctionData({ abi, data }).args[2]
  } catch (error) {
    throw violation(venue, 'it redeems nothing that this lane builds', String(error))
  }
}

/** A transaction as stored. `to`: contracts that take one. */
export const redemptionShape = <C extends z.ZodType<Hex>>(to: C, chainId: number) =>
  z.strictObject({
    to,
    data: z
      .string()
      .regex(/^0x[0-9a-f]{8}(?:[0-9a-f]{64})*$/)
      .transform((text) => text as Hex),
    value: z.literal('0'),
    chainId: z.literal(chainId),
  })

export interface Redemption {
  to: Hex
  data: Hex
}

export const redemptionRule: BoundsRule = {
  otherwise: 'the artifact differs from what was built',
  same: { to: 'it redeems another market', data: 'it redeems another market' },
}

/** Places nothing and costs only gas. */
export const redemption = (
  { to, data, chainId }: Redemption & { chainId: number },
  { owner, warnings }: Pick<Built, 'owner' | 'warnings'>,
): Built => ({
  unsigned: { to, data, value: '0', chainId },
  terms: null,
  notionalUsd: null,
  feeEstimate: null,
  bounds: { kind: 'redeem', to, data },
  clientRef: null,
  warnings,
  owner,
})
