import { expect, it } from 'vitest'
import { kalshiFill, type PortfolioWorld, portfolioSuite } from '#test/support/portfolio/world'

const { worldOf } = portfolioSuite()

const kalshi = { venue: 'kalshi', marketId: 'KXSTATED', outcomeId: 'KXSTATED' }

/** A purchase in October, another on November 2, a sale on November 3, and a transfer. */
async function traded(): Promise<PortfolioWorld> {
  const world = await worldOf()
  const bought = await world.order(kalshi)
  await world.fill(bought, 'a', kalshiFill('10', '0.40'), '2026-10-31T23:59:59.999Z')
  await world.fill(bought, 'b', kalshiFill('10', '0.50', '0.1'), '2026-11-02T10:00:00Z')
  const sold = await world.order({ ...kalshi, isBuy: false })
  await world.fill(sold, 'c', kalshiFill('5', '0.60', '0.2'), '2026-11-03T00:00:00Z')
  const wire = {
    kind: 'transfer',
    venue: 'kalshi',
    ref: 'wire',
    at: '2026-11-01T00:00:00Z',
    currency: 'USD',
    cash: '100',
  }
  await world.post('imports', wire, 'k')
  return world
}

it('states a month: what was held before and after, every entry, and what was added', async () => {
  const world = await traded()
  const { json } = await world.get('statements/2026-11')
  expect(json.data).toMatchObject({
    period: '2026-11',
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-12-01T00:00:00.000Z',
    isComplete: false,
    opening: [{ ...kalshi, quantity: '10', costBasis: '4' }],
    closing: [{ ...kalshi, quantity: '15', costBasis: '6.825', costBasisFifo: '7.1' }],
    totals: [
      {
        ...{ venue: 'kalshi', currency: 'USD', cashFlow: '97.7', realizedPnl: '0.525' },
        deposits: { known: '100', unknown: 0 },
        fees: { known: '0.3', unknown: 0 },
      },
    ],
  })
  expect(json.data.entries).toMatchObject([
    { kind: 'transfer', cash: '100', provenance: 'import', at: '2026-11-01T00:00:00.000Z' },
    { kind: 'fill', side: 'buy', size: '10', cash: '5', fee: '0.1', feeIn: 'cash', isWithdrawn: false },
    { kind: 'fill', side: 'sell', size: '5', cash: '3', fee: '0.2' },
  ])
  expect((await world.get('statements/2026-10')).json.data).toMatchObject({
    isComplete: true,
    opening: [],
    closing: [{ quantity: '10' }],
    totals: [{ cashFlow: '-4', realizedPnl: '0' }],
  })
  expect((await world.get('statements/2026-11-02')).json.data.entries).toHaveLength(1)
})

it('has the statement as CSV, one section after the other', async () => {
  const world = await traded()
  const { text, headers } = await world.get('statements/2026-11-03?format=csv')
  const [header, ...rows] = text.split('\r\n').filter((line) => line !== '')
  expect(header).toMatch(/^section,venue,currency,id,at,kind,/)
  expect(rows.map((row) => row.split(',').slice(0, 3).join())).toEqual([
    'opening,kalshi,USD',
    'entry,kalshi,USD',
    'closing,kalshi,USD',
    'total,kalshi,USD',
  ])
  expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
})

