// The public open orders of every venue that shows them, each against its simulated venue: an order placed through its adapter is listed
// with its fills, an ended order is not, and a failure is not an empty list.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HttpClient } from '#net/http'
import { laneCases, type OpenCase } from '#test/support/laneCases'
import { send } from '#test/support/laneLab'
import { buildOrder } from '#test/support/laneWorld'
import { type LaneVenue, lanes, registry } from '#venues/registry'
import type { PublicOpenOrder, VenueManifest } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

const manifests: Readonly<Record<string, VenueManifest>> = registry
const served = (Object.keys(lanes) as LaneVenue[]).filter((venue) => manifests[venue]!.data.openOrders !== undefined)

it('venues that show them are those whose public documents say so', () => {
  const named = Object.values(manifests).flatMap(({ slug, data }) => (data.openOrders === undefined ? [] : [slug]))
  expect(named.sort()).toEqual(['hyperliquid', 'myriad', 'pascal', 'rain'])
  expect(served.sort()).toEqual(named.sort())
})

describe.each(served)('%s', (venue) => {
  const { lane } = laneCases[venue]
  const openOrders = manifests[venue]!.data.openOrders!
  let opened: OpenCase
  let context: VenueContext
  let account: string

  beforeAll(async () => {
    opened = await laneCases[venue].open()
    const { clock, http, log, signal, urls } = opened.here.world.context
    context = { venue, clock, http, log, signal, urls, credentials: null }
  }, 60_000)
  afterAll(() => opened?.here.close())

  async function place(): Promise<void> {
    const { here, credentials, signed, order } = opened
    const built = await buildOrder(lane, here.world.context, order)
    account = openOrders.accountOf(built.owner!)!
    const sent = await send(lane, here.world, built, { ...credentials, ...(await signed(built.unsigned, 'order')) })
    expect(sent.outcome.kind).toBe('accepted')
    here.world.clock.advance(60_000)
  }
  const read = async (): Promise<PublicOpenOrder[]> => (await openOrders.fetch(context, account)).orders

  it('an unknown account has none', async () => {
    await place()
    const unknownAccount = venue === 'pascal' ? '1'.repeat(32) : `0x${'ab'.repeat(20)}`
    const { orders, asOfMs } = await openOrders.fetch(context, openOrders.accountOf(unknownAccount)!)
    expect(orders).toEqual([])
    expect(Number.isSafeInteger(asOfMs)).toBe(true)
  })

  it('a resting order is listed as it was placed', async () => {
    const { here, orders } = opened
    const [placed] = orders()
    const listed = await read()
    expect(listed).toHaveLength(1)
    const whole = placed!.hundredths / 100
    const [order] = listed
    expect(order).toMatchObject({
      marketId: here.facts.marketId,
      outcomeId: here.facts.outcomeIds[0],
      side: 'buy',
      orderType: 'limit',
      status: 'open',
    })
    expect(order!.orderId).not.toBe('')
    expect(order!.limitPrice).toBeCloseTo(placed!.priceMicros / 1e6, 9)
    expect(order!.remainingSize).toBeCloseTo(whole, 6)
    expect([null, 0]).toContain(order!.filledSize)
    if (order!.originalSize !== null) expect(order!.originalSize).toBeCloseTo(whole, 6)
    if (order!.createdAtMs !== null) expect(Math.abs(order!.createdAtMs - placed!.createdAtMs)).toBeLessThan(60_000)
    expect(order!.raw).toBeTypeOf('object')
  })

  it('a partial fill is reported on the same order', async () => {
    const { here, orders } = opened
    const before = (await read())[0]!
    here.trade('sell', here.bid, 4)
    here.world.clock.advance(60_000)
    const [order] = await read()
    const left = (orders()[0]!.hundredths - orders()[0]!.filledHundredths) / 100
    expect(order!.orderId).toBe(before.orderId)
    expect(order!.remainingSize).toBeCloseTo(left, 6)
    if (order!.originalSize !== null) expect(order!.filledSize).toBeCloseTo(order!.originalSize - left, 6)
  })

  it('two orders are listed separately', async () => {
    await place()
    const listed = await read()
    expect(new Set(listed.map(({ orderId }) => orderId)).size).toBe(2)
  })

  it('a refusal or a response of another form is a fault, not an empty list', async () => {
    const answers = [
      ...[401, 403, 404, 418].map((status) => ({ status, body: '<html>' as unknown })),
      ...['<html><body>502 Bad Gateway</body></html>', 42, true, [[[]]], { data: [{ no: 'order' }] }].map((body) => ({
        status: 200,
        body,
      })),
    ]
    for (const answer of answers) {
      const http: HttpClient = { request: async () => ({ headers: {}, ...answer }) }
      const reading = openOrders.fetch({ ...context, http }, account)
      await expect(reading, JSON.stringify(answer)).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: venue })
    }
  })

  it('ended orders are not listed', async () => {
    const { here, orders } = opened
    for (const order of orders()) here.withdraw(order)
    here.world.clock.advance(60_000)
    expect(await read()).toEqual([])
  })

  it('refuses invalid account ids', () => {
    for (const text of [
      '',
      ' ',
      'x',
      '0x',
      `0x${'a'.repeat(39)}`,
      `0x${'g'.repeat(40)}`,
      '🙂',
      '../..',
      '%00',
      'a'.repeat(96),
    ])
      expect(openOrders.accountOf(text), text).toBeNull()
  })
})
