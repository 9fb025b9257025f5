import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { openOrders } from '#venues/myriad/data/openOrders'
import type { VenueContext } from '#venues/venueContext'

const trader = '0xd282B1436BC99A86eC24A164f7BEeed42CFE8511'
/** As in ccxt (MIT), July 2026. */
const row = {
  orderHash: '0x88e5c348bedc7336037bf9a2dc3e074431d386a01a2be07763373c794d28ffc2',
  clientOrderId: null,
  order: {
    trader,
    marketId: 827,
    outcomeId: 0,
    side: 0,
    amount: '1000000000000000000',
    price: '10000000000000000',
    minFillAmount: '0',
    nonce: '1784713298605',
    expiration: '0',
  },
  status: 'open',
  signatureType: 0,
  filledAmount: '0',
  timeInForce: 'GTC',
  createdAt: '2026-07-22T09:41:39.035Z',
  filledAt: null,
}
const hash = (n: number): string => `0x${n.toString(16).padStart(64, '0')}`
const page = (number: number, rows: unknown[], hasNext: boolean) => ({
  data: rows,
  pagination: { page: number, limit: 100, total: 1, totalPages: 1, hasNext, hasPrev: number > 1 },
})

let requests: Record<string, unknown>[]
async function read(answer: (page: number) => unknown) {
  requests = []
  const context: VenueContext = {
    venue: 'myriad',
    http: {
      request: async ({ query }) => {
        requests.push({ ...query })
        return { status: 200, headers: {}, body: answer(Number(query?.page)) }
      },
    },
    clock: new ManualClock(),
    log: silentLog,
    urls: { REST: 'http://localhost' },
    credentials: null,
    signal: new AbortController().signal,
  }
  return (await openOrders.fetch(context, openOrders.accountOf(trader)!)).orders
}

it('converts a recorded row to our schema', async () => {
  expect(await read(() => page(1, [row], false))).toEqual([
    {
      orderId: row.orderHash,
      marketId: '56:ob:827',
      outcomeId: '56:ob:827:0',
      side: 'buy',
      orderType: 'limit',
      limitPrice: 0.01,
      originalSize: 1,
      filledSize: 0,
      remainingSize: 1,
      status: 'open',
      createdAtMs: Date.parse(row.createdAt),
      updatedAtMs: null,
      raw: row,
    },
  ])
  expect(requests).toEqual([{ trader: trader.toLowerCase(), network_id: '56', status: 'open', page: 1, limit: 100 }])
})

it('reports a partial fill, and null when the filled amount is missing', async () => {
  const part = {
    ...row,
    status: 'partially_filled',
    filledAmount: '250000000000000000',
    order: { ...row.order, side: 1, outcomeId: 1 },
  }
  expect((await read(() => page(1, [part], false)))[0]).toMatchObject({
    outcomeId: '56:ob:827:1',
    side: 'sell',
    status: 'partially_filled',
    filledSize: 0.25,
    remainingSize: 0.75,
  })
  const withoutFilled = await read(() => page(1, [{ ...row, filledAmount: null }], false))
  expect(withoutFilled[0]).toMatchObject({ originalSize: 1, filledSize: null, remainingSize: null })
})

it('reads all pages and lists a row once when pages shift', async () => {
  const rows = [1, 2, 3].map((n) => ({ ...row, orderHash: hash(n) }))
  const orders = await read((n) => (n === 1 ? page(1, rows.slice(0, 2), true) : page(2, rows.slice(1), false)))
  expect(orders.map(({ orderId }) => orderId)).toEqual([hash(1), hash(2), hash(3)])
})

it('leaves out orders that have ended meanwhile', async () => {
  for (const status of ['filled', 'cancelled', 'expired'])
    expect(await read(() => page(1, [{ ...row, status }], false))).toEqual([])
})

it.each([
  ['of someone else', { ...row, order: { ...row.order, trader: `0x${'1'.repeat(40)}` } }],
  ['in an unknown state', { ...row, status: 'levitating' }],
  ['without its order', { ...row, order: undefined }],
])('a row %s is a fault', async (_, odd) => {
  await expect(read(() => page(1, [row, odd], false))).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
})

it('an account with more orders than the read limit is a fault, not a truncated list', async () => {
  await expect(read((n) => page(n, [{ ...row, orderHash: hash(n) }], true))).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
  })
  expect(requests).toHaveLength(20)
})
