// The route with our journal in PostgreSQL; the venues answer as each test says.
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { Fault } from '#core/fault'
import { Secret } from '#core/secret'
import type { HoldingsVenue } from '#portfolio/reconciliation/index'
import { kalshiFill, polymarketFill, portfolioSuite } from '#test/support/portfolio/world'
import type { HeldPosition, Holdings } from '#venues/holdings'
import { lanes } from '#venues/registry'

const { pg, worldOf } = portfolioSuite()

const asOf = Date.parse('2026-11-30T11:59:00Z')
const key = 'a secret of the caller'
const credentials = { kalshi: { key } }
const wallet = '0x1111111111111111111111111111111111111111'

const showing = (positions: HeldPosition[], more: Partial<Holdings> = {}): Holdings => ({
  positions,
  isComplete: true,
  balances: [{ currency: 'USD', total: null, available: '12.5' }],
  asOf,
  ...more,
})
const held = (marketId: string | null, outcomeId: string, quantity: string, averageCost: string | null = null) => ({
  marketId,
  outcomeId,
  quantity,
  averageCost,
})

/** Kalshi by credentials and polymarket by wallet, as their lanes read them, with these answers. */
async function worldWith(
  answers: { kalshi?: () => Promise<Holdings>; polymarket?: () => Promise<Holdings> },
  given: unknown[] = [],
) {
  const unexpected = async (): Promise<Holdings> => {
    throw new Error('not requested')
  }
  const kalshi: HoldingsVenue = {
    holdings: {
      source: 'venue_api',
      credentials: z.strictObject({ key: z.string().transform((text) => new Secret(text)) }),
      sides: lanes.kalshi.holdings!.sides!,
      costStep: '0.0001',
    },
    read(_, account, parsed) {
      given.push(account, parsed)
      return (answers.kalshi ?? unexpected)()
    },
  }
  const { read: _, ...rules } = lanes.polymarket.holdings!
  const polymarket: HoldingsVenue = { holdings: rules, read: answers.polymarket ?? unexpected }
  const world = await worldOf({
    holdings: new Map([
      ['kalshi', kalshi],
      ['polymarket', polymarket],
    ]),
  })
  for (const id of ['KXA', 'KXB', 'KXC']) {
    await world.list('kalshi', id, [id, `${id}-NO`], { sourceMetadata: { collateral: 'USD' } })
  }
  await world.list('polymarket', '77', ['7701', '7702'], { sourceMetadata: { collateral: 'pUSD' } })
  return world
}

async function buy(world: Awaited<ReturnType<typeof worldOf>>, marketId: string, count: string, at: string) {
  const order = await world.order({ venue: 'kalshi', marketId, outcomeId: marketId })
  await world.fill(order, marketId, kalshiFill(count, '0.40'), at)
}
const longAgo = '2026-11-03T00:00:00Z'

it('classifies each outcome with its evidence', async () => {
  const world = await worldWith({
    kalshi: async () => showing([held('KXA', 'KXA', '10', '0.4'), held('KXC', 'KXC-NO', '3', '0.25')]),
  })
  await buy(world, 'KXA', '10', longAgo)
  await buy(world, 'KXB', '4', longAgo)
  const { json } = await world.post('reconcile', { credentials })
  expect(json.data).toMatchObject([
    {
      venue: 'kalshi',
      asOf: '2026-11-30T11:59:00.000Z',
      provenance: 'venue_api',
      isComplete: true,
      balances: [{ currency: 'USD', total: null, available: '12.5' }],
      error: null,
    },
  ])
  expect(json.data[0].positions).toMatchObject([
    { outcomeId: 'KXA', class: 'equal', evidence: { reason: 'same', difference: '0' }, import: null },
    { outcomeId: 'KXB', class: 'ghost', evidence: { reason: 'not_at_venue', lastEntryAt: '2026-11-03T00:00:00.000Z' } },
    { outcomeId: 'KXC-NO', class: 'orphan', ours: null, theirs: { quantity: '3', averageCost: '0.25' } },
  ])
})

it('does not offer to enter what the venue has not paid yet: the journal has settled it', async () => {
  const world = await worldWith({ kalshi: async () => showing([held('KXPAID', 'KXPAID', '10', '0.4')]) })
  await buy(world, 'KXPAID', '10', longAgo)
  await world.resolve('kalshi', 'KXPAID', ['KXPAID', 'KXPAID-NO'], [1, 0])
  const { json } = await world.post('reconcile', { credentials })
  expect(json.data[0].positions).toMatchObject([
    { outcomeId: 'KXPAID', class: 'pending', ours: null, evidence: { reason: 'settled' }, import: null },
  ])
})

