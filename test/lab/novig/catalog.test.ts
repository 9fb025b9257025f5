// The lab's public catalog as in the venue's OpenAPI document (API v3).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'catalog', venues: ['novig'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

async function get(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${lab.novig.urls.REST}/v3/public/catalog${path}`)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const open = () => lab.novig.listing.markets.find(({ key }) => lab.novig.engine.statusOf(key) === 'open')!

test('rows have the required fields of the documentation', async () => {
  const { body } = await get(`/markets/${open().id}`)
  expect(Object.keys(body).sort()).toEqual(
    ['marketId', 'eventId', 'marketType', 'status', 'voids', 'description', 'startsTs', 'fee', 'outcomes'].sort(),
  )
  expect(body.fee).toEqual({ coefficient: '0.03', makerCredit: '0.5', charged: 'WHEN_LIVE' })
  const event = await get(`/events/${body.eventId}`)
  expect(Object.keys(event.body).sort()).toEqual(
    ['eventId', 'sport', 'league', 'status', 'description', 'startsTs'].sort(),
  )
})

test('pages a list by cursor to its end', async () => {
  const all = (await get('/markets?limit=5000')).body.items as { marketId: string }[]
  const found: string[] = []
  let next = ''
  do {
    const { body } = await get(`/markets?limit=30${next === '' ? '' : `&after=${next}`}`)
    found.push(...(body.items as { marketId: string }[]).map(({ marketId }) => marketId))
    next = (body.next as string | undefined) ?? ''
  } while (next !== '')
  expect(found).toEqual(all.map(({ marketId }) => marketId))
  expect(found.length).toBeGreaterThan(30)
})

test('a book has resting orders by outcome, best first, in cents of payout', async () => {
  const market = open()
  const { body } = await get(`/markets/${market.id}/book`)
  const orders = body.orders as Record<string, { price: string; qty: number }[]>
  expect(Object.keys(orders).sort()).toEqual([...market.outcomes].sort())
  for (const outcomeId of market.outcomes) {
    const levels = new Map<number, number>()
    for (const { price, qty } of orders[outcomeId]!)
      levels.set(Number(price) * 1e6, (levels.get(Number(price) * 1e6) ?? 0) + qty / 100)
    expect([...levels].map(([micros, size]) => [Math.round(micros), size])).toEqual(
      lab.novig.book(outcomeId)!.bids.map(([micros, size]) => [micros, size]),
    )
  }
})

test.each([
  ['/markets?limit=0', 400, 'INVALID_REQUEST'],
  ['/markets?limit=5001', 400, 'INVALID_REQUEST'],
  ['/markets/ffffffff-ffff-4fff-afff-ffffffffffff', 404, 'MARKET_NOT_FOUND'],
  ['/markets/ffffffff-ffff-4fff-afff-ffffffffffff/book', 404, 'MARKET_NOT_FOUND'],
])('rejects %s with %i %s', async (path, status, code) => {
  const answer = await get(path)
  expect([answer.status, answer.body.code]).toEqual([status, code])
})
