// A pool’s transaction contains neither its token nor its decimals, so the cost is derived from the requested size.
import { describe, expect, it } from 'vitest'
import { summaryOfBuilt } from '#orders/executions/summary'
import { stored } from '#test/support/laneWorld'
import type { Built } from '#venues/lane'
import { myriadLane as lane } from '#venues/myriad/exec/index'
import { bookMarket, laneSuite, poolMarket } from './world.ts'

const suite = laneSuite()
const summarize = (built: Built, intent: 'order' | 'redeem' = 'order') =>
  summaryOfBuilt(lane, intent, { ...built, unsigned: stored(built.unsigned) }, [...bookMarket(), ...poolMarket()])

const outcome = { instrument: '2741:amm:549:0', side: 'YES', marketId: '2741:amm:549', label: 'Yes' }

describe('a trade with a pool', () => {
  it('shows the maximum cost and the minimum proceeds', async () => {
    const bought = summarize(await suite.buildPool({ price: '0.9', size: '2' }))
    expect(bought).toMatchObject({ side: 'buy', outcome, price: '0.9', size: '2', costMax: '1.8', bringsMin: null })
    expect(bought).toMatchObject({ currency: 'USDC.e', timeInForce: 'fill-or-kill', expiresAt: null })
    const sold = summarize(await suite.buildPool({ isBuy: false, price: '0.05', size: '2' }))
    expect(sold).toMatchObject({ side: 'sell', outcome, price: '0.05', size: '2', costMax: '0', bringsMin: '0.1' })
  })

  it('with another amount, market or contract does not match this execution', async () => {
    const built = await suite.buildPool({ price: '0.9', size: '2' })
    const others = [
      (await suite.buildPool({ price: '0.9', size: '3' })).unsigned,
      (await suite.buildPool({ price: '0.9', size: '2', outcomeSide: 'NO' })).unsigned,
      { ...built.unsigned, to: `0x${'1'.repeat(40)}` },
      { ...built.unsigned, data: '0x12345678' },
    ]
    for (const unsigned of others)
      expect(() => summarize({ ...built, unsigned })).toThrow(
        expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
      )
  })
})

it('a redemption shows its market', async () => {
  const { world } = suite
  world.outcomes.splice(0, world.outcomes.length, ...poolMarket({}, 'resolved'))
  const built = await suite.redeem({ outcome: '2741:amm:549' })
  expect(summarize(built, 'redeem')).toMatchObject({
    intent: 'redeem',
    side: null,
    outcome: { instrument: '2741:amm:549', market: 'A market', label: null },
  })
})
