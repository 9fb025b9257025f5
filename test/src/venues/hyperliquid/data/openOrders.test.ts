import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { sharedFixture } from '#test/support/fixtures'
import { openOrders, orderOf } from '#venues/hyperliquid/data/openOrders'
import type { VenueContext } from '#venues/venueContext'

/** A row of `frontendOpenOrders`, as typed by the client library. */
const row = {
  coin: '#5160',
  side: 'B',
  limitPx: '0.41',
  sz: '120.0',
  oid: 480264497594,
  timestamp: 1_790_000_000_000,
  origSz: '200.0',
  triggerCondition: 'N/A',
  isTrigger: false,
  triggerPx: '0.0',
  children: [],
  isPositionTpsl: false,
  reduceOnly: false,
  orderType: 'Limit',
  tif: 'Gtc',
  cloid: null,
}
const contextOf = (body: unknown) =>
  ({
    venue: 'hyperliquid',
    http: { request: async () => ({ status: 200, headers: {}, body }) },
    clock: new ManualClock(),
    log: silentLog,
    urls: { REST: 'http://localhost' },
    credentials: null,
    signal: new AbortController().signal,
  }) satisfies VenueContext
const read = async (body: unknown) => (await openOrders.fetch(contextOf(body), `0x${'ab'.repeat(20)}`)).orders

describe('a row', () => {
  it('is converted to our schema', () => {
    expect(orderOf(row)).toEqual({
      orderId: '480264497594',
      marketId: '516',
      outcomeId: '#5160',
      side: 'buy',
      orderType: 'limit',
      limitPrice: 0.41,
      originalSize: 200,
      filledSize: 80,
      remainingSize: 120,
      status: 'open',
      createdAtMs: 1_790_000_000_000,
      updatedAtMs: null,
      raw: row,
    })
  })

  it.each([
    [{ side: 'A' }, { side: 'sell' }],
    [{ coin: '#5161' }, { marketId: '516', outcomeId: '#5161' }],
    [{ coin: '#0' }, { marketId: '0', outcomeId: '#0' }],
    [{ orderType: 'Stop Market' }, { orderType: 'other' }],
    [{ orderType: undefined }, { orderType: 'other' }],
    [{ isTrigger: true }, { orderType: 'other' }],
    [{ timestamp: 0 }, { createdAtMs: null }],
  ])('with %j gives %j', (more, expected) => expect(orderOf({ ...row, ...more })).toMatchObject(expected))

  it.each([
    { side: 'X' },
    { sz: 'many' },
    { sz: '1e3' },
    { origSz: '1' },
    { oid: -1 },
    { oid: 'x' },
    { origSz: undefined },
  ])('with %j is null', (more) => expect(orderOf({ ...row, ...more })).toBeNull())
})

describe('a list', () => {
  it('contains only orders on outcomes', async () => {
    const others = ['ETH', '@107', 'PURR/USDC', '+5160', '#'].map((coin) => ({ ...row, coin }))
    expect((await read([...others, row])).map(({ outcomeId }) => outcomeId)).toEqual(['#5160'])
  })

  it('an unreadable order on an outcome is a fault; an unreadable order elsewhere is ignored', async () => {
    await expect(read([row, { ...row, sz: '?' }])).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    await expect(read([row, 'nonsense'])).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(await read([row, { ...row, coin: 'ETH', sz: '?' }])).toHaveLength(1)
  })

  const recorded = sharedFixture('hyperliquid/sdk_cassettes/test_get_open_orders.yaml')
  it.skipIf(recorded === null)('a recorded account that trades only perpetuals has none', async () => {
    const rows = JSON.parse(/string: '(\[.*?\])'/s.exec(readFileSync(recorded!, 'utf8'))![1]!.replaceAll(/\n\s*/g, ' '))
    expect(rows.length).toBeGreaterThan(50)
    expect(await read(rows)).toEqual([])
  })
})
