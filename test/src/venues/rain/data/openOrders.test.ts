// Open orders from the chain, listed only when the pools and their logs agree.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { HttpClient, HttpResponse } from '#net/http'
import { openLane } from '#test/support/laneCases'
import { send } from '#test/support/laneLab'
import { buildOrder } from '#test/support/laneWorld'
import { openOrders } from '#venues/rain/data/openOrders'
import { rain } from '#venues/rain/index'
import type { PublicOpenOrder } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

let opened: Awaited<ReturnType<typeof openLane<'rain'>>>
let context: VenueContext
let account: string
beforeAll(async () => {
  opened = await openLane('rain')
  const { clock, log, signal, urls, http } = opened.here.world.context
  context = { venue: 'rain', clock, log, signal, urls, http, credentials: null }
  account = String(opened.order.owner).toLowerCase()
}, 60_000)
afterAll(() => opened?.here.close())
beforeEach(() => {
  for (const order of opened.orders()) opened.here.withdraw(order)
})

async function place(more: Record<string, unknown> = {}): Promise<void> {
  const { here, signed, order } = opened
  const built = await buildOrder(rain.exec, here.world.context, { ...order, ...more })
  const sent = await send(rain.exec, here.world, built, await signed(built.unsigned, 'order'))
  expect(sent.outcome.kind).toBe('accepted')
  here.world.clock.advance(1_000)
}
/** A client per read, so that no cached response is shared. */
const through = (change: (url: string, answer: HttpResponse) => HttpResponse): HttpClient => ({
  request: async (request) => change(request.url, await context.http.request(request)),
})
const read = async (http: HttpClient = through((_, answer) => answer)): Promise<PublicOpenOrder[]> =>
  (await openOrders.fetch({ ...context, http }, account)).orders
const sizes = ({ originalSize, filledSize, remainingSize }: PublicOpenOrder) => [
  originalSize,
  filledSize,
  remainingSize,
]

it('buys and sells of both sides are listed under their own outcome', async () => {
  const { bid, ask, facts } = opened.here
  await place()
  await place({ isBuy: false, price: String(ask / 1e6), amount: '7' })
  await place({ outcomeSide: 'NO', price: String((1e6 - ask) / 1e6), amount: String(((1e6 - ask) * 20) / 1e6) })
  const openRows = await read()
  const [yes, no] = facts.outcomeIds
  const fields = openRows.map(({ outcomeId, side, limitPrice, remainingSize }) => [
    outcomeId,
    side,
    limitPrice,
    remainingSize,
  ])
  expect(fields.sort()).toEqual(
    [
      [yes, 'buy', bid / 1e6, 50],
      [yes, 'sell', ask / 1e6, 7],
      [no, 'buy', (1e6 - ask) / 1e6, 20],
    ].sort(),
  )
  expect(new Set(openRows.map(({ orderId }) => orderId)).size).toBe(3)
  const { transactionHash, orderID } = openRows[0]!.raw as { transactionHash: string; orderID: string }
  expect([transactionHash, orderID]).toEqual([
    expect.stringMatching(/^0x[0-9a-f]{64}$/),
    expect.stringMatching(/^\d+$/),
  ])
})

it('the filled size is known when escrow and logs agree, and null when they do not', async () => {
  await place()
  opened.here.trade('sell', opened.here.bid, 4)
  opened.here.world.clock.advance(1_000)
  expect((await read()).map(sizes)).toEqual([[50, 4, 46]])
  // A node without the logs of fills.
  opened.here.lab.faults.hide({ what: 'fills' })
  expect((await read()).map(sizes)).toEqual([[null, null, null]])
  opened.here.lab.faults.recover()
})

it('an order counted by the pool without a log is a fault, not a shorter list', async () => {
  await place()
  const { chain } = opened.here.lab
  const logs = chain.logs.bind(chain)
  Object.assign(chain, { logs: () => [] })
  await expect(read()).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'rain' })
  Object.assign(chain, { logs })
  expect(await read()).toHaveLength(1)
})

it('a pool without a creation transaction is a fault if it has orders, and is ignored otherwise', async () => {
  const without = () =>
    through((url, answer) => {
      if (!url.includes('/pools/')) return answer
      const body = structuredClone(answer.body) as { data: { pools: { poolTrxHash?: string }[] } }
      for (const pool of body.data.pools) delete pool.poolTrxHash
      return { ...answer, body }
    })
  expect(await read(without())).toEqual([])
  await place()
  await expect(read(without())).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'rain' })
})

it('the list of pools is cached for five minutes, and read again after a failure', async () => {
  let requestCount = 0
  let isBroken = true
  const http = through((url, answer) => {
    if (!url.includes('/pools/')) return answer
    requestCount++
    return isBroken ? { ...answer, body: '<html>' } : answer
  })
  await expect(read(http)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  isBroken = false
  await Promise.all([read(http), read(http)])
  await read(http)
  const pages = requestCount - 1
  opened.here.world.clock.advance(300_000)
  await read(http)
  expect(requestCount - 1).toBe(2 * pages)
})

it('is not supported without a node', async () => {
  const { RPC: _, ...urls } = context.urls
  const reading = openOrders.fetch({ ...context, urls }, account)
  await expect(reading).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
})
