// A market written by hand, a smart account, and operator settings for a fictitious exchange.
import { privateKeyToAccount } from 'viem/accounts'
import { binaryMarket, createLaneWorld, type LaneWorld } from '#test/support/laneWorld'
import { orderTypeHash } from '#venues/xo/exec/typedData'

/** Hardhat's first account: public. */
export const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
/** A smart account. */
export const owner = '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47'

export const settings = {
  EXCHANGE: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  CHAIN_ID: '31337',
  DOMAIN_NAME: 'Some Exchange',
  DOMAIN_VERSION: '7',
  ORDER_TYPE_HASH: orderTypeHash,
  COLLATERAL_DECIMALS: '6',
}

export const marketId = '2000'
export const tokens = [
  '71321045679252212594626385532706912750332728571942532289631379312455583992563',
  '52114319501245915516055106046884209969926127482827954674443846427813813222426',
] as const

export const market = (ids: readonly [string, string] = tokens, status: 'active' | 'resolved' = 'active') =>
  binaryMarket('xo', marketId, [`${marketId}.${ids[0]}`, `${marketId}.${ids[1]}`], { status, sourceMetadata: {} })

export async function createWorld(): Promise<LaneWorld> {
  const world = await createLaneWorld('xo', [])
  world.outcomes.push(...market())
  return { ...world, context: { ...world.context, settings } }
}

export const buy = { outcome: marketId, outcomeSide: 'YES', isBuy: true, price: '0.56', size: '21.04', owner }
