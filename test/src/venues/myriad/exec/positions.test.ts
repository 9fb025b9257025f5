// Sets of an order book's market, each by one transaction of their holder.
import { describe, expect, it } from 'vitest'
import { summaryOfBuilt } from '#orders/executions/summary'
import { stored } from '#test/support/laneWorld'
import { myriadLane as lane } from '#venues/myriad/exec/index'
import { bookMarket, laneSuite, owner, poolMarket } from './world.ts'

const suite = laneSuite()
const word = (value: bigint | number): string => value.toString(16).padStart(64, '0')
const tokens = '0x6413734f92248D4B29ae35883290BD93212654Dc'
const one = 10n ** 18n

const show = (given: Record<string, unknown> = {}, status: 'active' | 'resolved' = 'active') =>
  suite.world.outcomes.splice(0, 4, ...bookMarket(given, status), ...poolMarket(given, status))

describe.each([
  ['split', '04d5b62d'],
  ['merge', '722c7067'],
] as const)('%s', (intent, selector) => {
  const { body, build } = lane[intent]!
  const built = (given: object = {}) =>
    build(suite.world.context, body.parse({ outcome: '56:ob:730', amount: '3', owner, ...given }))

  it('is a call to the contract that holds the shares', async () => {
    show()
    const made = await built()
    expect(made.unsigned).toEqual({
      ...{ to: tokens, data: `0x${selector}${word(730)}${word(3n * one)}`, value: '0', chainId: 56 },
    })
    lane.checkBounds(stored(made.unsigned), stored(made.bounds))
    expect(made).toMatchObject({ terms: null, notionalUsd: null, owner })
    const shares = [0, 1].map((n) => ({ marketId: '56:ob:730', outcomeId: `56:ob:730:${n}`, size: '3' }))
    const resolved = suite.world.outcomes.filter(({ market }) => market.marketId === '56:ob:730')
    expect(summaryOfBuilt(lane, intent, made, resolved)).toMatchObject({
      intent,
      size: '3',
      outcome: { instrument: '56:ob:730', marketId: '56:ob:730' },
      exchange: intent === 'split' ? { receives: shares, cash: '-3' } : { gives: shares, cash: '3' },
    })
    const changed = { ...made.unsigned, data: `0x${selector}${word(730)}${word(4n * one)}` }
    expect(() => lane.checkBounds(changed, stored(made.bounds))).toThrowError(
      expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
    )
  })

  it('is not built for a pool or a negative-risk market', async () => {
    show()
    const [pool] = poolMarket()
    await expect(built({ outcome: pool!.market.marketId })).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' })
    show({ negRisk: true })
    await expect(built()).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' })
  })
})

it('a resolved market is not split', async () => {
  show({}, 'resolved')
  const { body, build } = lane.split!
  await expect(
    build(suite.world.context, body.parse({ outcome: '56:ob:730', amount: '1', owner })),
  ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})
