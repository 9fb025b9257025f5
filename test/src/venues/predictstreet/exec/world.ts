// A market written by hand, a throwaway wallet and its vault.
import { privateKeyToAccount } from 'viem/accounts'
import { binaryMarket, createLaneWorld, type LaneWorld } from '#test/support/laneWorld'

/** Hardhat's first account: public. */
export const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const owner = account.address
export const vault = '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47'
export const symbol = 'UAE-CUP-FINAL-20260425'
export const slug = 'uae-cup-final'
export const tokens = { yes: '7'.repeat(76), no: '8'.repeat(76) }
export const credentials = { apiKey: 'ps_live_throwaway_0123456789abcdef' }
export const read = { owner, ...credentials }
export const settings = { DOMAIN_VERSION: '1' }

/** Like the data half writes it: a token on each outcome. */
export const market = (given: Record<string, unknown> = {}, status: 'active' | 'resolved' = 'active') =>
  binaryMarket('predictstreet', slug, [`${symbol}:0`, `${symbol}:1`], {
    status,
    sourceMetadata: { symbol, negRisk: false, ...given },
  }).map((row) => {
    const outcome = { ...row.outcome, metadata: { tokenId: row.side === 'YES' ? tokens.yes : tokens.no } }
    return { ...row, outcome }
  })

export async function createWorld(): Promise<LaneWorld> {
  const world = await createLaneWorld('predictstreet', ['REST'], settings)
  world.outcomes.push(...market())
  return world
}

export const buy = { outcome: slug, outcomeSide: 'YES', isBuy: true, price: '0.42', size: '21.5', owner, vault }

export const orderId = '5f0c1c52-0f5e-4f0a-9a4e-5a7c1f6f9d11'
export const placed = { orderId, status: 'OPEN', filledQty: '0', remainingQty: '21.5', trades: [] }