it('waits two minutes for a venue that still shows what was redeemed; after that it differs, and nothing is offered', async () => {
  const world = await worldWith({
    polymarket: async () => showing([held('r1', 'r1y', '10', '0.4'), held('r2', 'r2y', '10', '0.4')]),
  })
  for (const [marketId, redeemedAt] of [
    ['r1', '2026-11-30T11:58:30Z'],
    ['r2', '2026-11-30T10:00:00Z'],
  ] as const) {
    const order = await world.order({ venue: 'polymarket', marketId, outcomeId: `${marketId}y`, currency: 'pUSD' })
    await world.fill(order, 'a', polymarketFill('10', '0.4'), longAgo)
    await world.resolve('polymarket', marketId, [`${marketId}y`, `${marketId}n`], [1, 0])
    await world.redemption('polymarket', marketId, redeemedAt)
  }
  const { json } = await world.post('reconcile', { accounts: { polymarket: { wallet } } })
  expect(json.data[0].positions).toMatchObject([
    { outcomeId: 'r1y', class: 'pending', ours: null, evidence: { reason: 'settled' }, import: null },
    {
      ...{ outcomeId: 'r2y', class: 'drift', ours: null, theirs: { quantity: '10' }, import: null },
      evidence: { reason: 'quantity', difference: '10', lastEntryAt: '2026-11-30T10:00:00.000Z' },
    },
  ])
})

it('finds the markets of many outcomes that a venue names alone in a few statements', async () => {
  const ids = Array.from({ length: 150 }, (_, i) => `many${i}`)
  const world = await worldWith({ polymarket: async () => showing(ids.map((id) => held(null, `${id}y`, '1'))) })
  for (const id of ids) await world.list('polymarket', id, [`${id}y`, `${id}n`])
  const statements = vi.spyOn(pg.pool, 'query')
  const { json } = await world.post('reconcile', { accounts: { polymarket: { wallet } } })
  expect(json.data[0].positions.map(({ marketId }: { marketId: string }) => marketId).sort()).toEqual(ids.toSorted())
  const lookups = statements.mock.calls.filter(([text]) => String(text).includes('JOIN catalog_outcomes'))
  statements.mockRestore()
  expect(lookups.length).toBeGreaterThan(0)
  expect(lookups.length).toBeLessThan(5)
})

