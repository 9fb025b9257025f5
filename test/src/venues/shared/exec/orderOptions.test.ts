import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import { laneCases } from '#test/support/laneCases'
import { buildOrder, createLaneWorld, stored } from '#test/support/laneWorld'
import { sampleSettings } from '#test/support/sampleSettings'
import type { ExecutionAdapter } from '#venues/lane'
import {
  changedOption,
  checkOptions,
  checkSupportedOptions,
  heldOptions,
  listedOptions,
  type OrderOptions,
  oneOfTimes,
  optionFields,
  withOptions,
} from '#venues/shared/exec/orderOptions'
import { Amount } from '#venues/shared/selector'

const all: OrderOptions = {
  timeInForce: ['good-til-cancel', 'good-til-date', 'fill-or-kill', 'immediate-or-cancel'],
  expiresAt: true,
  market: true,
  postOnly: true,
}
const Body = z
  .strictObject({
    price: Amount.optional(),
    ...optionFields,
    timeInForce: oneOfTimes(['good-til-cancel', 'good-til-date', 'fill-or-kill', 'immediate-or-cancel']),
  })
  .superRefine(checkOptions)
  .transform(withOptions)
const later = 1_900_000_000

describe('a body', () => {
  it.each([
    [{ price: 0.5 }, { price: 0.5, timeInForce: 'good-til-cancel', expiresAt: 0, postOnly: false }],
    [
      { price: 0.5, expiresAt: later },
      { timeInForce: 'good-til-date', expiresAt: later },
    ],
    [{ price: 0.5, timeInForce: 'good-til-date', expiresAt: later }, { timeInForce: 'good-til-date' }],
    [
      { type: 'limit', price: 0.5, timeInForce: 'fill-or-kill' },
      { price: 0.5, timeInForce: 'fill-or-kill' },
    ],
    [
      { type: 'market', worstPrice: 0.6 },
      { price: 0.6, timeInForce: 'immediate-or-cancel' },
    ],
    [
      { type: 'market', worstPrice: 0.6, timeInForce: 'fill-or-kill' },
      { price: 0.6, timeInForce: 'fill-or-kill' },
    ],
    [
      { price: 0.5, postOnly: true, expiresAt: later },
      { postOnly: true, timeInForce: 'good-til-date' },
    ],
    [
      { price: 0.5, timeInForce: 'good-til-cancel', expiresAt: 0 },
      { timeInForce: 'good-til-cancel', expiresAt: 0 },
    ],
  ])('%j becomes %j', (body, expected) => {
    expect(Body.parse(body)).toMatchObject(expected)
  })

  it.each([
    [{}, 'price'],
    [{ type: 'market' }, 'worstPrice'],
    [{ type: 'market', price: 0.5 }, 'price'],
    [{ price: 0.5, worstPrice: 0.6 }, 'worstPrice'],
    [{ type: 'market', worstPrice: 0.6, timeInForce: 'good-til-cancel' }, 'timeInForce'],
    [{ type: 'market', worstPrice: 0.6, postOnly: true }, 'postOnly'],
    [{ type: 'market', worstPrice: 0.6, expiresAt: later }, 'expiresAt'],
    [{ price: 0.5, timeInForce: 'immediate-or-cancel', postOnly: true }, 'postOnly'],
    [{ price: 0.5, timeInForce: 'fill-or-kill', expiresAt: later }, 'expiresAt'],
    [{ price: 0.5, timeInForce: 'good-til-cancel', expiresAt: later }, 'expiresAt'],
    [{ price: 0.5, timeInForce: 'good-til-date' }, 'expiresAt'],
  ])('%j contradicts itself', (body, field) => {
    expect(Body.safeParse(body).error?.issues).toMatchObject([{ path: [field] }])
  })
})

