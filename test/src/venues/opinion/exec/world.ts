// A venue that answers the reads of a build, and a throwaway wallet.
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Market } from '#schemas/market'
import {
  binaryMarket,
  buildOrder,
  createLaneWorld,
  executionOf,
  type LaneWorld,
  type Reply,
  type Seen,
} from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { opinionLane as lane } from '#venues/opinion/exec/index'

/** Hardhat's first account: public. */
export const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const owner = account.address
export const safe = '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47'
export const usdt = '0x55d398326f99059fF775485246999027B3197955'
export const exchange = '0x5F45344126D6488025B0b84A3A8189F2487a7246'
export const conditionId = 'ab'.repeat(32)
export const marketId = '26356'
export const tokens = [
  '28693516923723830335610225677829403677173535256277787397410382793775279999599',
  '81447026761115188343367959687303728187295938954381398014369803888796907513647',
] as const

export const credentials = { apiKey: 'canary-3f0c1c520f5e4f0a9a4e5a7c1f6f9d11' }

export const ok = (result: unknown): Reply => ({ body: { errno: 0, errmsg: '', result } })

export const quoteTokens = [
  {
    id: 4,
    chainId: '56',
    quoteTokenAddress: usdt,
    ctfExchangeAddress: exchange.toLowerCase(),
    decimal: 18,
    quoteTokenName: 'USDT',
    symbol: 'USDT',
    createdAt: 0,
  },
]

export function publicReads({ path }: Seen, list: readonly unknown[] = quoteTokens): Reply {
  if (path.startsWith('/quoteToken')) return ok({ total: list.length, list })
  return { status: 404, body: { errno: 404, errmsg: 'Not Found', result: null } }
}

export const market = (status: Market['status'] = 'active', more: Record<string, unknown> = {}) =>
  binaryMarket('opinion', marketId, [`${marketId}:${tokens[0]}`, `${marketId}:${tokens[1]}`], {
    tickSize: 0.0001,
    status,
    sourceMetadata: { chainId: '56', quoteToken: usdt, conditionId, tokenIds: tokens, ...more },
  })

export const buy = { outcome: marketId, outcomeSide: 'YES', isBuy: true, price: '0.56', size: '21.04', owner }

/** The headers with which a wallet requests its API key. */
export async function keyHeaders(by: typeof account, nowMs: number, action = 'create') {
  const timestamp = String(Math.floor(nowMs / 1_000))
  const signature = await by.signTypedData({
    domain: { name: 'Opinion OpenAPI', version: '1', chainId: 56 },
    types: {
      OpinionApiKeyAuth: [
        { name: 'walletAddress', type: 'address' },
        { name: 'action', type: 'string' },
        { name: 'timestamp', type: 'string' },
      ],
    },
    primaryType: 'OpinionApiKeyAuth',
    message: { walletAddress: by.address, action, timestamp },
  })
  return { OPINION_ADDRESS: by.address, OPINION_SIGNATURE: signature, OPINION_TIMESTAMP: timestamp }
}

/** From a lab where the wallet has no key yet. */
export async function issueKey(rest: string, by: typeof account, nowMs: number): Promise<string> {
  const answer = await fetch(`${rest}/auth/api-key`, { method: 'POST', headers: await keyHeaders(by, nowMs) })
  return ((await answer.json()) as { result: { apiKey: string } }).result.apiKey
}

/** Call at the top of a test file: sets up a world in which an open market answers the reads of a build before each test. */
export function laneSuite() {
  let world: LaneWorld
  beforeAll(async () => {
    world = await createLaneWorld('opinion', ['REST'])
  })
  beforeEach(() => {
    world.seen.length = 0
    world.outcomes.splice(0, world.outcomes.length, ...market())
    world.answer((seen) => publicReads(seen))
  })
  afterAll(() => world.close())
  const build = (given: Record<string, unknown> = {}) => buildOrder(lane, world.context, { ...buy, ...given })
  return {
    get world() {
      return world
    },
    build,
    placed: async (given: Partial<LaneExecution> = {}) => executionOf(await build(), given),
    sign: ({ unsigned }: LaneExecution, by = account) => by.signTypedData(unsigned as never),
    read: (execution: LaneExecution) =>
      lane.refresh!.read(world.context, execution, lane.refresh!.body.parse(credentials) as never),
  }
}
