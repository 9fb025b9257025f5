// A market written by hand, a throwaway wallet, and a venue that serves its profile and accepts everything.
import { privateKeyToAccount } from 'viem/accounts'
import { binaryMarket, createLaneWorld, type LaneWorld, type Reply, type Seen } from '#test/support/laneWorld'

/** Hardhat's first account: public. */
export const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const owner = account.address
export const exchange = '0x05c748E2f4DcDe0ec9Fa8DDc40DE6b867f923fa5'
export const slug = 'both-to-score-1779980360817'
export const tokens = {
  yes: '86754852064474869881286364251658764942266025328391522221494274517474936254814',
  no: '86230754815698413619206189608906849294848879165498461416569335949589979443562',
}
export const conditionId = `0x${'ab'.repeat(32)}`
export const profile = { id: 1_001, rank: { feeRateBps: 300 } }

export const credentials = { tokenId: 'lmts-token-throwaway', secret: Buffer.alloc(32, 7).toString('base64') }

const facts = { executionModel: 'clob', exchange, conditionId, collateral: 'USDC', negRisk: false, feesEnabled: true }

/** Like the data half writes it: a token on each outcome. */
export const market = (given: Record<string, unknown> = {}, status: 'active' | 'resolved' = 'active') =>
  binaryMarket('limitless', slug, [`${slug}:yes`, `${slug}:no`], {
    tickSize: 0.001,
    status,
    sourceMetadata: { ...facts, ...given },
  }).map((row) => {
    const outcome = { ...row.outcome, metadata: { tokenId: row.side === 'YES' ? tokens.yes : tokens.no } }
    return { ...row, outcome }
  })

export async function createWorld(): Promise<LaneWorld> {
  const world = await createLaneWorld('limitless', ['REST', 'RPC'])
  world.outcomes.push(...market())
  return world
}

export const buy = {
  outcome: slug,
  outcomeSide: 'YES',
  isBuy: true,
  price: '0.65',
  size: '10',
  owner,
  ownerId: profile.id,
  feeRateBps: profile.rank.feeRateBps,
}

export const placed = { order: { id: '5f0c1c52-0f5e-4f0a-9a4e-5a7c1f6f9d11' }, execution: { matched: false } }

/** Answers the profile read that the lane makes before an order. */
export const shownProfile = ({ path }: Seen): Reply | null =>
  path.startsWith('/profiles/') ? { body: { ...profile, account: owner } } : null
