import { expect, it } from 'vitest'
import { kalshiFill, portfolioSuite } from '#test/support/portfolio/world'

const { worldOf } = portfolioSuite()

const position = {
  kind: 'position',
  venue: 'kalshi',
  ref: 'from the website',
  at: '2026-11-02T10:00:00Z',
  marketId: 'KXIMPORT',
  outcomeId: 'KXIMPORT',
  size: '10',
  cost: '4.10',
}
const transfer = {
  kind: 'transfer',
  venue: 'kalshi',
  ref: 'wire',
  at: '2026-11-01T00:00:00Z',
  currency: 'USD',
  cash: '250',
}

async function listed() {
  const world = await worldOf()
  await world.list('kalshi', 'KXIMPORT', ['KXIMPORT', 'KXIMPORT-NO'], { sourceMetadata: { collateral: 'USD' } })
  return world
}

it('enters a position once: its repetition returns it, and its ref is taken', async () => {
  const world = await listed()
  const first = await world.post('imports', position, 'k1')
  expect(first.json).toMatchObject({
    asOf: '2026-11-30T12:00:00.000Z',
    provenance: { source: 'import' },
    data: { kind: 'position', ref: 'from the website', currency: 'USD', size: '10', cost: '4.1', cash: null },
  })
  const replay = await world.post('imports', position, 'k1')
  expect([replay.json.data, replay.headers['idempotency-replay']]).toEqual([first.json.data, 'true'])
  const reused = await world.post('imports', { ...position, size: '11' }, 'k1')
  expect([reused.status, reused.json.error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  const again = await world.post('imports', position, 'k2')
  expect([again.status, again.json.error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  expect(again.json.error.message).toContain(`as import ${first.json.data.importId}`)

  expect((await world.get('positions')).json.data).toMatchObject([
    { quantity: '10', costBasis: '4.1', currency: 'USD' },
  ])
  expect((await world.get('positions')).json.provenance.entries).toEqual(['import'])
  expect((await world.get('imports')).json.data).toEqual([first.json.data])
})

it('adds transfers and imported positions to the deposits', async () => {
  const world = await listed()
  await world.post('imports', transfer, 'a')
  await world.post('imports', { ...transfer, ref: 'back', cash: '-50' }, 'b')
  await world.post('imports', position, 'c')
  const order = await world.order({ venue: 'kalshi', marketId: 'KXIMPORT', outcomeId: 'KXIMPORT', isBuy: false })
  await world.fill(order, 'a', kalshiFill('4', '0.50'), '2026-11-03T00:00:00Z')
  expect((await world.get('summary')).json.data.byVenue).toMatchObject([
    {
      venue: 'kalshi',
      currency: 'USD',
      deposits: '204.1',
      cashFlow: '202',
      realizedPnl: { known: '0.36', unknown: 0 },
    },
  ])
})

it('undoes an import with one of the opposite sign', async () => {
  const world = await listed()
  await world.post('imports', position, 'a')
  await world.post('imports', { ...position, ref: 'undo', size: '-10', cost: '-4.1' }, 'b')
  expect((await world.get('positions?status=all')).json.data).toEqual([])
  expect((await world.get('summary')).json.data.byVenue).toEqual([])
})

it('reports the PnL of an outcome again once an import of unknown cost is undone', async () => {
  const world = await listed()
  const order = await world.order({ venue: 'kalshi', marketId: 'KXIMPORT', outcomeId: 'KXIMPORT' })
  await world.fill(order, 'a', kalshiFill('10', '0.40'), '2026-11-01T00:00:00Z')
  const sale = await world.order({ venue: 'kalshi', marketId: 'KXIMPORT', outcomeId: 'KXIMPORT', isBuy: false })
  await world.fill(sale, 'a', kalshiFill('4', '0.50'), '2026-11-03T00:00:00Z')
  const before = await world.get('summary')
  const unknown = { ...position, cost: null }
  await world.post('imports', unknown, 'a')
  expect((await world.get('summary')).json.data.byVenue[0].realizedPnl).toEqual({ known: '0', unknown: 1 })
  await world.post('imports', { ...unknown, ref: 'undo', size: '-10' }, 'b')
  expect((await world.get('summary')).json.data).toEqual(before.json.data)
  expect((await world.get('statements/2026-11')).json.data).toMatchObject({
    entries: [
      { kind: 'fill' },
      { kind: 'import', isWithdrawn: true },
      { kind: 'correction', isWithdrawn: false },
      { kind: 'fill' },
    ],
    totals: [{ deposits: { known: '0', unknown: 0 }, realizedPnl: '0.4' }],
  })
})

it('does not take a position entered later for undone, nor one of another time or cost', async () => {
  const world = await listed()
  await world.post('imports', position, 'a')
  for (const [ref, other] of [
    ['time', { at: '2026-11-02T10:00:01Z' }],
    ['cost', { cost: '-4' }],
    ['size', { size: '-9' }],
  ] as const)
    await world.post('imports', { ...position, size: '-10', cost: '-4.1', ref, ...other }, ref)
  const { entries } = (await world.get('statements/2026-11')).json.data
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(['import', 'import', 'import', 'import'])
})

it('counts an import without a cost as unknown', async () => {
  const world = await listed()
  await world.post('imports', { ...position, cost: null }, 'a')
  expect((await world.get('positions')).json.data).toMatchObject([{ quantity: '10', costBasis: null }])
  expect((await world.get('summary')).json.data.byVenue[0].unknown).toContainEqual({
    field: 'deposits',
    reason: 'cost_not_entered',
    count: 1,
  })
})

it('pages what was entered, oldest first', async () => {
  const world = await listed()
  for (const ref of ['1', '2', '3']) await world.post('imports', { ...transfer, ref }, ref)
  const first = await world.get('imports?limit=2')
  const next = await world.get(`imports?limit=2&cursor=${first.json.nextCursor}`)
  expect([...first.json.data, ...next.json.data].map(({ ref }) => ref)).toEqual(['1', '2', '3'])
  expect(next.json.nextCursor).toBeUndefined()
})

it.each([
  ['a market that does not exist', { ...position, marketId: 'KXNONE' }, 404, 'MARKET_NOT_FOUND'],
  ['an outcome of another market', { ...position, outcomeId: 'KXOTHER' }, 404, 'OUTCOME_NOT_FOUND'],
  ['no quantity', { ...position, size: '0' }, 400, 'VALIDATION_ERROR'],
  ['a number', { ...position, size: 10 }, 400, 'VALIDATION_ERROR'],
  ['more digits than the ledger keeps', { ...position, size: `0.${'1'.repeat(19)}` }, 400, 'VALIDATION_ERROR'],
  ['a cost of the other sign', { ...position, cost: '-1' }, 400, 'VALIDATION_ERROR'],
  ['the future', { ...transfer, at: '2027-01-01T00:00:00Z' }, 400, 'VALIDATION_ERROR'],
  ['a time before every venue', { ...transfer, at: '0000-01-01T00:00:00Z' }, 400, 'VALIDATION_ERROR'],
  ['an unknown venue', { ...transfer, venue: 'nowhere' }, 400, 'VALIDATION_ERROR'],
  ['a currency that nothing there is paid in', { ...position, currency: 'ZZZ' }, 400, 'VALIDATION_ERROR'],
  ['a transfer of another venue’s currency', { ...transfer, currency: 'pUSD' }, 400, 'VALIDATION_ERROR'],
  ['a transfer of a market', { ...transfer, marketId: 'KXIMPORT' }, 400, 'VALIDATION_ERROR'],
])('refuses %s', async (_, body, status, code) => {
  const world = await listed()
  const reply = await world.post('imports', body, 'k')
  expect([reply.status, reply.json.error?.code]).toEqual([status, code])
  expect((await world.get('imports')).json.data).toEqual([])
})
