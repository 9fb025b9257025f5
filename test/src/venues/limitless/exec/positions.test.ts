import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { LaneWorld } from '#test/support/laneWorld'
import { limitlessLane as lane } from '#venues/limitless/exec/index'
import { conditionalTokens, usdc } from '#venues/limitless/exec/typedData'
import { encodePositionCall, readPositionCall } from '#venues/shared/exec/positionCalls'
import { conditionId, createWorld, market, owner, slug } from './world.ts'

let world: LaneWorld
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.outcomes.splice(0, world.outcomes.length, ...market())
})
afterAll(() => world.close())

const build = (intent: 'split' | 'merge', given: object = {}) =>
  lane[intent]!.build(world.context, lane[intent]!.body.parse({ outcome: slug, amount: '7.5', owner, ...given }))

it.each(['split', 'merge'] as const)('%s goes to the conditional tokens, for USDC', async (intent) => {
  const built = await build(intent)
  const call = { kind: intent, conditionId: conditionId as `0x${string}`, amount: 7_500_000n }
  expect(built.unsigned).toEqual({
    to: conditionalTokens,
    data: encodePositionCall(call, { collateral: usdc }),
    value: '0',
    chainId: 8453,
  })
  expect(readPositionCall('limitless', built.unsigned.data as `0x${string}`)).toEqual(call)
  lane.checkBounds(built.unsigned, built.bounds)
  expect(built).toMatchObject({ currency: 'USDC', owner, notionalUsd: null })
  const shares = [`${slug}:yes`, `${slug}:no`].map((outcomeId) => ({ marketId: slug, outcomeId, size: '7.5' }))
  expect(intent === 'split' ? built.exchange?.receives : built.exchange?.gives).toEqual(shares)
})

it('negative-risk markets and other collaterals are refused: their calls are not published', async () => {
  for (const negRisk of [true, undefined]) {
    world.outcomes.splice(0, world.outcomes.length, ...market({ negRisk }))
    await expect(build('split')).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' })
  }
  world.outcomes.splice(0, world.outcomes.length, ...market({ collateral: 'WETH' }))
  await expect(build('split')).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
})

it('has no conversion', () => {
  expect(lane.convert).toBeUndefined()
})
