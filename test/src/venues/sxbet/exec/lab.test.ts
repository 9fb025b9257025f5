// The status read against the lab: an order placed outside, and how the lab assigns orders to keys.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Lab, startLab } from '#lab/lab'
import { createLaneWorld, executionOf, type LaneWorld } from '#test/support/laneWorld'
import { sxbetStatus } from '#venues/sxbet/exec/index'

let lab: Lab
let world: LaneWorld
beforeAll(async () => {
  world = await createLaneWorld('sxbet', [])
  lab = await startLab({ clock: world.clock, seed: 'status', venues: ['sxbet'], ratePerSecond: 0, markets: 12 })
})
afterAll(async () => {
  await lab.stop()
  await world.close()
})

const account = async (body: object) => {
  const answer = await fetch(`${lab.control.url}/lab/accounts`, { method: 'POST', body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as { apiKey: string; orderId: string } }
}
const built = { unsigned: {}, bounds: {}, terms: null, owner: null, clientRef: null, warnings: [] } as never
const look = (venueRef: string, apiKey: string) => {
  const { refresh } = sxbetStatus
  const context = { ...world.context, urls: lab.sxbet.urls }
  const execution = executionOf(built, { status: 'acked', venueRef })
  return refresh!.read(context, execution, refresh!.body.parse({ apiKey }) as never, undefined, async () => [])
}

it('an order is open, then filled, and visible to its own key only', async () => {
  const { apiKey, orderId } = (await account({ venue: 'sxbet' })).body
  expect(await look(orderId, apiKey)).toMatchObject({ status: 'acked', fills: [] })
  const [order] = lab.sxbet.engine.orderManager.ordersOf(apiKey)
  const { market, priceMicros, hundredths } = order!
  const sell = { account: 'another account', side: 1, priceMicros, hundredths, clientId: null, life: 'ioc' } as const
  lab.sxbet.engine.orderManager.place(market, sell)
  const stake = String((hundredths * priceMicros) / 100)
  expect(await look(orderId, apiKey)).toMatchObject({ status: 'filled', fills: [{ fill: { fillAmount: stake } }] })
  await expect(look(orderId, 'another-key')).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
  expect(await look('0198f2c4-7a11-7c22-8f33-0a1b2c3d4e5f', apiKey)).toMatchObject({ status: null, shown: false })
})

it('opens no account for a venue without one', async () => {
  expect((await account({ venue: 'polymarket' })).status).toBe(400)
  expect((await account({})).status).toBe(400)
})
