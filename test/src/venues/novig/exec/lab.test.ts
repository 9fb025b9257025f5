// Runs the lane against the lab’s Novig; the two share no code.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLaneLab, type LaneLab, refresh, send } from '#test/support/laneLab'
import { buildOrder } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { novigLane as lane } from '#venues/novig/exec/index'

let here: LaneLab<'novig'>
beforeEach(async () => {
  here = await createLaneLab('novig')
})
afterEach(() => here.close())

const place = async (over: object = {}) => {
  const { facts, bid, world, lab } = here
  const body = { outcome: facts.marketId, outcomeSide: 'YES', isBuy: true, price: String(bid / 1e6), size: 10, ...over }
  return send(lane, world, await buildOrder(lane, world.context, body), lab.credentials)
}
const look = (execution: LaneExecution) => refresh(lane, here.world, execution, here.lab.credentials)
const resting = () => here.lab.engine.orderManager.ordersOf(here.lab.credentials.clientId)

describe('order options', () => {
  const ask = () => String(here.ask / 1e6)
  const crossing = (over: object) => place({ price: ask(), size: here.moreThanOffered(), ...over })

  it.each([
    ['immediate-or-cancel', { timeInForce: 'immediate-or-cancel' }],
    ['market', { type: 'market' }],
  ])('%s takes what is offered, and the rest is cancelled', async (_, options) => {
    const priced = 'type' in options ? { price: undefined, worstPrice: ask() } : {}
    const { execution } = await crossing({ ...priced, ...options })
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: [expect.anything()] })
  })

  it('fill-or-kill takes all or nothing', async () => {
    const killed = await crossing({ timeInForce: 'fill-or-kill' })
    expect(killed.outcome).toEqual({ kind: 'rejected', reason: 'the order could not be filled whole' })
    const { execution } = await place({ price: ask(), size: 1, timeInForce: 'fill-or-kill' })
    expect(await look(execution)).toMatchObject({ status: 'filled' })
  })
})

describe('the lane against the lab', () => {
  it('places an order, sees a partial fill, and a cancellation by the venue', async () => {
    const { execution, outcome } = await place()
    expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: expect.any(String) })
    here.trade('sell', here.bid, 4)
    expect(await look(execution)).toMatchObject({ status: 'acked', matchedSize: '4', fills: [{ fill: { qty: 400 } }] })
    here.lab.engine.orderManager.cancel(resting()[0]!)
    expect(await look(execution)).toMatchObject({ status: 'canceled', fills: [{ fill: { qty: 400 } }] })
  })

  it('sells by buying the other outcome, and is filled by a buyer', async () => {
    const { execution } = await place({ isBuy: false, price: String(here.ask / 1e6), size: '2.5' })
    expect(resting()[0]).toMatchObject({ side: 1, priceMicros: here.ask, hundredths: 250 })
    here.trade('buy', here.ask, 2)
    expect(await look(execution)).toMatchObject({ status: 'acked', matchedSize: '2' })
  })

  it('an order with a lost response is found by client order id; one that never arrived is absent', async () => {
    here.lab.faults.order({ fault: 'drop' })
    const lost = await place()
    expect(lost.outcome.kind).toBe('unknown')
    expect(lost.execution.venueRef).toBeNull()
    expect(await look(lost.execution)).toMatchObject({ status: 'acked', venueRef: expect.any(String) })
    here.lab.faults.order({ fault: 'vanish' })
    const gone = await place()
    expect(gone.outcome.kind).toBe('unknown')
    expect(await look(gone.execution)).toMatchObject({ status: null, shown: false, undone: true })
  })

  it('a refusal of the venue is a rejection with its text', async () => {
    expect((await place({ price: '0.995', size: '1000000000' })).outcome).toEqual({
      kind: 'rejected',
      reason: 'insufficient balance',
    })
    here.lab.faults.order({ fault: 'reject' })
    expect((await place()).outcome).toMatchObject({ kind: 'rejected' })
    expect(resting()).toEqual([])
  })

  it('wrong credentials are refused before the order is sent', async () => {
    const wrong = { ...here.lab.credentials, clientSecret: 'wrong' }
    const built = await buildOrder(lane, here.world.context, {
      outcome: here.facts.marketId,
      outcomeSide: 'YES',
      isBuy: true,
      price: String(here.bid / 1e6),
      size: 10,
    })
    const { outcome } = await send(lane, here.world, built, wrong)
    expect(outcome).toEqual({ kind: 'refused', reason: 'invalid_client: no such client' })
    expect(resting()).toEqual([])
  })

  it('a token is valid for half an hour and only for its client', async () => {
    const { REST } = here.lab.urls
    const client = here.lab.issueClient()
    const body = {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }
    const answer = await fetch(`${REST}/nbx/v1/auth/emm-token`, { method: 'POST', body: JSON.stringify(body) })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    const orders = async () => {
      const headers = { authorization: `Bearer ${token}` }
      const reply = await fetch(`${REST}/nbx/v2/emm/orders/all`, { headers })
      return [reply.status, await reply.json()]
    }
    await place()
    expect(await orders()).toEqual([200, []])
    here.world.clock.advance(30 * 60_000)
    expect((await orders())[0]).toBe(401)
  })
})
