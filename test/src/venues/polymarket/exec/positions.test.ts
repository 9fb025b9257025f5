import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { addDecimals, multiplyDecimals, subtractDecimals } from '#core/decimal'
import { summaryOfBuilt } from '#orders/executions/summary'
import type { PositionIntent } from '#schemas/executions'
import { type Event, noPriceChanges } from '#schemas/market'
import { binaryMarket, createLaneWorld, executionOf, type LaneWorld, submit } from '#test/support/laneWorld'
import type { LaneContext, ResolvedOutcome } from '#venues/lane'
import { polymarketLane as lane } from '#venues/polymarket/exec/index'
import { negRiskAdapter, redeemAdapters } from '#venues/polymarket/exec/typedData'
import { conditionIdOf } from '#venues/shared/exec/conversion'
import { readPositionCall } from '#venues/shared/exec/positionCalls'
import { conditionId, credentials, laneSuite, market, owner, tokens } from './world.ts'

const here = laneSuite()

const verbOf = (intent: PositionIntent) => lane[intent]!
const build = (intent: PositionIntent, body: object, context: LaneContext = here.world.context) =>
  verbOf(intent).build(context, verbOf(intent).body.parse(body))

describe.each(['split', 'merge'] as const)('%s', (intent) => {
  it('goes to the adapter of the market’s kind, for both outcomes', async () => {
    for (const negRisk of [false, true]) {
      here.world.outcomes.splice(0, here.world.outcomes.length, ...market(negRisk))
      const built = await build(intent, { outcome: '512345', amount: '10.1234567', owner })
      lane.checkBounds(built.unsigned, built.bounds)
      expect(built.unsigned).toMatchObject({
        to: negRisk ? redeemAdapters.negRisk : redeemAdapters.normal,
        value: '0',
        chainId: 137,
      })
      expect(readPositionCall('polymarket', built.unsigned.data as Hex)).toEqual({
        ...{ kind: intent, conditionId, amount: 10_123_456n },
      })
      expect(built).toMatchObject({ terms: null, notionalUsd: null, clientRef: null, owner })
      const shares = tokens.map((outcomeId) => ({ marketId: '512345', outcomeId, size: '10.123456' }))
      expect(built.exchange).toEqual(
        intent === 'split'
          ? { size: '10.123456', gives: [], receives: shares, cash: '-10.123456' }
          : { size: '10.123456', gives: shares, receives: [], cash: '10.123456' },
      )
      expect(summaryOfBuilt(lane, intent, built, here.world.outcomes)).toMatchObject({
        intent,
        side: null,
        size: '10.123456',
        currency: 'pUSD',
        outcome: { marketId: '512345', outcomeId: null, instrument: conditionId },
        costMax: intent === 'split' ? '10.123456' : '0',
        bringsMin: intent === 'split' ? null : '10.123456',
        exchange: built.exchange,
      })
    }
  })

  it('is refused at submit when anything of it changed, and with an order’s credentials', async () => {
    const built = await build(intent, { asset: tokens[1], amount: 5, owner })
    const data = String(built.unsigned.data)
    const other = String((await build(intent, { asset: tokens[1], amount: 6, owner })).unsigned.data)
    const opposite = await build(intent === 'split' ? 'merge' : 'split', { asset: tokens[1], amount: 5, owner })
    for (const wrong of [
      { to: redeemAdapters.negRisk },
      { to: negRiskAdapter },
      { data: other },
      { data: opposite.unsigned.data },
      { data: data.replace('ab'.repeat(32), 'cd'.repeat(32)) },
      { data: data.slice(0, -64) },
      { value: '1' },
      { chainId: 1 },
    ]) {
      expect(() => lane.checkBounds({ ...built.unsigned, ...wrong } as never, built.bounds)).toThrowError(
        expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
      )
    }
    await expect(submit(lane, here.world.context, executionOf(built, {}, intent), credentials)).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
    })
  })

  it('takes one market, an amount and an owner', async () => {
    for (const body of [
      { outcome: '512345', owner },
      { outcome: '512345', asset: tokens[0], amount: '1', owner },
      { outcome: '512345', outcomeSide: 'YES', amount: '1', owner },
      { amount: '1', owner },
      { outcome: '512345', amount: '1' },
      { outcome: '512345', amount: '1', owner, privateKey: 'x' },
    ]) {
      await expect((async () => build(intent, body))(), JSON.stringify(body)).rejects.toMatchObject({
        name: 'ZodError',
      })
    }
    for (const amount of ['0', '1000000001']) {
      await expect(build(intent, { outcome: '512345', amount, owner }), amount).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      })
    }
  })

  it('is not built for protocol 2', async () => {
    here.world.outcomes.splice(0, here.world.outcomes.length, ...market(false, 'active', 'v2'))
    await expect(build(intent, { outcome: '512345', amount: '1', owner })).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
    })
  })
})