it.each(['2026-13', '2026-02-30', '2026', '2026-12', '2027-01-01'])('refuses the period %s', async (period) => {
  const world = await worldOf()
  const reply = await world.get(`statements/${period}`)
  expect([reply.status, reply.json.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
})

it('adds up each day, and each month', async () => {
  const world = await traded()
  const days = await world.get('history?from=2026-10-01&to=2026-11-30')
  expect(days.json.data).toMatchObject([
    { period: '2026-10-31', realizedPnl: '0', bought: { known: '4', unknown: 0 }, fills: 1 },
    { period: '2026-11-01', deposits: { known: '100', unknown: 0 }, fills: 0 },
    { period: '2026-11-02', fees: { known: '0.1', unknown: 0 }, bought: { known: '5' }, sold: { known: '0' } },
    { period: '2026-11-03', realizedPnl: '0.525', fees: { known: '0.2' }, sold: { known: '3' } },
  ])
  const months = await world.get('history?interval=month&from=2026-10-01')
  expect(months.json.data).toMatchObject([
    { period: '2026-10', fills: 1 },
    { period: '2026-11', realizedPnl: '0.525', fees: { known: '0.3' }, deposits: { known: '100' }, fills: 2 },
  ])
  for (const query of ['from=2026-11-02&to=2026-11-01', 'from=2020-01-01', 'interval=week', 'to=x']) {
    expect((await world.get(`history?${query}`)).status, query).toBe(400)
  }
})

it('lists fills in the same terms, by time', async () => {
  const world = await traded()
  const { json } = await world.get('fills?since=2026-11-01T00:00:00Z&until=2026-11-03T00:00:00Z')
  expect(json.data).toMatchObject([
    { ...kalshi, side: 'buy', size: '10', price: '0.5', cash: '5', fee: '0.1', currency: 'USD', provenance: 'journal' },
  ])
  const first = await world.get('fills?limit=2')
  const next = await world.get(`fills?limit=2&cursor=${first.json.nextCursor}`)
  expect([...first.json.data, ...next.json.data].map(({ size }) => size)).toEqual(['10', '10', '5'])
  expect(next.json.nextCursor).toBeUndefined()
  const csv = await world.get('fills?format=csv&limit=1')
  expect(csv.text).toMatch(
    /^fillId,executionId,[^\n]+\r\n\d+,[0-9a-f-]{36},kalshi,KXSTATED,KXSTATED,buy,10,0\.4,4,0,cash,USD,false,journal,2026-10-31T23:59:59\.999Z\r\n$/,
  )
  expect(csv.headers['x-next-cursor']).toBe((await world.get('fills?limit=1')).json.nextCursor)
})

it('counts the entries whose fee or cost is unknown', async () => {
  const world = await worldOf()
  await world.list('kalshi', 'KXSTATED', ['KXSTATED', 'KXSTATED-NO'])
  const order = await world.order(kalshi)
  await world.fill(order, 'a', kalshiFill('10', '0.40', null), '2026-11-02T00:00:00Z')
  const position = { kind: 'position', ...kalshi, ref: 'r', at: '2026-11-03T00:00:00Z', size: '1', cost: null }
  await world.post('imports', position, 'k')
  const unknown = { fees: { known: '0', unknown: 1 }, deposits: { known: '0', unknown: 1 } }
  expect((await world.get('statements/2026-11')).json.data.totals).toMatchObject([unknown])
  expect((await world.get('history?interval=month')).json.data).toMatchObject([{ ...unknown, realizedPnl: '0' }])
})

it('states what a redemption took and what it paid, though neither is stored', async () => {
  const world = await worldOf()
  const resolutionDate = '2026-11-20T00:00:00.000Z'
  await world.resolve('polymarket', '0xpaid', ['2001', '2002'], [1, 0], { resolutionDate })
  for (const [outcomeId, price] of [
    ['2001', '0.2'],
    ['2002', '0.7'],
  ] as const) {
    const order = await world.order({ venue: 'polymarket', marketId: '0xpaid', outcomeId, currency: 'USDC' })
    await world.fill(order, outcomeId, { size: '5', price, trader_side: 'MAKER' }, '2026-11-04T00:00:00Z')
  }
  await world.redemption('polymarket', '0xpaid', '2026-11-25T00:00:00Z')
  const { entries } = (await world.get('statements/2026-11-25')).json.data
  expect(entries).toMatchObject([{ kind: 'redemption', marketId: '0xpaid', outcomeId: null, size: '10', cash: '5' }])
})
