// The summary derived from every adapter's artifact equals the request, on either side of either outcome; the artifact of another order has
// another summary.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareDecimals } from '#core/decimal'
import { summaryOfBuilt } from '#orders/executions/summary'
import type { JsonObject, Summary } from '#schemas/executions'
import { laneCases } from '#test/support/laneCases'
import { buildOrder, createLaneWorld, type LaneWorld, stored } from '#test/support/laneWorld'
import { sampleSettings } from '#test/support/sampleSettings'
import type { Built, ResolvedOutcome } from '#venues/lane'

const flipped = { YES: 'NO', NO: 'YES', buy: 'sell', sell: 'buy' } as const
const flip = (word: unknown) => flipped[word as keyof typeof flipped]

/** The same order on the other side of the book. */
const otherWay = (order: JsonObject): JsonObject =>
  'isBuy' in order ? { ...order, isBuy: !order.isBuy } : { ...order, side: flip(order.side)! }

/** The same order on the other outcome: by its side, or by its id. */
function otherOutcome(order: JsonObject, [yes, no]: readonly ResolvedOutcome[]): JsonObject {
  if ('outcomeSide' in order) return { ...order, outcomeSide: flip(order.outcomeSide)! }
  const ids = [yes!.outcome.outcomeId, no!.outcome.outcomeId]
  const [name, id] = Object.entries(order).find(([, value]) => ids.includes(String(value)))!
  return { ...order, [name]: ids.find((other) => other !== id)! }
}

const more = (order: JsonObject): JsonObject => {
  const name = 'amount' in order ? 'amount' : 'size'
  return { ...order, [name]: Number(order[name]) * 2 }
}

describe.each(Object.entries(laneCases))('%s', (venue, { lane, made }) => {
  let world: LaneWorld
  beforeAll(async () => {
    const urls = [...Object.keys(lane.urls), ...(lane.chain === undefined ? [] : ['RPC'])]
    world = await createLaneWorld(venue, urls, sampleSettings(lane))
    world.outcomes.push(...made.rows)
    if (made.reads !== undefined) world.answer(made.reads)
  })
  afterAll(() => world.close())

  const summarize = (built: Built): Summary =>
    summaryOfBuilt(lane, 'order', { ...built, unsigned: stored(built.unsigned) }, made.rows)

  it('summarises an order by side, outcome, price, size and maximum cost', async () => {
    const here = [made.order, otherOutcome(made.order, made.rows)]
    for (const order of [...here, ...here.map(otherWay)]) {
      const built = await buildOrder(lane, world.context, order)
      const { terms, notionalUsd } = built
      const { side, outcome, price, size, costMax, bringsMin, fee } = summarize(built)
      const { isBuy, marketId, outcomeId, outcomeSide } = terms!
      expect(isBuy).toBe(order.isBuy ?? order.side === 'buy')
      expect([side, outcome!.side]).toEqual([isBuy ? 'buy' : 'sell', outcomeSide])
      expect(outcome).toMatchObject({
        marketId,
        outcomeId,
        market: 'A market',
        label: outcomeSide === 'YES' ? 'Yes' : 'No',
      })
      if (price !== null) expect(compareDecimals(price, terms!.price) * (isBuy ? 1 : -1)).toBeLessThanOrEqual(0)
      if (size !== null) expect(compareDecimals(size, terms!.size)).toBeLessThanOrEqual(0)
      if (notionalUsd !== null && costMax !== null) expect(compareDecimals(costMax, notionalUsd)).toBeLessThanOrEqual(0)
      expect([price, size]).not.toEqual([null, null])
      expect(bringsMin === null).toBe(isBuy)
      expect(fee.estimate).toEqual(built.feeEstimate)
    }
  })

  it('names an order’s currency by a symbol, if at all', async () => {
    const { currency } = summarize(await buildOrder(lane, world.context, made.order))
    // XO documents no token: its operator configures the exchange by address.
    if (venue === 'xo') expect(currency).toBeNull()
    else expect(currency).toMatch(/^(?!0x)[A-Za-z][A-Za-z0-9.]{1,15}$/)
  })

  it('the artifact of another order has another summary', async () => {
    const built = await buildOrder(lane, world.context, made.order)
    const description = lane.describe(built.unsigned)
    const others = [otherWay(made.order), more(made.order), otherOutcome(made.order, made.rows)]
    // A token number alone leads to no outcome of the catalog: the summary check compares the reported artifact.
    const namesOutcome =
      description.intent === 'order' && (description.outcomeSide !== null || description.instrumentIs !== undefined)
    for (const order of others) {
      const { unsigned } = await buildOrder(lane, world.context, order)
      expect(lane.describe(unsigned)).not.toEqual(description)
      if (order === others.at(-1) && !namesOutcome) continue
      expect(() => summarize({ ...built, unsigned })).toThrow(
        expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
      )
    }
  })

  it('an invalid artifact has no summary', async () => {
    const { unsigned } = await buildOrder(lane, world.context, made.order)
    for (const broken of [{}, { ...unsigned, more: 1 }, Object.fromEntries(Object.entries(unsigned).slice(1))]) {
      expect(() => lane.describe(broken)).toThrow(expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }))
    }
  })
})
