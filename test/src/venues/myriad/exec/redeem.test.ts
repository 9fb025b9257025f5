// The payout of a resolved market, by one transaction of the holder.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { stored } from '#test/support/laneWorld'
import { myriadLane as lane } from '#venues/myriad/exec/index'
import { bookMarket, laneSuite, owner, poolMarket } from './world.ts'

const suite = laneSuite()
const word = (number: number): string => number.toString(16).padStart(64, '0')
const tokens = '0x6413734f92248D4B29ae35883290BD93212654Dc'
const refusal = (message: RegExp, code = 'VALIDATION_ERROR') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })
const isResolved = (given: Record<string, unknown> = {}) =>
  suite.world.outcomes.splice(0, 4, ...bookMarket(given, 'resolved'), ...poolMarket(given, 'resolved'))
const answer = (over: object = {}) =>
  suite.world.answer(() => ({ body: { to: tokens, calldata: `0xa2e78653${word(730)}`, value: '0', ...over } }))

describe('of an order book', () => {
  it('is the call that the venue returns, if it is a known one', async () => {
    isResolved()
    for (const selector of ['a2e78653', 'A2E78653']) {
      answer({ to: tokens.toLowerCase(), calldata: `0x${selector}${word(730)}` })
      expect(await suite.redeem({ outcome: '56:ob:730' })).toMatchObject({
        unsigned: { to: tokens, data: `0xa2e78653${word(730)}`, value: '0', chainId: 56 },
        terms: null,
        notionalUsd: null,
        owner,
        warnings: [expect.stringMatching(/holds the shares must send this on chain 56/)],
      })
    }
    const [seen] = suite.world.seen
    expect([seen!.method, seen!.path, JSON.parse(seen!.text)]).toEqual([
      'POST',
      '/positions/redeem',
      { market_id: 730, network_id: 56 },
    ])
  })

  it('uses another call for a void market; for a negative-risk one it warns of the payout', async () => {
    isResolved({ voided: true, negRisk: true })
    answer({ calldata: `0x71f321a9${word(730)}` })
    const built = await suite.redeem({ asset: '56:ob:730:1' })
    expect(built.unsigned).toMatchObject({ data: `0x71f321a9${word(730)}` })
    expect(built.warnings).toHaveLength(2)
    expect(suite.world.seen[0]!.path).toBe('/positions/redeem-voided')
  })

  it.each([
    ['another contract', { to: `0x${'11'.repeat(20)}` }],
    ['another market', { calldata: `0xa2e78653${word(731)}` }],
    ['another function', { calldata: `0xa22cb465${word(730)}` }],
    ['more arguments', { calldata: `0xa2e78653${word(730)}${word(1)}` }],
    ['money', { value: '1' }],
    ['a void market’s call', { calldata: `0x71f321a9${word(730)}` }],
  ])('is rejected when the venue’s call is %s', async (_, over) => {
    isResolved()
    answer(over)
    await expect(suite.redeem({ outcome: '56:ob:730' })).rejects.toThrowError(
      refusal(/a call that this lane does not know/, 'EXEC_UNAVAILABLE'),
    )
  })

  it('is rejected when the venue returns none, and before the market is resolved', async () => {
    isResolved()
    suite.world.answer(() => ({ status: 400, body: { error: 'Market not resolved' } }))
    await expect(suite.redeem({ outcome: '56:ob:730' })).rejects.toThrowError(refusal(/./, 'NETWORK_ERROR'))
    suite.world.outcomes.splice(0, 2, ...bookMarket({}, 'closed'))
    await expect(suite.redeem({ outcome: '56:ob:730' })).rejects.toThrowError(refusal(/closed and not resolved/))
    suite.world.outcomes.splice(0, 2, ...bookMarket())
    await expect(suite.redeem({ outcome: '56:ob:730' })).rejects.toThrowError(refusal(/still trades/))
  })
})

describe('of a pool', () => {
  it('claims the winnings; for a void market each outcome separately, selected by side', async () => {
    isResolved()
    expect((await suite.redeem({ outcome: '2741:amm:549' })).unsigned).toEqual({
      to: '0x3e0F5F8F5Fb043aBFA475C0308417Bf72c463289',
      data: `0x677bd9ff${word(549)}`,
      value: '0',
      chainId: 2741,
    })
    isResolved({ voided: true })
    await expect(suite.redeem({ outcome: '2741:amm:549' })).rejects.toThrowError(refusal(/^outcomeSide: /))
    for (const body of [{ outcome: '2741:amm:549', outcomeSide: 'NO' }, { asset: '2741:amm:549:1' }]) {
      expect((await suite.redeem(body)).unsigned).toMatchObject({ data: `0xec93f0f5${word(549)}${word(1)}` })
    }
    expect(suite.world.seen).toEqual([])
  })

  it('cannot change at submit', async () => {
    isResolved()
    const { unsigned, bounds } = await suite.redeem({ outcome: '2741:amm:549' })
    const changes: JsonObject[] = [{ data: `0x677bd9ff${word(550)}` }, { to: tokens }, { chainId: 56 }, { value: '1' }]
    for (const over of changes) {
      expect(() => lane.checkBounds({ ...unsigned, ...over }, stored(bounds))).toThrowError(
        refusal(/./, 'ARTIFACT_BOUNDS_VIOLATION'),
      )
    }
  })
})
