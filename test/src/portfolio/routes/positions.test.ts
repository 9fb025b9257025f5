import { expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { kalshiFill, polymarketFill, portfolioSuite } from '#test/support/portfolio/world'

const { worldOf } = portfolioSuite()

const ticker = 'KXTEST-26'
const kalshi = { venue: 'kalshi', marketId: ticker, outcomeId: ticker }
const token = '71321045679252212594626385532706912750332728571942532289631379312455583992563'
const noToken = '52114319501245915516055106046884209969926127482827954674443846427813813222426'
const polymarket = { venue: 'polymarket', marketId: '0xabc', outcomeId: token, currency: 'USDC' }

it('adds up purchases and sales at two venues, and marks them', async () => {
  const world = await worldOf()
  await world.list('kalshi', ticker, [ticker, `${ticker}-NO`])
  await world.list('polymarket', '0xabc', [token, noToken])
  world.book(
    'kalshi',
    ticker,
    [
      [0.44, 10],
      [0.45, 4],
    ],
    [[0.47, 5]],
  )
  const bought = await world.order(kalshi)
  await world.fill(bought, 'a', kalshiFill('10', '0.40', '0.10'), '2026-11-02T00:00:00Z')
  const sold = await world.order({ ...kalshi, isBuy: false })
  await world.fill(sold, 'b', kalshiFill('4', '0.50', '0.05'), '2026-11-03T00:00:00Z')
  const other = await world.order(polymarket)
  await world.fill(other, 'c', polymarketFill('5', '0.2'), '2026-11-04T00:00:00Z')

  const { status, json } = await world.get('positions')
  expect(status).toBe(200)
  expect(json).toMatchObject({
    asOf: '2026-11-30T12:00:00.000Z',
    provenance: { source: 'journal', entries: ['journal'] },
    unavailable: ['books:polymarket'],
    gaps: { unexplained: { total: 0 }, unreadable: { total: 0 }, exchanges: { total: 0 } },
  })
  expect(json.data).toMatchObject([
    {
      ...kalshi,
      currency: 'USD',
      market: `Will ${ticker} happen?`,
      label: 'Yes',
      marketStatus: 'active',
      quantity: '6',
      costBasis: '2.46',
      averageCost: '0.41',
      realizedPnl: '0.31',
      realizedPnlFifo: '0.31',
      fees: '0.15',
      bought: '10',
      sold: '4',
      settlement: null,
      marks: { mid: '0.46', bid: '0.446666667', last: '0.43' },
      value: { mid: '2.76', bid: '2.68', last: '2.58', settlement: null },
      unrealizedPnl: { mid: '0.3', bid: '0.22', last: '0.12' },
      openedAt: '2026-11-02T00:00:00.000Z',
      updatedAt: '2026-11-03T00:00:00.000Z',
    },
    {
      venue: 'polymarket',
      currency: 'USDC',
      quantity: '5',
      costBasis: '1',
      // A maker's fee depends on the builder, which this artifact does not name.
      fees: null,
      marks: { mid: null, bid: null, last: '0.42' },
      value: { mid: null, bid: null, last: '2.1' },
    },
  ])
  expect(world.held).toContain(`kalshi:${ticker}`)
  expect((await world.get('positions?venue=polymarket')).json.data).toHaveLength(1)
  expect((await world.get(`positions?venue=kalshi&marketId=kalshi:${ticker}`)).json.data).toHaveLength(1)
})

it('shows nothing of another account', async () => {
  const world = await worldOf()
  await world.list('kalshi', ticker, [ticker, `${ticker}-NO`])
  const order = await world.order(kalshi)
  await world.fill(order, 'a', kalshiFill('10', '0.40'), '2026-11-02T00:00:00Z')
  world.actAs(await world.newAccount())
  for (const path of ['positions?status=all', 'fills', 'history?from=2026-11-01', 'imports']) {
    expect((await world.get(path)).json.data, path).toEqual([])
  }
  expect((await world.get('summary')).json.data).toEqual({ byVenue: [], byCurrency: [] })
  expect((await world.get('statements/2026-11')).json.data).toMatchObject({ opening: [], entries: [], closing: [] })
})

it('counts a withdrawn fill as if it had never been', async () => {
  const world = await worldOf()
  const order = await world.order(kalshi)
  const fill = await world.fill(order, 'a', kalshiFill('10', '0.40'), '2026-11-02T00:00:00Z')
  await world.fill(order, 'b', kalshiFill('2', '0.30'), '2026-11-03T00:00:00Z')
  const withdrawal = { ...kalshiFill('10', '0.40'), withdrawn: true, withdrawsFillId: fill }
  await world.fill(order, 'a:withdrawn', withdrawal, '2026-11-02T00:00:00Z')
  expect((await world.get('positions')).json.data).toMatchObject([{ quantity: '2', costBasis: '0.6' }])
  expect((await world.get('fills')).json.data).toMatchObject([
    { fillId: fill, isWithdrawn: true },
    { size: '2', isWithdrawn: false },
  ])
})

it('counts a fill once that was stored with an order and with a modification that keeps its id', async () => {
  const world = await worldOf()
  const order = await world.order({ ...kalshi, venueRef: 'one-order' })
  const change = await world.order({ ...kalshi, venueRef: 'one-order', intent: 'modify' })
  await world.fill(order, 'a', kalshiFill('10', '0.40'), '2026-11-02T00:00:00Z')
  const copy = await world.fill(change, 'a', kalshiFill('10', '0.40'), '2026-11-02T00:00:00Z')
  expect((await world.get('positions')).json.data).toMatchObject([{ quantity: '10' }])
  const withdrawal = { ...kalshiFill('10', '0.40'), withdrawn: true, withdrawsFillId: copy }
  await world.fill(change, 'a:withdrawn', withdrawal, '2026-11-02T00:00:00Z')
  expect((await world.get('positions?status=all')).json.data).toEqual([])
})

it('keeps the payout of a resolved market as unclaimed until it is redeemed', async () => {
  const world = await worldOf()
  const resolutionDate = '2026-11-20T00:00:00.000Z'
  await world.resolve('polymarket', '0xdef', ['1001', '1002'], [1, 0], { resolutionDate })
  const order = await world.order({ ...polymarket, marketId: '0xdef', outcomeId: '1001' })
  await world.fill(order, 'a', polymarketFill('5', '0.2'), '2026-11-04T00:00:00Z')
  const open = await world.get('positions')
  expect(open.json.data).toMatchObject([
    {
      quantity: '5',
      realizedPnl: '4',
      settlement: { value: '1', unclaimed: '5', paid: '0', at: resolutionDate, timeSource: 'resolutionDate' },
      marks: { mid: null, bid: null, last: null },
      value: { mid: null, settlement: '5' },
    },
  ])
  expect(open.json.provenance.entries).toEqual(['journal', 'venue_api'])
  expect((await world.get('summary')).json.data.byCurrency).toMatchObject([
    { currency: 'USDC', cashFlow: '-1', unclaimed: '5', realizedPnl: { known: '4', unknown: 0 } },
  ])
  await world.redemption('polymarket', '0xdef', '2026-11-25T00:00:00Z')
  expect((await world.get('positions')).json.data).toEqual([])
  expect((await world.get('positions?status=closed')).json.data).toMatchObject([
    { quantity: '0', realizedPnl: '4', settlement: { unclaimed: '0', paid: '5' } },
  ])
  expect((await world.get('summary')).json.data.byCurrency).toMatchObject([{ cashFlow: '4', unclaimed: '0' }])
})

it('closes a position at a venue that pays by itself, at the time that the venue reports', async () => {
  const world = await worldOf()
  const settlementTime = '2026-11-18T06:00:00.000Z'
  await world.resolve('kalshi', 'KXPAID', ['KXPAID', 'KXPAID-NO'], [0, 1], { sourceMetadata: { settlementTime } })
  const order = await world.order({ venue: 'kalshi', marketId: 'KXPAID', outcomeId: 'KXPAID' })
  await world.fill(order, 'a', kalshiFill('10', '0.40'), '2026-11-02T00:00:00Z')
  expect((await world.get('positions?status=closed')).json.data).toMatchObject([
    {
      quantity: '0',
      realizedPnl: '-4',
      settlement: { value: '0', paid: '0', at: settlementTime, timeSource: 'venue' },
    },
  ])
})

it('does not settle a market whose payout is unknown, and reports it', async () => {
  const world = await worldOf()
  await world.resolve('kalshi', 'KXVOID', ['KXVOID', 'KXVOID-NO'], [null, null])
  const order = await world.order({ venue: 'kalshi', marketId: 'KXVOID', outcomeId: 'KXVOID' })
  await world.fill(order, 'a', kalshiFill('10', '0.40'), '2026-11-02T00:00:00Z')
  expect((await world.get('positions')).json.data).toMatchObject([{ quantity: '10', settlement: null }])
  expect((await world.get('summary')).json.data.byVenue[0].unknown).toContainEqual({
    field: 'value.mid',
    reason: 'payout_unknown',
    count: 1,
  })
})

it('names what is unknown of a fill without a price, and never adds it up', async () => {
  const world = await worldOf()
  await world.list('kalshi', ticker, [ticker, `${ticker}-NO`])
  const order = await world.order(kalshi)
  await world.fill(order, 'a', { count_fp: '3' }, '2026-11-02T00:00:00Z')
  expect((await world.get('positions')).json.data).toMatchObject([
    { quantity: '3', costBasis: null, averageCost: null, unrealizedPnl: { last: null } },
  ])
  const [totals] = (await world.get('summary')).json.data.byVenue
  expect(totals).toMatchObject({
    venue: 'kalshi',
    cashFlow: null,
    fees: { known: '0', unknown: 1 },
    unrealizedPnl: { last: { known: '0', unknown: 1 } },
  })
  expect(totals.unknown).toEqual(
    expect.arrayContaining([
      { field: 'cashFlow', reason: 'amount_not_reported', count: 1 },
      { field: 'unrealizedPnl.last', reason: 'cost_unknown', count: 1 },
      { field: 'value.mid', reason: 'no_live_book', count: 1 },
    ]),
  )
})

it('lists orders that filled further than their fills, and fills that cannot be read', async () => {
  const world = await worldOf()
  const order = await world.order({ ...kalshi, matchedSize: '10' })
  await world.fill(order, 'a', kalshiFill('4', '0.40'), '2026-11-02T00:00:00Z')
  const fill = await world.fill(order, 'b', { other: true }, '2026-11-02T00:00:00Z')
  const { json } = await world.get('positions')
  expect(json.data).toMatchObject([{ quantity: '4' }])
  expect(json.gaps).toEqual({
    unexplained: { total: 1, orders: [{ ...kalshi, executionId: order, size: '6' }] },
    unreadable: {
      total: 1,
      fills: [{ fillId: fill, executionId: order, venue: 'kalshi', reason: 'unreadable' }],
    },
    exchanges: { total: 0, executions: [] },
  })
})

it('lists the whole size of an order that is filled according to its owner, and of which the venue shows nothing', async () => {
  const world = await worldOf()
  const order = await world.order({ ...kalshi })
  const { json } = await world.get('positions')
  expect(json.gaps).toMatchObject({ unexplained: { orders: [{ executionId: order, size: '100' }] } })
  await world.fill(order, 'a', kalshiFill('4', '0.40'), '2026-11-02T00:00:00Z')
  const known = await world.get('positions')
  expect(known.json.gaps).toMatchObject({ unexplained: { total: 0 } })
})

it('pages by venue, market and outcome; a cursor is valid only for its own filter', async () => {
  const world = await worldOf()
  for (const marketId of ['KXA', 'KXB', 'KXC']) {
    const order = await world.order({ venue: 'kalshi', marketId, outcomeId: marketId })
    await world.fill(order, 'a', kalshiFill('1', '0.40'), '2026-11-02T00:00:00Z')
  }
  const first = await world.get('positions?limit=2')
  const next = await world.get(`positions?limit=2&cursor=${first.json.nextCursor}`)
  const ids = [...first.json.data, ...next.json.data].map(({ marketId }) => marketId)
  expect(ids).toEqual(['KXA', 'KXB', 'KXC'])
  expect(next.json.nextCursor).toBeUndefined()
  expect((await world.get(`positions?status=all&cursor=${first.json.nextCursor}`)).status).toBe(400)
})

it('has CSV without formulas and Parquet, with the context in headers', async () => {
  const world = await worldOf()
  await world.list('kalshi', 'KXCSV-26', ['KXCSV-26', 'KXCSV-26-NO'], { title: '=HYPERLINK("x")' })
  const order = await world.order({ venue: 'kalshi', marketId: 'KXCSV-26', outcomeId: 'KXCSV-26' })
  await world.fill(order, 'a', kalshiFill('1', '0.40', '-0.01'), '2026-11-02T00:00:00Z')
  const csv = await world.get('positions?format=csv')
  const [header, row, ...rest] = csv.text.split('\r\n')
  expect(header).toMatch(/^venue,marketId,outcomeId,market,label,/)
  expect(row).toMatch(/^kalshi,KXCSV-26,KXCSV-26,"'=HYPERLINK\(""x""\)",Yes,active,,USD,1,0\.39,/)
  expect(rest).toEqual([''])
  expect(csv.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'x-as-of': '2026-11-30T12:00:00.000Z',
    'x-provenance': 'journal',
    'x-unavailable': 'books:kalshi',
    'x-unexplained-orders': '0',
    'x-unreadable-fills': '0',
    'x-unreadable-exchanges': '0',
  })
  const parquet = await world.get('positions?format=parquet')
  expect(parquet.headers['content-type']).toBe('application/vnd.apache.parquet')
  expect([parquet.text.slice(0, 4), parquet.text.slice(-4)]).toEqual(['PAR1', 'PAR1'])
})

