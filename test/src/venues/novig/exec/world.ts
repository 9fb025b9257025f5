import { binaryMarket, createLaneWorld, type LaneWorld, type Reply, type Seen } from '#test/support/laneWorld'

export const credentials = { clientId: 'client-throwaway', clientSecret: 'secret-throwaway' }

export const marketId = '5d0b4f5e-0001-4000-8000-000000000001'
export const outcomes = ['123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174001'] as const
export const market = (outcomeIds: readonly string[] = outcomes) =>
  binaryMarket('novig', marketId, [...outcomeIds] as [string, string], { tickSize: 0.001, sourceMetadata: {} })

export const token = 'eyJhbGciOiJSUzI1NiJ9.token-throwaway'
/** The token request that precedes every other request. */
export const issued = { access_token: token, expires_in: 1_800, token_type: 'Bearer' }
export const tokenPath = '/nbx/v1/auth/emm-token'
export const afterToken =
  (reply: (seen: Seen) => Reply) =>
  (seen: Seen): Reply =>
    seen.path === tokenPath ? { body: issued } : reply(seen)

export async function createWorld(): Promise<LaneWorld> {
  const world = await createLaneWorld('novig', ['REST'])
  world.outcomes.push(...market())
  return world
}

export const buy = { outcome: marketId, outcomeSide: 'YES', isBuy: true, price: '0.44', size: 50 }