it('a resolved market is not split, and its sets are merged', async () => {
  here.world.outcomes.splice(0, here.world.outcomes.length, ...market(false, 'resolved'))
  const body = { outcome: '512345', amount: '1', owner }
  await expect(build('split', body)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect((await build('merge', body)).exchange).toMatchObject({ cash: '1' })
})

describe('convert', () => {
  const negRiskMarketId: Hex = `0x${'7a'.repeat(31)}00`
  const questions = 4
  const viewAbi = parseAbi([
    'function getQuestionCount(bytes32) view returns (uint256)',
    'function getFeeBips(bytes32) view returns (uint256)',
  ])

  const rowsOf = (place: number): ResolvedOutcome[] =>
    binaryMarket('polymarket', `60000${place}`, [`1${place}`, `2${place}`], {
      tickSize: 0.01,
      sourceMetadata: {
        conditionId: conditionIdOf(negRiskAdapter, negRiskMarketId, place),
        negRisk: true,
        protocol: 'v1',
      },
    }).map((row) => ({ ...row, market: { ...row.market, eventId: 'e1' } }))

  async function worldOf({ count = questions, feeBips = 0n, listed = [0, 1, 2, 3] } = {}): Promise<{
    world: LaneWorld
    context: LaneContext
  }> {
    const world = await createLaneWorld('polymarket', ['CLOB', 'RPC'])
    const rows = listed.flatMap(rowsOf)
    world.outcomes.push(...rows)
    world.answer(({ text }) => {
      const { id, method, params } = JSON.parse(text) as {
        id: number
        method: string
        params: { data: Hex; to: Hex }[]
      }
      if (method === 'eth_chainId') return { body: { jsonrpc: '2.0', id, result: '0x89' } }
      const { data, to } = params[0]!
      const { functionName, args } = decodeFunctionData({ abi: viewAbi, data })
      expect([to.toLowerCase(), ...args]).toEqual([negRiskAdapter.toLowerCase(), negRiskMarketId])
      const value = functionName === 'getQuestionCount' ? BigInt(count) : feeBips
      return {
        body: { jsonrpc: '2.0', id, result: encodeFunctionResult({ abi: viewAbi, functionName, result: value }) },
      }
    })
    const event = {
      id: 'e1',
      title: 'An event',
      markets: rows.filter(({ side }) => side === 'YES').map(({ market: each }) => each),
      sourceMetadata: { negRiskMarketId },
      ...noPriceChanges,
    } as unknown as Event
    return { world, context: { ...world.context, catalog: { ...world.context.catalog, event: async () => event } } }
  }
  it('exchanges NO shares for YES shares of the other outcomes and the cash of all but one', async () => {
    const { world, context } = await worldOf()
    const built = await build('convert', { outcomes: ['600002', '600000'], amount: '10', owner }, context)
    await world.close()
    lane.checkBounds(built.unsigned, built.bounds)
    expect(built.unsigned).toMatchObject({ to: redeemAdapters.negRisk, value: '0', chainId: 137 })
    expect(readPositionCall('polymarket', built.unsigned.data as Hex)).toEqual({
      ...{ kind: 'convert', negRiskMarketId, indexSet: 0b101n, amount: 10_000_000n },
    })
    expect(built.exchange).toEqual({
      size: '10',
      gives: [
        { marketId: '600002', outcomeId: '22', size: '10' },
        { marketId: '600000', outcomeId: '20', size: '10' },
      ],
      receives: [
        { marketId: '600001', outcomeId: '11', size: '10' },
        { marketId: '600003', outcomeId: '13', size: '10' },
      ],
      cash: '10',
    })
    expect(summaryOfBuilt(lane, 'convert', built, [])).toMatchObject({
      intent: 'convert',
      size: '10',
      outcome: { marketId: null, instrument: `${negRiskMarketId}:0x5` },
      costMax: '0',
      bringsMin: '10',
    })
  })

  it('takes the adapter’s fee, rounded down, from the shares and the cash', async () => {
    const { world, context } = await worldOf({ feeBips: 25n })
    const built = await build(
      'convert',
      { outcomes: ['600000', '600001', '600003'], amount: '3.333333', owner },
      context,
    )
    await world.close()
    const fee = '0.008333'
    const out = subtractDecimals('3.333333', fee)
    expect(built.exchange).toMatchObject({
      size: '3.333333',
      receives: [{ marketId: '600002', size: out }],
      cash: multiplyDecimals('2', out),
    })
    expect(addDecimals(out, fee)).toBe('3.333333')
  })

  it('reads the markets of many outcomes a few at a time', async () => {
    const places = Array.from({ length: 12 }, (_, place) => place)
    const { world, context } = await worldOf({ count: places.length, listed: places })
    let running = 0
    let most = 0
    const side: LaneContext['catalog']['side'] = async (...args) => {
      most = Math.max(most, ++running)
      await nextTurn()
      running--
      return context.catalog.side(...args)
    }
    const outcomes = places.slice(1).map((place) => `60000${place}`)
    const counted = { ...context, catalog: { ...context.catalog, side } }
    const { exchange } = await build('convert', { outcomes, amount: '1', owner }, counted)
    await world.close()
    expect(exchange!.gives.map(({ marketId }) => marketId)).toEqual(outcomes)
    expect(most).toBe(8)
  })

  it('is refused for outcomes of several events, of none, and where the catalog lacks one', async () => {
    const { world, context } = await worldOf({ listed: [0, 1, 2] })
    const refused = (body: object, on = context) =>
      expect(build('convert', { amount: '1', owner, ...body }, on)).rejects
    await refused({ outcomes: ['600000'] }).toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
    const { event: _none, ...catalog } = context.catalog
    await refused({ outcomes: ['600000'] }, { ...context, catalog }).toMatchObject({ code: 'CATALOG_UNAVAILABLE' })
    world.outcomes.push(...market(true))
    await refused({ outcomes: ['600000', '512345'] }).toMatchObject({ code: 'VALIDATION_ERROR' })
    const { RPC: _node, ...urls } = context.urls
    await refused({ outcomes: ['600000'] }, { ...context, urls }).toMatchObject({ code: 'NOT_SUPPORTED' })
    await world.close()
    const { body } = lane.convert!
    for (const wrong of [
      { outcomes: [] },
      { outcomes: ['1', '1'] },
      { outcomes: '1' },
      { outcomes: ['1'], asset: '2' },
    ]) {
      expect(body.safeParse({ amount: '1', owner, ...wrong }).success).toBe(false)
    }
  })
})
