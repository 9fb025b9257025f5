// A CLOB that answers the reads of a build, and a throwaway wallet.
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
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
import { polymarketLane as lane } from '#venues/polymarket/exec/index'

/** Hardhat's first account: public. */
export const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const owner = account.address
export const funder = '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47'
export const conditionId = `0x${'ab'.repeat(32)}`
export const tokens = [
  '71321045679252212594626385532706912750332728571942532289631379312455583992563',
  '52114319501245915516055106046884209969926127482827954674443846427813813222426',
] as const

export const credentials = {
  apiKey: '5f0c1c52-0f5e-4f0a-9a4e-5a7c1f6f9d11',
  secret: Buffer.from('a secret of thirty-two bytes....').toString('base64'),
  passphrase: 'canary-passphrase',
}

/** Position ids of protocol 2, recorded on 2026-10-05, and their condition. */
export const positions = [
  '663574927012476832975694178961957910328055987427402067619466963999000625152',
  '663574927012476832975694178961957910328055987427402067619466963999000625153',
] as const
export const conditionV2 = '0x017791f201d5a788e0039e511fc1900e5f000000000000000000000000000000'
export const idsOf = (protocol: 'v1' | 'v2') => (protocol === 'v2' ? positions : tokens)

export const venue = { version: 2, tick: 0.01, negRisk: false, fd: { r: 0.05, e: 1, to: true }, mos: 5 }
export type Venue = { -readonly [Name in keyof typeof venue]: (typeof venue)[Name] | null } & {
  /** The market’s protocol as the venue reports it, and the ids of its outcomes. */
  v: string
  ids: readonly [string, string]
}

export function publicReads({ path }: Seen, given: Partial<Venue> = {}): Reply {
  const { version, tick, negRisk, fd, mos, v, ids = tokens } = { ...venue, ...given }
  if (path.startsWith('/version')) return { body: { version } }
  if (path.startsWith('/tick-size')) return { body: { minimum_tick_size: tick } }
  if (path.startsWith('/neg-risk')) return { body: { neg_risk: negRisk } }
  if (!path.startsWith('/clob-markets/')) return { status: 404, body: { error: 'market not found' } }
  const [yes, no] = ids
  return {
    body: {
      c: conditionId,
      t: [
        { t: yes, o: 'Yes' },
        { t: no, o: 'No' },
      ],
      mts: tick,
      ...(v === undefined ? {} : { v }),
      ...(mos === null ? {} : { mos }),
      ...(negRisk ? { nr: true } : {}),
      ...(fd === null ? {} : { fd }),
    },
  }
}

export const market = (
  negRisk: boolean | null = false,
  status: 'active' | 'resolved' = 'active',
  protocol: 'v1' | 'v2' = 'v1',
) =>
  binaryMarket('polymarket', '512345', idsOf(protocol), {
    tickSize: 0.01,
    status,
    sourceMetadata: { conditionId: protocol === 'v2' ? conditionV2 : conditionId, negRisk, protocol },
  })

export async function createWorld(): Promise<LaneWorld> {
  const world = await createLaneWorld('polymarket', ['CLOB'])
  world.outcomes.push(...market())
  return world
}

export const buy = { outcome: '512345', outcomeSide: 'YES', isBuy: true, price: '0.56', size: '21.04', owner }

/** The L1 headers with which a wallet requests its API key. */
export async function l1Headers(by: typeof account, nowMs: number): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000))
  const signature = await by.signTypedData({
    domain: { name: 'ClobAuthDomain', version: '1', chainId: 137 },
    types: {
      ClobAuth: [
        { name: 'address', type: 'address' },
        { name: 'timestamp', type: 'string' },
        { name: 'nonce', type: 'uint256' },
        { name: 'message', type: 'string' },
      ],
    },
    primaryType: 'ClobAuth',
    message: {
      address: by.address,
      timestamp,
      nonce: 0n,
      message: 'This message attests that I control the given wallet',
    },
  })
  return { poly_address: by.address, poly_signature: signature, poly_timestamp: timestamp, poly_nonce: '0' }
}

/** Call at the top of a test file: sets up a world in which an open market answers the reads of a build before each test. */
export function laneSuite() {
  let world: LaneWorld
  beforeAll(async () => {
    world = await createWorld()
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
