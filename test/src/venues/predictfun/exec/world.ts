// A catalog market and a throwaway wallet; a build makes no venue request.
import { type Hex, hashMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import type { Market } from '#schemas/market'
import { binaryMarket, buildOrder, createLaneWorld, executionOf, type LaneWorld } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { predictfunLane as lane } from '#venues/predictfun/exec/index'

/** Hardhat's first account: public. */
export const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const owner = account.address
export const smartWallet = '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47'
export const conditionId: Hex = `0x${'ab'.repeat(32)}`
export const marketId = '1739803'
export const tokens = [
  '59609662274634420713255055715470737173946398995313530846306470637882773028040',
  '71111667581947966458963638272722498520811333974978184910327698120887210008877',
] as const

export const credentials = { apiKey: 'canary-3f0c1c52-0f5e-4f0a', jwt: 'canary.eyJhbGciOi.4e5a7c1f6f9d11' }

export const kinds = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const

export const market = ({
  negRisk = false,
  isYieldBearing = false,
  tickSize = 0.001 as number | null,
  status = 'active' as Market['status'],
  more = {} as Record<string, unknown>,
} = {}) =>
  binaryMarket('predictfun', marketId, [`${marketId}:1`, `${marketId}:2`], {
    tickSize,
    status,
    sourceMetadata: {
      tokenIds: tokens,
      negRisk,
      isYieldBearing,
      conditionId,
      fees: { taker: '0.02', maker: '0' },
      ...more,
    },
  })

export const buy = { outcome: marketId, outcomeSide: 'YES', isBuy: true, price: '0.456', size: '21.04', owner }

/** What the owner’s wallet signs: typed data, or the digest for a smart wallet. */
export async function signatureOf(unsigned: JsonObject, by = account): Promise<Hex> {
  const { kernel } = unsigned as { kernel?: { digest: Hex } }
  return kernel === undefined
    ? by.signTypedData(unsigned as never)
    : by.signMessage({ message: { raw: kernel.digest } })
}

/** A lab token for a wallet or for its smart wallet. */
export async function logIn(
  { urls, credentials: { API_KEY } }: { urls: { REST: string }; credentials: { API_KEY: string } },
  signer: Hex,
  sign: (message: string) => Promise<Hex>,
): Promise<{ apiKey: string; jwt: string }> {
  const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' }
  const challenge = (await (await fetch(`${urls.REST}/v1/auth/message`, { headers })).json()) as {
    data: { message: string }
  }
  const { message } = challenge.data
  const body = JSON.stringify({ signer, message, signature: await sign(message) })
  const answer = await fetch(`${urls.REST}/v1/auth`, { method: 'POST', headers, body })
  const { data } = (await answer.json()) as { data?: { token: string } }
  return { apiKey: API_KEY, jwt: data?.token ?? '' }
}

/** The hash of a text that a wallet signs. */
export const hashOf = (message: string): Hex => hashMessage(message)

/** Call at the top of a test file: sets up a world with an open market before each test. */
export function laneSuite() {
  let world: LaneWorld
  beforeAll(async () => {
    world = await createLaneWorld('predictfun', ['REST'])
  })
  beforeEach(() => {
    world.seen.length = 0
    world.outcomes.splice(0, world.outcomes.length, ...market())
  })
  afterAll(() => world.close())
  const build = (given: Record<string, unknown> = {}) => buildOrder(lane, world.context, { ...buy, ...given })
  return {
    get world() {
      return world
    },
    build,
    placed: async (given: Partial<LaneExecution> = {}) => executionOf(await build(), given),
    read: (execution: LaneExecution) =>
      lane.refresh!.read(world.context, execution, lane.refresh!.body.parse(credentials) as never),
  }
}
