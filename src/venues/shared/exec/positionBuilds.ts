// Builds of splits and merges, the same at every venue but for the contract and its token.
import { z } from 'zod'
import { fromUnits, subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { Exchange, ShareAmount } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import type { Built, LaneCatalog, ResolvedOutcome } from '../../lane.ts'
import { credentialAtBuild } from '../buildBody.ts'
import { Amount, selectorShape } from '../selector.ts'
import type { Redemption } from './redemption.ts'
import { Address } from './walletBody.ts'

export const setShape = {
  asset: selectorShape.asset,
  /** Catalog market id. */
  outcome: selectorShape.outcome,
  /** Full sets of YES and NO; rounded down to the decimals of the token. */
  amount: Amount,
  owner: Address,
}

/** For `.refine`. */
export const isOneMarket = ({
  asset,
  outcome,
}: {
  asset?: string | undefined
  outcome?: string | undefined
}): boolean => (asset === undefined) !== (outcome === undefined)
export const oneMarket = { path: ['outcome'], message: 'give outcome, or asset alone' }

const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** A set has both outcomes, so the market alone identifies it. */
export const SetBody = z
  .strictObject(setShape, { error: credentialAtBuild })
  .refine(isOneMarket, oneMarket)
  .meta({ examples: [{ outcome: '512345', amount: '25', owner }] })
export type SetBody = z.infer<typeof SetBody>

/** More than any event has. */
const outcomesMax = 255

export const convertShape = {
  /** Catalog markets of one event, whose NO shares are given. */
  outcomes: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(outcomesMax)
    .refine((ids) => new Set(ids).size === ids.length, 'must differ from each other'),
  /** Shares of each; rounded down to the decimals of the token. */
  amount: Amount,
  owner: Address,
}

export const ConvertBody = z
  .strictObject(convertShape, { error: credentialAtBuild })
  .meta({ examples: [{ outcomes: ['512345', '512346'], amount: '25', owner }] })
export type ConvertBody = z.infer<typeof ConvertBody>

interface NamedSet {
  asset?: string | undefined
  outcome?: string | undefined
}

/** The market's YES: a set has both. */
export const resolveSet = (catalog: LaneCatalog, { asset, outcome }: NamedSet): Promise<ResolvedOutcome> =>
  asset === undefined ? catalog.side(outcome!, 'YES') : catalog.outcome(asset)

/** Sets come from a market that trades; they are given back as long as the contract has it. */
export function checkSplittable(kind: 'split' | 'merge', { market: { status } }: ResolvedOutcome): void {
  if (kind === 'merge' || status === 'active') return
  throw new Fault('VALIDATION_ERROR', `outcome: this market is ${status}: a set is redeemed, not split`)
}

/** What a set is made of. */
export function setExchange(
  kind: 'split' | 'merge',
  { market: { marketId, outcomes } }: ResolvedOutcome,
  size: string,
): Exchange {
  const shares = outcomes.map(({ outcomeId }): ShareAmount => ({ marketId, outcomeId, size }))
  return kind === 'split'
    ? { size, gives: [], receives: shares, cash: subtractDecimals('0', size) }
    : { size, gives: shares, receives: [], cash: size }
}

export interface ConvertedEvent {
  /** In the order of the caller. */
  given: readonly ResolvedOutcome[]
  /** Every other question of the event. */
  others: readonly ResolvedOutcome[]
  /** Base units. */
  units: bigint
  decimals: number
  feeBips: bigint
}

const bipsOfOne = 10_000n

/**
 * The adapter takes its fee from each amount that it returns: YES shares of the others, and the collateral of all given ones but one. `size` is
 * what is given of each.
 */
export function convertExchange({ given, others, units, decimals, feeBips }: ConvertedEvent): Exchange {
  const out = units - (units * feeBips) / bipsOfOne
  const size = fromUnits(units, decimals)
  const share =
    (amount: string) =>
    ({ market, outcome }: ResolvedOutcome): ShareAmount => ({
      marketId: market.marketId,
      outcomeId: outcome.outcomeId,
      size: amount,
    })
  return {
    size,
    gives: given.map(share(size)),
    receives: others.map(share(fromUnits(out, decimals))),
    cash: fromUnits(BigInt(given.length - 1) * out, decimals),
  }
}

interface PositionBuild extends Pick<Built, 'owner' | 'warnings'> {
  kind: 'split' | 'merge' | 'convert'
  exchange: Exchange
  /** Symbol of the token that is paid. */
  currency: string | null
}

/** Places no order; what it costs besides its cash is gas. */
export const positionBuilt = (
  { to, data, chainId }: Redemption & { chainId: number },
  { kind, owner, warnings, exchange, currency }: PositionBuild,
): Built => ({
  unsigned: { to, data, value: '0', chainId },
  terms: null,
  notionalUsd: null,
  feeEstimate: null,
  ...(currency !== null && { currency }),
  bounds: positionBounds(kind, { to, data }),
  clientRef: null,
  warnings,
  owner,
  exchange,
})

/** Its self-description, for its bounds. */
export const positionBounds = (kind: 'split' | 'merge' | 'convert' | 'redeem', { to, data }: Redemption) => ({
  kind,
  to,
  data,
})

/** By `kind`: the same call of the same contract. */
export const positionRules = {
  split: {
    otherwise: 'the artifact differs from what was built',
    same: { to: 'it splits at another contract', data: 'it splits another market or amount' },
  },
  merge: {
    otherwise: 'the artifact differs from what was built',
    same: { to: 'it merges at another contract', data: 'it merges another market or amount' },
  },
  convert: {
    otherwise: 'the artifact differs from what was built',
    same: { to: 'it converts at another contract', data: 'it converts other shares or another amount' },
  },
} as const

/** Needs an adapter: throws NOT_IMPLEMENTED. */
export const noConversion = (venue: ExecutionVenue): Fault =>
  new Fault('NOT_IMPLEMENTED', 'only positions of negative-risk events are converted', { exchange: venue })
