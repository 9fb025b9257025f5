import { encodeFunctionData, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { summaryOfBuilt } from '#orders/executions/summary'
import { opinionLane as lane } from '#venues/opinion/exec/index'
import { conditionalTokens } from '#venues/opinion/exec/typedData'
import { conditionId, laneSuite, market, marketId, ok, owner, quoteTokens, tokens, usdt } from './world.ts'

const here = laneSuite()

const abi = parseAbi([
  'function splitPosition(address, bytes32, bytes32, uint256[], uint256)',
  'function mergePositions(address, bytes32, bytes32, uint256[], uint256)',
])

it.each([
  ['split', 'splitPosition'],
  ['merge', 'mergePositions'],
] as const)('%s is the call of the venue’s client, for the token of the market', async (intent, functionName) => {
  const { body, build } = lane[intent]!
  const built = await build(here.world.context, body.parse({ outcome: marketId, amount: '2.5', owner }))
  const data = encodeFunctionData({
    abi,
    functionName,
    args: [usdt, `0x${'0'.repeat(64)}`, `0x${conditionId}`, [1n, 2n], 2_500_000_000_000_000_000n],
  })
  expect(built.unsigned).toEqual({ to: conditionalTokens, data, value: '0', chainId: 56 })
  lane.checkBounds(built.unsigned, built.bounds)
  const summary = summaryOfBuilt(lane, intent, built, here.world.outcomes)
  const shares = tokens.map((token) => ({ marketId, outcomeId: `${marketId}:${token}`, size: '2.5' }))
  expect(summary).toMatchObject({ size: '2.5', currency: 'USDT' })
  expect(intent === 'split' ? summary.exchange?.receives : summary.exchange?.gives).toEqual(shares)
})

it('rounds to the decimals of the market’s token, which must be known', async () => {
  const { body, build } = lane.split!
  const given = body.parse({ outcome: marketId, amount: '1.23456789', owner })
  here.world.answer(() => ok({ total: 1, list: [{ ...quoteTokens[0], decimal: 6 }] }))
  expect((await build(here.world.context, given)).exchange).toMatchObject({ size: '1.234567', cash: '-1.234567' })
  here.world.answer(() => ok({ total: 0, list: [] }))
  await expect(build(here.world.context, given)).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
})

it('a resolved market is not split', async () => {
  here.world.outcomes.splice(0, 2, ...market('resolved'))
  const body = { outcome: marketId, amount: '1', owner }
  const build = (intent: 'split' | 'merge') => lane[intent]!.build(here.world.context, lane[intent]!.body.parse(body))
  await expect(build('split')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect((await build('merge')).exchange).toMatchObject({ cash: '1' })
})
