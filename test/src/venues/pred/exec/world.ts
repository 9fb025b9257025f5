// A market written by hand, a throwaway wallet and its Safe, and a login at the lab.
import { privateKeyToAccount } from 'viem/accounts'
import { loginData } from '#lab/pred/auth'
import type { PredLab } from '#lab/pred/venue'
import { binaryMarket, createLaneWorld, type LaneWorld } from '#test/support/laneWorld'

/** Hardhat's first account: public. */
export const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const owner = '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47'
export const exchange = '0x1938Af63B717B80ea62ccB4CCBf799F8a28dEFB0'
export const parentMarketId = `0x${'a1'.repeat(32)}`
export const childMarketId = `0x${'b2'.repeat(32)}`
export const marketId = `${parentMarketId}-${childMarketId}`

export const credentials = { owner, accessToken: 'token-throwaway', signer: account.address }

export const facts = { parentMarketId, childMarketId, contractAddress: exchange }

export const market = (sourceMetadata: Record<string, unknown> = facts, tickSize: number | null = 0.01) =>
  binaryMarket('pred', marketId, [`${marketId}-long`, `${marketId}-short`], { tickSize, sourceMetadata })

export async function createWorld(): Promise<LaneWorld> {
  const world = await createLaneWorld('pred', ['REST'])
  world.outcomes.push(...market())
  return world
}

export const buy = {
  outcome: marketId,
  outcomeSide: 'YES',
  isBuy: true,
  price: '0.55',
  size: '21.5',
  owner,
  signer: account.address,
}

export async function logIn(
  { urls, credentials: { API_KEY } }: PredLab,
  by = account,
): Promise<{ accessToken: string; proxy: string }> {
  const data = {
    wallet_address: by.address,
    signature: await by.signTypedData(loginData),
    message: 'log in',
    nonce: '1',
    chain_type: 'base',
    timestamp: 0,
  }
  const answer = await fetch(`${urls.REST}/api/v1/auth/login-with-signature`, {
    method: 'POST',
    headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  })
  const { data: session } = (await answer.json()) as { data: { access_token: string; proxy_wallet_addr: string } }
  return { accessToken: session.access_token, proxy: session.proxy_wallet_addr }
}