describe('an option that a venue does not take', () => {
  const refusal = (orderOptions: OrderOptions, body: object) => () =>
    checkSupportedOptions({ slug: 'kalshi', orderOptions }, body as Record<string, unknown>)

  it('is refused with what the venue takes', () => {
    const some: OrderOptions = { timeInForce: ['good-til-cancel'], postOnly: true }
    expect(refusal(some, { reduceOnly: true })).toThrow(
      'reduceOnly: kalshi does not take it; it takes timeInForce (good-til-cancel); postOnly',
    )
    expect(refusal(some, { timeInForce: 'fill-or-kill' })).toThrow('timeInForce: kalshi takes good-til-cancel')
    expect(refusal({}, { worstPrice: 0.5 })).toThrow(
      'worstPrice: kalshi does not take it; kalshi takes no order options',
    )
    expect(refusal(some, { reduceOnly: false })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
  })

  it('is not missed in a plain order', () => {
    expect(refusal({}, { price: 0.5, size: 3, isBuy: true })).not.toThrow()
    expect(refusal(all, { type: 'market', worstPrice: 0.5, postOnly: undefined })).not.toThrow()
  })
})

describe('bounds', () => {
  it('hold what is not usual, and notice a change of it in either direction', () => {
    const usual = heldOptions({ timeInForce: 'good-til-cancel', expiresAt: 0, postOnly: false, reduceOnly: undefined })
    expect(usual).toEqual({})
    const { options } = heldOptions({ timeInForce: 'fill-or-kill', postOnly: true }) as { options: object }
    expect(changedOption(options, options)).toBeNull()
    expect(changedOption(undefined, options)).toBe('timeInForce')
    expect(changedOption(options, undefined)).toBe('timeInForce')
    expect(changedOption({ ...options, postOnly: false }, options)).toBe('postOnly')
  })

  it('of earlier builds hold no client order id', () => {
    expect(changedOption({ clientOrderId: 'a' }, undefined)).toBeNull()
    expect(changedOption({ clientOrderId: 'a' }, { clientOrderId: 'b' })).toBe('clientOrderId')
  })
})

/** Each option of a lane as its body states it, and what the artifact then says. */
function statementsOf(
  { orderOptions: options = {} }: ExecutionAdapter,
  order: JsonObject,
): { body: JsonObject; says: JsonObject }[] {
  const { price = null, ...rest } = order
  return [
    ...(options.timeInForce ?? [])
      .filter((timeInForce) => timeInForce !== 'good-til-date')
      .map((timeInForce) => ({ body: { ...order, timeInForce }, says: { timeInForce } })),
    ...(options.expiresAt
      ? [{ body: { ...order, expiresAt: later }, says: { timeInForce: 'good-til-date', expiresAt: later * 1_000 } }]
      : []),
    ...(options.market
      ? [{ body: { ...rest, type: 'market', worstPrice: price }, says: { timeInForce: 'immediate-or-cancel' } }]
      : []),
    ...(options.postOnly ? [{ body: { ...order, postOnly: true }, says: { postOnly: true } }] : []),
    ...(options.reduceOnly ? [{ body: { ...order, reduceOnly: true }, says: { reduceOnly: true } }] : []),
    ...(options.selfTradePrevention ?? []).map((selfTradePrevention) => ({
      body: { ...order, selfTradePrevention },
      says: { selfTradePrevention },
    })),
  ]
}

describe.each(Object.entries(laneCases))('%s', (venue, { lane, made }) => {
  it('lists its options, and its artifacts say what was requested; no other artifact passes for them', async () => {
    const listed = listedOptions(lane.orderOptions)
    expect(listed.timeInForce).toEqual(lane.orderOptions?.timeInForce ?? [])
    const urls = [...Object.keys(lane.urls), ...(lane.chain === undefined ? [] : ['RPC'])]
    const world = await createLaneWorld(venue as never, urls, sampleSettings(lane))
    try {
      world.outcomes.push(...made.rows)
      if (made.reads !== undefined) world.answer(made.reads)
      // A size that costs whole cents at any price on a tick.
      const order = { ...made.order, ['amount' in made.order ? 'amount' : 'size']: 100 }
      const plain = await buildOrder(lane, world.context, order)
      const statements = statementsOf(lane, order)
      expect(statements.length > 0).toBe(lane.orderOptions !== undefined)
      for (const { body, says } of statements) {
        checkSupportedOptions(lane, body)
        const built = await buildOrder(lane, world.context, body)
        expect(lane.describe(stored(built.unsigned))).toMatchObject(says)
        expect(built.terms).toMatchObject({ price: plain.terms!.price, size: plain.terms!.size })
        if (says.timeInForce === lane.orderOptions?.timeInForce?.[0]) continue
        const otherwise = expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' })
        const changed = withoutOptions(built.bounds, plain.bounds)
        expect(() => lane.checkBounds(built.unsigned, stored(changed)), JSON.stringify(says)).toThrow(otherwise)
      }
    } finally {
      await world.close()
    }
  })
})

/** The bounds of a build as if it had stated no option: salts and ids are its own. */
function withoutOptions(built: JsonObject, plain: JsonObject): JsonObject {
  const { options, ...rest } = built
  const { clientOrderId } = (options ?? {}) as JsonObject
  const stated = ['expiresAt', 'expiration', 'tif', 'reduceOnly']
  const usual = Object.fromEntries(Object.entries(plain).filter(([name]) => stated.includes(name)))
  return { ...rest, ...usual, ...(clientOrderId !== undefined && { options: { clientOrderId } }) }
}
