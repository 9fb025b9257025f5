// The lane against the lab's Gemini: neither knows the other's code.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder } from '#test/support/laneWorld'
import { geminiLane as lane } from '#venues/gemini/exec/index'

let here: LaneLab<'gemini'>
beforeEach(async () => {
  here = await createLaneLab('gemini')
})
afterEach(() => here.close())

const dollars = (micros: number) => (micros / 1e6).toFixed(2)
const build = (over: object = {}) =>
  buildOrder(lane, here.world.context, {
    outcome: here.facts.outcomeIds[0],
    outcomeSide: 'YES',
    isBuy: true,
    price: dollars(here.bid),
    size: 10,
    ...over,
  })
const place = async (over: object = {}) => send(lane, here.world, await build(over), here.lab.credentials)
const look = (execution: Parameters<typeof refresh>[2]) => refresh(lane, here.world, execution, here.lab.credentials)
const resting = () => here.lab.engine.desk.ordersOf(here.lab.credentials.apiKey)

describe('the lane against the lab', () => {
  it('places, sees a part fill, cancels, and tells the sum of the fills with the end', async () => {
    const { execution, outcome } = await place()
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked' })
    expect(execution.venueRef).toMatch(/^\d{18}$/)
    expect(await look(execution)).toMatchObject({ status: 'acked', fills: [] })
    here.trade('sell', here.bid, 4)
    expect(await look(execution)).toMatchObject({
      status: 'acked',
      fills: [],
      observation: { filledQuantity: '4', remainingQuantity: '6' },
    })
    const cancel = await lane.cancel!.build(here.world.context, execution, {} as never)
    const sent = await send(lane, here.world, cancel, here.lab.credentials, 'cancel')
    expect(sent.outcome.kind).toBe('accepted')
    expect(await look(sent.execution)).toMatchObject({ status: 'acked' })
    expect(await look(execution)).toMatchObject({
      status: 'canceled',
      fills: [{ key: `${execution.venueRef}:sum`, fill: { filledQuantity: '4', price: dollars(here.bid) } }],
    })
    const again = await send(lane, here.world, cancel, here.lab.credentials, 'cancel')
    expect(again.outcome.kind).toBe('rejected')
  })

  it('buys NO in NO dollars: it is an ask of the one book at one minus the price', async () => {
    const { execution, outcome } = await place({
      outcomeSide: 'NO',
      outcome: here.facts.marketId,
      price: dollars(1e6 - here.ask),
    })
    expect(outcome.kind).toBe('accepted')
    expect(resting()[0]).toMatchObject({ side: 1, priceMicros: here.ask })
    here.trade('buy', here.ask, 10)
    expect(await look(execution)).toMatchObject({
      status: 'filled',
      fills: [{ fill: { outcome: 'no', filledQuantity: '10' } }],
    })
  })

  it('taken and cut off: unknown, found again by our own id, and a second send of the same artifact places nothing', async () => {
    here.lab.faults.order({ fate: 'drop' })
    const built = await build()
    const { execution, outcome } = await send(lane, here.world, built, here.lab.credentials)
    expect(outcome.kind).toBe('unknown')
    const seen = await look(execution)
    expect(seen).toMatchObject({ status: 'acked', venueRef: expect.stringMatching(/^\d{18}$/) })
    expect((await send(lane, here.world, built, here.lab.credentials)).outcome.kind).toBe('unknown')
    expect(resting()).toHaveLength(1)
  })

  it('cut off and never taken: unknown, and nothing is found', async () => {
    here.lab.faults.order({ fate: 'vanish' })
    const { execution, outcome } = await place()
    expect(outcome.kind).toBe('unknown')
    expect(resting()).toEqual([])
    expect((await look(execution)).status).toBeNull()
  })

  it('answered late: accepted', async () => {
    here.lab.faults.order({ fate: 'late', delayMs: 5_000 })
    const sending = place()
    await vi.waitFor(() => expect(resting()).toHaveLength(1))
    // The host sets its timer in the turn after the order is taken.
    await vi.waitFor(() => expect(here.world.clock.pendingCount).toBeGreaterThan(1))
    here.world.clock.advance(5_000)
    expect((await sending).outcome.kind).toBe('accepted')
  })

  it('forgotten after the answer: accepted, and then no evidence of anything', async () => {
    here.lab.faults.order({ fate: 'forget' })
    const { execution, outcome } = await place()
    expect(outcome.kind).toBe('accepted')
    expect(await look(execution)).toMatchObject({ status: null, venueRef: execution.venueRef })
  })

  it('refused: rejected in the venue’s words; limited: refused; broken: unknown', async () => {
    here.lab.faults.order({ fate: 'reject' })
    expect((await place()).outcome).toMatchObject({
      kind: 'rejected',
      reason: expect.stringMatching(/^InsufficientFunds/),
    })
    here.lab.faults.http({ status: 429, count: 1 })
    expect((await place()).outcome.kind).toBe('refused')
    here.lab.faults.http({ status: 500, count: 1 })
    expect((await place()).outcome.kind).toBe('unknown')
    here.lab.faults.close({ market: here.facts.marketId })
    expect((await place()).outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/^MarketNotOpen/) })
    expect(resting()).toEqual([])
  })

  it('a key that counts its nonces, and a wrong secret, are refused before the order is looked at', async () => {
    const rising = here.lab.issueKey({ nonce: 'rising' })
    const counted = await send(lane, here.world, await build(), { apiKey: rising.apiKey, apiSecret: rising.apiSecret })
    expect(counted.outcome).toMatchObject({ kind: 'refused', code: 'GEMINI_TIME_NONCE_REQUIRED' })
    const wrong = await send(lane, here.world, await build(), { ...here.lab.credentials, apiSecret: 'wrong' })
    expect(wrong.outcome).toEqual({ kind: 'refused', reason: 'InvalidSignature: InvalidSignature' })
    expect(resting()).toEqual([])
  })
})
