// Runs the lane against the lab’s PredictStreet; the two share no code, and only correct bytes recover the correct signer.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder, executionOf } from '#test/support/laneWorld'
import { testOrderFaults } from '#test/support/orderFaults'
import type { Built, LaneExecution } from '#venues/lane'
import { predictStreetLane as lane } from '#venues/predictstreet/exec/index'
import { account, owner } from './world.ts'

let here: LaneLab<'predictstreet'>
let credentials: Record<string, string>
beforeEach(async () => {
  here = await createLaneLab('predictstreet')
  credentials = { owner, apiKey: here.lab.auth.issueKey(owner) }
})
afterEach(() => here.close())

const dollars = (micros: number) => String(micros / 1e6)
const build = (over: object = {}) =>
  buildOrder(lane, here.world.context, {
    outcome: here.facts.marketId,
    outcomeSide: 'YES',
    isBuy: true,
    price: dollars(here.bid),
    size: 10,
    owner,
    vault: here.lab.auth.vaultOf(owner),
    ...over,
  })
const signed = async (built: Built, given: object = credentials) =>
  send(lane, here.world, built, {
    ...given,
    signature: await account.signTypedData(executionOf(built).unsigned as never),
  })
const place = async (over: object = {}) => signed(await build(over))
const look = (execution: LaneExecution) => refresh(lane, here.world, execution, credentials)
const cancel = async (execution: LaneExecution) => {
  const built = await lane.cancel!.build(here.world.context, execution, {} as never)
  return send(lane, here.world, built, credentials, 'cancel', execution)
}
const orders = () => here.lab.engine.orderManager.ordersOf(owner.toLowerCase())

describe('the lane against the lab', () => {
  it('places, partially fills and cancels an order, and reports each fill once', async () => {
    const { execution, outcome } = await place()
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: expect.any(String) })
    here.trade('sell', here.bid, 4)
    expect(await look(execution)).toMatchObject({ status: 'acked', matchedSize: '4', fills: [{ fill: { size: '4' } }] })
    const sent = await cancel(execution)
    expect(sent.outcome).toMatchObject({ kind: 'accepted', venueRef: execution.venueRef })
    const end = await look(execution)
    expect(end).toMatchObject({ status: 'canceled', observation: { fillsReconciled: true } })
    expect(end.fills).toHaveLength(1)
    expect((await look(sent.execution)).status).toBe('acked')
    expect((await cancel(execution)).outcome).toMatchObject({
      kind: 'rejected',
      reason: expect.stringMatching(/not_found/),
    })
  })

  it('accepts an order of NO and a sale, and rejects an unsupported domain version', async () => {
    const no = await place({ outcomeSide: 'NO', price: dollars(1_000_000 - here.ask) })
    expect(no.outcome.kind).toBe('accepted')
    here.trade('buy', here.ask, 10)
    expect(await look(no.execution)).toMatchObject({ status: 'filled', matchedSize: '10' })
    expect((await place({ isBuy: false, price: dollars(here.ask) })).outcome.kind).toBe('accepted')
    const context = { ...here.world.context, settings: { DOMAIN_VERSION: '2' } }
    const built = await buildOrder(lane, context, {
      outcome: here.facts.marketId,
      outcomeSide: 'YES',
      isBuy: true,
      price: dollars(here.bid),
      size: 10,
      owner,
      vault: here.lab.auth.vaultOf(owner),
    })
    expect((await signed(built)).outcome).toMatchObject({
      kind: 'rejected',
      reason: expect.stringMatching(/^bad_signature/),
    })
  })

  it('the venue rejects another vault, and the lane another owner', async () => {
    expect((await place({ vault: '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47' })).outcome.kind).toBe('rejected')
    const stranger = { ...credentials, owner: '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47' }
    await expect(signed(await build(), stranger)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    const { execution } = await place()
    await expect(refresh(lane, here.world, execution, stranger)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('all order outcomes', () => {
  testOrderFaults(
    () => ({
      clock: here.world.clock,
      faults: here.lab.faults,
      place: () => place(),
      look,
      cancel,
      orders,
      marketId: here.facts.marketId,
    }),
    {
      orderPath: '/api/orders/place',
      cancelPath: '/api/orders/cancel',
      venueRef: /^[0-9a-f-]{36}$/,
      refIsKnown: false,
      limit: 'refused',
      rejection: /insufficient_funds/,
      closed: /market_closed/,
    },
  )
})
