import { describe, expect, it } from 'vitest'
import { executionOf, submit } from '#test/support/laneWorld'
import { predictfunLane as lane } from '#venues/predictfun/exec/index'
import { redeemers } from '#venues/predictfun/exec/typedData'
import { credentials, kinds, laneSuite, market, marketId, owner, smartWallet } from './world.ts'

const here = laneSuite()

describe.each(['split', 'merge'] as const)('%s', (intent) => {
  const { body, build } = lane[intent]!
  const built = (given: object = {}) =>
    build(here.world.context, body.parse({ outcome: marketId, amount: '25', owner, ...given }))

  it('goes to the contract of the market’s kind, and through a smart wallet as its own call', async () => {
    for (const [negRisk, isYieldBearing] of kinds) {
      here.world.outcomes.splice(0, here.world.outcomes.length, ...market({ negRisk, isYieldBearing }))
      const kind = negRisk ? (isYieldBearing ? 'yieldNegRisk' : 'negRisk') : isYieldBearing ? 'yieldPlain' : 'plain'
      expect((await built()).unsigned.to).toBe(redeemers[kind])
      const smart = await built({ predictAccount: smartWallet })
      expect(smart.unsigned.to).toBe(smartWallet)
      for (const each of [await built(), smart]) {
        lane.checkBounds(each.unsigned, each.bounds)
        expect(lane.describe(each.unsigned)).toMatchObject({ intent, size: '25' })
      }
    }
  })

  it('is sent by its wallet, not posted to the venue', async () => {
    const execution = executionOf(await built(), {}, intent)
    await expect(submit(lane, here.world.context, execution, credentials)).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
    })
  })

  it('does not take its owner as smart wallet, nor a side', () => {
    for (const wrong of [{ predictAccount: owner }, { outcomeSide: 'YES' }, { amount: undefined }, { jwt: 'x' }]) {
      expect(body.safeParse({ outcome: marketId, amount: '25', owner, ...wrong }).success).toBe(false)
    }
  })
})

it('only negative-risk markets are converted', async () => {
  const rows = market().map((row) => ({ ...row, market: { ...row.market, eventId: 'c' } }))
  here.world.outcomes.splice(0, here.world.outcomes.length, ...rows)
  const event = { id: 'c', markets: [rows[0]!.market], sourceMetadata: {} } as never
  const context = { ...here.world.context, catalog: { ...here.world.context.catalog, event: async () => event } }
  const { body, build } = lane.convert!
  await expect(build(context, body.parse({ outcomes: [marketId], amount: '1', owner }))).rejects.toMatchObject({
    code: 'NOT_IMPLEMENTED',
  })
})