it('enters an orphan once, with the body of the answer; then both sides are equal', async () => {
  const world = await worldWith({ kalshi: async () => showing([held('KXC', 'KXC-NO', '3', '0.25')]) })
  const first = await world.post('reconcile', { credentials })
  const body = first.json.data[0].positions[0].import
  expect(body).toMatchObject({ kind: 'position', venue: 'kalshi', size: '3', cost: '0.75', outcomeId: 'KXC-NO' })
  const entered = await world.post('imports', body, 'one')
  expect(entered.json.data).toMatchObject({ ref: body.ref, size: '3', currency: 'USD' })
  const again = await world.post('imports', body, 'two')
  expect([again.status, again.json.error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  const after = await world.post('reconcile', { credentials })
  expect(after.json.data[0].positions).toMatchObject([{ class: 'equal', import: null }])
})

it('names a venue that does not answer, and serves the others: a failed read is not a flat position', async () => {
  const world = await worldWith({
    kalshi: async () => {
      throw new Fault('NETWORK_ERROR', 'kalshi is unreachable', { detail: 'for the log' })
    },
    polymarket: async () => showing([held(null, '7701', '5')]),
  })
  await buy(world, 'KXA', '10', longAgo)
  const { status, json } = await world.post('reconcile', { credentials, accounts: { polymarket: { wallet } } })
  expect(status).toBe(200)
  const byVenue = Object.fromEntries(json.data.map((part: { venue: string }) => [part.venue, part]))
  expect(byVenue.kalshi).toEqual({
    venue: 'kalshi',
    asOf: null,
    provenance: 'venue_api',
    isComplete: null,
    balances: null,
    positions: null,
    openOrders: null,
    error: { code: 'NETWORK_ERROR', message: 'kalshi is unreachable' },
  })
  expect(byVenue.polymarket.positions).toMatchObject([{ marketId: '77', outcomeId: '7701', class: 'orphan' }])
})

it('finds the market of an outcome that the venue names alone; without one nothing can be entered', async () => {
  const world = await worldWith({ polymarket: async () => showing([held(null, '7702', '1'), held(null, '999', '2')]) })
  const order = await world.order({ venue: 'polymarket', marketId: '77', outcomeId: '7702', outcomeSide: 'NO' })
  await world.fill(order, 'a', polymarketFill('1', '0.4'), longAgo)
  const { json } = await world.post('reconcile', { accounts: { polymarket: [{ wallet }] } })
  expect(json.data[0].positions).toMatchObject([
    { marketId: '77', outcomeId: '7702', class: 'equal' },
    { marketId: null, outcomeId: '999', class: 'orphan', import: null },
  ])
})

it('does not take a position of an ended market, or of an incomplete list, for a ghost', async () => {
  const world = await worldWith({ kalshi: async () => showing([]) })
  await world.list('kalshi', 'KXEND', ['KXEND', 'KXEND-NO'], { status: 'closed' })
  await buy(world, 'KXEND', '1', longAgo)
  const ended = await world.post('reconcile', { credentials })
  expect(ended.json.data[0].positions).toMatchObject([{ class: 'unproven', evidence: { reason: 'market_ended' } }])
  const partial = await worldWith({ kalshi: async () => showing([], { isComplete: false }) })
  await buy(partial, 'KXA', '1', longAgo)
  const { json } = await partial.post('reconcile', { credentials })
  expect(json.data[0]).toMatchObject({
    isComplete: false,
    positions: [{ class: 'unproven', evidence: { reason: 'list_incomplete' } }],
  })
})

it('compares the orders that rest there with those of the account', async () => {
  const row = { marketId: 'KXA', outcomeId: 'KXA', isBuy: true, price: '0.4', remaining: '5' }
  const orders = ['known', 'unknown'].map((venueRef) => ({ ...row, venueRef }))
  const world = await worldWith({ kalshi: async () => showing([], { openOrders: { orders, isComplete: true } }) })
  const known = await world.order({ venue: 'kalshi', marketId: 'KXA', outcomeId: 'KXA', venueRef: 'known' })
  const { json } = await world.post('reconcile', { credentials })
  expect(json.data[0].openOrders).toMatchObject([
    { orderId: 'known', executionId: known, status: 'filled', side: 'buy', class: 'drift' },
    { orderId: 'unknown', executionId: null, status: null, class: 'orphan', evidence: { reason: 'not_in_journal' } },
  ])
})

it('names what it cannot read, and the accounts that it needs', async () => {
  const world = await worldWith({})
  await buy(world, 'KXA', '10', longAgo)
  const held = await world.post('reconcile', {})
  expect(held.json).toMatchObject({
    data: [],
    unsupported: [],
    accountNeeded: [{ venue: 'kalshi', reason: 'credentials.kalshi are needed' }],
  })
  const named = await world.post('reconcile', { venues: ['novig', 'Polymarket'] })
  expect(named.json).toMatchObject({
    unsupported: [{ venue: 'novig', reason: 'it documents no such list' }],
    accountNeeded: [{ venue: 'polymarket', reason: 'accounts.polymarket is needed' }],
  })
})

it('refuses what it would not use, and never repeats a credential', async () => {
  const given: unknown[] = []
  const world = await worldWith({ kalshi: async () => showing([]) }, given)
  const answers = await Promise.all(
    [
      { credentials: { kalshi: { key, more: key } } },
      { credentials: { kalshi: [{ key }], polymarket: { key } }, accounts: { polymarket: { wallet } } },
      { credentials, venues: ['polymarket'] },
      { credentials: { kalshi: { key }, Kalshi: { key } } },
      { credentials: { nowhere: { key } } },
      { accounts: { polymarket: { wallet: key } } },
      { credentials: { polymarket: { key } } },
      { accounts: { kalshi: { wallet } } },
      { credentials: { polymarket: { key } }, venues: ['polymarket', 'kalshi'] },
    ].map((body) => world.post('reconcile', body)),
  )
  for (const { status, text } of answers) {
    expect([status, text]).toEqual([400, expect.stringContaining('VALIDATION_ERROR')])
    expect(text).not.toContain(key)
  }
  const dark = await world.post('reconcile', { credentials: { smarkets: { key } } })
  expect([dark.status, dark.json.error.code]).toEqual([404, 'EXCHANGE_NOT_AVAILABLE'])
  expect(given).toEqual([])
  const { status, text } = await world.post('reconcile', { credentials })
  expect([status, text.includes(key)]).toEqual([200, false])
  expect(given[0]).toBeNull()
  expect((given[1] as { key: Secret }).key.reveal()).toBe(key)
})
