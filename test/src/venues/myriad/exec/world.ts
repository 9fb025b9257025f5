// An order book and a pool in the catalog, a throwaway wallet, and a venue with answers set by the test.
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { binaryMarket, buildOrder, createLaneWorld, executionOf, type LaneWorld } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { myriadLane as lane } from '#venues/myriad/exec/index'
import { pool as poolRow } from '../data/rows.ts'

/** Hardhat's first account: public. */
export const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const owner = account.address

export const bookMarket = (given: Record<string, unknown> = {}, status: 'active' | 'closed' | 'resolved' = 'active') =>
  binaryMarket('myriad', '56:ob:730', ['56:ob:730:0', '56:ob:730:1'], {
    status,
    sourceMetadata: { collateral: 'USD1', collateralDecimals: 18, voided: false, negRisk: false, ...given },
  })
export const poolMarket = (given: Record<string, unknown> = {}, status: 'active' | 'resolved' = 'active') =>
  binaryMarket('myriad', '2741:amm:549', ['2741:amm:549:0', '2741:amm:549:1'], {
    status,
    sourceMetadata: { collateral: 'USDC.e', collateralDecimals: 6, voided: false, synthetic: true, ...given },
  })

export const buy = { outcome: '56:ob:730', outcomeSide: 'YES', isBuy: true, price: '0.56', size: '21.04', owner }
export const buyPool = { ...buy, outcome: '2741:amm:549' }

export const part = { fee: '0.01', treasury_fee: '0.01', distributor_fee: '0.01' }
const none = { fee: '0', treasury_fee: '0', distributor_fee: '0' }
/** A recorded row with the reserves of the contract’s own vectors. */
export const venuePool = {
  ...poolRow,
  fees: { buy: part, sell: none },
  outcomes: poolRow.outcomes.map((outcome, n) => ({ ...outcome, shares: n === 0 ? '1000' : '600' })),
}

export const placedRow = (execution: LaneExecution, given: Record<string, unknown> = {}) => {
  const { message } = execution.unsigned as { message: Record<string, unknown> }
  return {
    orderHash: execution.clientRef,
    clientOrderId: null,
    order: { ...message, marketId: Number(message.marketId) },
    status: 'open',
    signatureType: 0,
    filledAmount: '0',
    timeInForce: 'GTC',
    networkId: 56,
    createdAt: '2026-09-21T14:13:20.000Z',
    updatedAt: '2026-09-21T14:13:21.000Z',
    cancelledAt: null,
    filledAt: null,
    ...given,
  }
}

/** Call at the top of a test file: sets up a world with the catalog above before each test. */
export function laneSuite() {
  let world: LaneWorld
  beforeAll(async () => {
    world = await createLaneWorld('myriad', ['REST'])
  })
  beforeEach(() => {
    world.seen.length = 0
    world.outcomes.splice(0, world.outcomes.length, ...bookMarket(), ...poolMarket())
    world.answer(() => ({ body: venuePool }))
  })
  afterAll(() => world.close())
  const build = (given: Record<string, unknown> = {}) => buildOrder(lane, world.context, { ...buy, ...given })
  return {
    get world() {
      return world
    },
    build,
    buildPool: (given: Record<string, unknown> = {}) => build({ outcome: buyPool.outcome, ...given }),
    redeem: async (body: Record<string, unknown>) => {
      const built = await lane.redeem!.build(world.context, lane.redeem!.body.parse({ owner, ...body }) as never)
      lane.checkBounds(built.unsigned, built.bounds)
      return built
    },
    placed: async (given: Partial<LaneExecution> = {}) => executionOf(await build(), given),
    sign: ({ unsigned }: Pick<LaneExecution, 'unsigned'>, by = account) => by.signTypedData(unsigned as never),
    read: (execution: LaneExecution) =>
      lane.refresh!.read(world.context, execution, lane.refresh!.body.parse({}) as never),
  }
}
