// Whether a pool is genuine. Its deployer confirms having created it: an unconfirmed one can be traded, with a warning. Its own routes show whose
// code a call would run: if it is unknown code, nothing is built. All of it is read at one block.

import { zeroAddress } from 'viem'
import { Fault } from '#core/fault'
import type { ChainBlock, ChainNode } from '#net/chainNode'
import type { LaneContext } from '../../lane.ts'
import { readContracts } from '../../shared/evm.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'
import { factoryAbi, poolAbi, tokenAbi } from './contracts.ts'
import { wrong } from './poolChecks.ts'
import { deployersOf, facetsOf } from './settings.ts'

export interface Wanted {
  pool: Hex
  option: number
  /** The base token as the catalog knows it. */
  token: { address: string; decimals: number }
  /** Suitable functions, the preferred one first. */
  selectors: readonly Hex[]
  /** The deployer's name for the facet that has them. */
  facet: 'diamondTradingFacet' | 'diamondCancelOrderFacet' | 'diamondClaimFacet'
}

export interface VerifiedPool {
  block: ChainBlock
  /** Among the suitable ones, the one that the pool knows. */
  selector: Hex
  /** False: no deployer confirms having created it. */
  isProven: boolean
}

export async function checkPool(
  context: LaneContext,
  node: ChainNode,
  { pool, option, token, selectors, facet }: Wanted,
): Promise<VerifiedPool> {
  const deployers = deployersOf(context)
  const block = await node.latest()
  const ofPool = { address: pool, abi: poolAbi }
  const answers = await readContracts(
    node,
    [
      { ...ofPool, functionName: 'FACTORY' },
      { ...ofPool, functionName: 'numberOfOptions' },
      { ...ofPool, functionName: 'baseToken' },
      { address: token.address as Hex, abi: tokenAbi, functionName: 'decimals' },
      ...selectors.map((selector) => ({ ...ofPool, functionName: 'facetAddress', args: [selector] })),
      ...deployers.flatMap((address) => [
        { address, abi: factoryAbi, functionName: 'createdPools', args: [pool] },
        { address, abi: factoryAbi, functionName: facet },
      ]),
    ],
    block.number,
  )
  const [factory, options, base, decimals, ...more] = answers
  const routes = more.splice(0, selectors.length)
  const deployerReads = deployers.map((address, n) => ({ address, made: more[n * 2], facet: more[n * 2 + 1] }))

  if (typeof options !== 'bigint') throw unsafe('it does not say how many options it has')
  if (BigInt(option) > options) throw wrong('RAIN_INVALID_OPTION', `outcome: the pool has ${options} options`)
  if (!isSame(base, token.address)) throw unsafe('it pays in another token than the catalog says')
  if (decimals !== token.decimals) throw unsafe('its token has other decimals than the catalog says')
  const at = routes.findIndex((route) => typeof route === 'string' && !isSame(route, zeroAddress))
  if (at < 0) throw unsafe('it has no route for this call')
  const trusted = [
    ...facetsOf(context),
    ...deployerReads.flatMap(({ facet }) => (typeof facet === 'string' ? [facet] : [])),
  ]
  if (!trusted.some((address) => isSame(routes[at], address) && !isSame(address, zeroAddress))) {
    throw unsafe(`its route for this call leads to ${String(routes[at])}, which is not trusted code`)
  }
  const isProven = deployerReads.some(({ address, made }) => made === true && isSame(factory, address))
  return { block, selector: selectors[at]!, isProven }
}

/** Shown with a build for an unconfirmed pool. */
export const unverifiedWarning =
  'this pool’s origin is unproven: the official deployer does not confirm that it created it, so it may have other rules'

const isSame = (value: unknown, address: string): boolean =>
  typeof value === 'string' && value.toLowerCase() === address.toLowerCase()

const unsafe = (why: string): Fault =>
  new Fault('RAIN_POOL_SAFETY_CHECK_FAILED', `this pool does not pass the safety check: ${why}`, { exchange: 'rain' })