it('serves the rest while the catalog is down, and names it', async () => {
  const down = async (): Promise<never> => {
    throw new Fault('CATALOG_UNAVAILABLE', 'down')
  }
  const world = await worldOf({ wrapCatalog: () => ({ findMarket: down, findMarketsByIds: down }) })
  const order = await world.order(kalshi)
  await world.fill(order, 'a', kalshiFill('10', '0.40'), '2026-11-02T00:00:00Z')
  const { status, json } = await world.get('positions')
  expect([status, json.unavailable]).toEqual([200, ['catalog', 'books:kalshi']])
  expect(json.data).toMatchObject([{ quantity: '10', costBasis: '4', market: null, marks: { last: null } }])
  const summary = await world.get('summary')
  expect(summary.json.data.byVenue[0].unknown).toContainEqual({
    field: 'value.last',
    reason: 'catalog_unavailable',
    count: 1,
  })
  expect((await world.get('fills?venue=kalshi&marketId=KXNONE')).json).toMatchObject({
    data: [],
    unavailable: ['catalog'],
  })
})

it('is an error while the journal cannot be read, never an empty portfolio', async () => {
  const down = async (): Promise<never> => {
    throw new Fault('EXEC_UNAVAILABLE', 'down')
  }
  for (const statement of [
    'findFills',
    'findFilledOrders',
    'findRedemptions',
    'findExchanges',
    'listImports',
    'findMatchedOrders',
  ] as const) {
    const world = await worldOf({ wrapStore: (store) => ({ ...store, [statement]: down }) })
    await world.fill(await world.order(kalshi), 'a', kalshiFill('10', '0.40'), '2026-11-02T00:00:00Z')
    for (const path of ['positions', 'summary', 'fills', 'history', 'statements/2026-11']) {
      const reply = await world.get(path)
      expect([reply.status, reply.json.error?.code], `${statement} ${path}`).toEqual([503, 'EXEC_UNAVAILABLE'])
    }
  }
})

it.each([
  ['positions?venue=nowhere', 400, 'VALIDATION_ERROR'],
  ['positions?venue=smarkets', 404, 'EXCHANGE_NOT_AVAILABLE'],
  ['positions?marketId=KXA', 400, 'VALIDATION_ERROR'],
  ['positions?venue=kalshi&marketId=KXNONE', 404, 'MARKET_NOT_FOUND'],
  ['fills?venue=kalshi&marketId=KXNONE', 404, 'MARKET_NOT_FOUND'],
  ['positions?limit=0', 400, 'VALIDATION_ERROR'],
  ['positions?format=xml', 400, 'VALIDATION_ERROR'],
  ['positions?cursor=abc', 400, 'VALIDATION_ERROR'],
])('refuses %s', async (path, status, code) => {
  const world = await worldOf()
  const reply = await world.get(path)
  expect([reply.status, reply.json.error?.code]).toEqual([status, code])
})
