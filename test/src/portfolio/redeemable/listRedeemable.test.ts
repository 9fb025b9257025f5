import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { Fault } from '#core/fault'
import type { HoldingsVenue } from '#portfolio/reconciliation/index'
import { paperAccountIdOf } from '#schemas/paper'
import { nowMs, polymarketFill, portfolioSuite } from '#test/support/portfolio/world'
import type { HeldPosition } from '#venues/holdings'
import { WalletAccount } from '#venues/shared/exec/walletBody'

const { worldOf } = portfolioSuite()
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const holdings = (
  positions: readonly HeldPosition[] | Fault,
  more: Partial<{ isComplete: boolean }> = {},
): HoldingsVenue => ({
  holdings: { source: 'venue_api', account: WalletAccount, costStep: '0.0001' },
  async read(_caller, account) {
    expect(account).toEqual({ wallet })
    if (positions instanceof Fault) throw positions
    return { positions: [...positions], isComplete: true, balances: [], asOf: nowMs - 1_000, ...more }
  },
})

const held = (marketId: string | null, outcomeId: string, quantity: string): HeldPosition => ({
  ...{ marketId, outcomeId, quantity },
  averageCost: null,
})

type World = Awaited<ReturnType<typeof worldOf>>
async function buy(world: World, venue: string, marketId: string, outcomeId: string, shares: string): Promise<void> {
  const order = await world.order({ venue, marketId, outcomeId, currency: 'pUSD' })
  await world.fill(order, 'a', polymarketFill(shares, '0.4'), '2026-11-02T00:00:00Z')
}
const rowsOf = async (world: World, query = '') => {
  const reply = await world.get(`redeemable${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}

it('lists from the journal what pays and is not redeemed', async () => {
  const world = await worldOf()
  for (const [marketId, yes, no] of [
    ['w', 'wy', 'wn'],
    ['l', 'ly', 'ln'],
    ['o', 'oy', 'on'],
    ['d', 'dy', 'dn'],
  ] as const) {
    await buy(world, 'polymarket', marketId, yes, '10')
    if (marketId === 'o') await world.list('polymarket', marketId, [yes, no])
  }
  const facts = { sourceMetadata: { protocol: 'v1', negRisk: false } }
  await world.resolve('polymarket', 'w', ['wy', 'wn'], [0.5, 0.5], facts)
  await world.resolve('polymarket', 'l', ['ly', 'ln'], [0, 1], facts)
  await world.resolve('polymarket', 'd', ['dy', 'dn'], [1, 0], facts)
  await world.redemption('polymarket', 'd', '2026-11-20T00:00:00Z')

  const { data, provenance } = await rowsOf(world)
  expect(data).toMatchObject([
    {
      venue: 'polymarket',
      marketId: 'w',
      outcomeId: 'wy',
      quantity: '10',
      payout: '0.5',
      amount: '5',
      currency: 'pUSD',
      paysItself: false,
      provenance: 'journal',
      build: null,
      obstacle: { reason: 'wallet_unknown' },
    },
  ])
  expect(provenance.source).toBe('journal')
  // No venue was read: the rows are the journal's, and the wallet is that of the query.
  const named = await rowsOf(world, `?wallet=${wallet}`)
  expect(named.data).toMatchObject([{ provenance: 'journal', build: { intent: 'redeem', asset: 'wy', owner: wallet } }])
  expect((await rowsOf(world, '?venue=kalshi')).data).toEqual([])
})

it('does not list what its venue has paid by itself', async () => {
  const world = await worldOf()
  const order = await world.order({ venue: 'kalshi', marketId: 'K', outcomeId: 'KY', currency: 'USD' })
  await world.fill(order, 'a', { count_fp: '10', yes_price_dollars: '0.4', fee_cost: '0' }, '2026-11-02T00:00:00Z')
  await world.resolve('kalshi', 'K', ['KY', 'KN'], [1, 0])
  expect((await rowsOf(world)).data).toEqual([])
})

it('reads no venue for a paper account', async () => {
  const read = () => Promise.reject(new Error('a venue was read'))
  const world = await worldOf({ holdings: new Map([['polymarket', { ...holdings([]), read }]]) })
  world.actAs(paperAccountIdOf(randomUUID()))
  expect(await rowsOf(world, `?wallet=${wallet}`)).toMatchObject({ data: [], unavailable: [], incomplete: [] })
})

it('lists for a wallet what its venues show of it, and names those that do not answer', async () => {
  const world = await worldOf({
    holdings: new Map([
      ['polymarket', holdings([held(null, 'ay', '3'), held(null, 'unknown', '2'), held('b', 'by', '4')])],
      ['limitless', holdings(new Fault('NETWORK_ERROR', 'down'))],
      ['predictfun', holdings([held('p', 'p:1', '7')], { isComplete: false })],
      ['opinion', { ...holdings([]), holdings: { source: 'venue_api', credentials: WalletAccount, costStep: '1' } }],
    ]),
  })
  await buy(world, 'polymarket', 'a', 'ay', '99')
  const metadata = { protocol: 'v1', negRisk: false, collateral: 'pUSD' }
  await world.resolve('polymarket', 'a', ['ay', 'an'], [1, 0], { sourceMetadata: metadata })
  await world.list('polymarket', 'b', ['by', 'bn'])
  await world.resolve('predictfun', 'p', ['p:1', 'p:2'], [1, 0], {
    sourceMetadata: { negRisk: true, collateral: 'USDT' },
  })
  const { data, unavailable, incomplete } = await rowsOf(world, `?wallet=${wallet}`)
  expect(unavailable).toEqual(['accounts:limitless'])
  expect(incomplete).toEqual(['predictfun'])
  expect(data).toMatchObject([
    {
      ...{ venue: 'polymarket', marketId: null, outcomeId: 'unknown', quantity: '2', payout: null, amount: null },
      ...{ build: null, obstacle: { reason: 'market_unknown' } },
    },
    {
      ...{ venue: 'polymarket', marketId: 'a', quantity: '3', amount: '3', currency: 'pUSD', provenance: 'venue_api' },
      ...{ asOf: new Date(nowMs - 1_000).toISOString(), build: { asset: 'ay' } },
    },
    {
      ...{ venue: 'predictfun', marketId: 'p', amount: '7', currency: 'USDT' },
      build: { intent: 'redeem', asset: 'p:1', owner: wallet, amount: '7' },
    },
  ])
  expect((await rowsOf(world, `?wallet=${wallet}&venue=predictfun`)).data).toHaveLength(1)
})

it('has a reason instead of a body where the lane redeems no such market', async () => {
  const world = await worldOf({ holdings: new Map([['limitless', holdings([held('g', 'g:yes', '1')])]]) })
  await world.resolve('limitless', 'g', ['g:yes', 'g:no'], [1, 0], { sourceMetadata: { negRisk: true } })
  expect((await rowsOf(world, `?wallet=${wallet}&venue=limitless`)).data).toMatchObject([
    { amount: '1', build: null, obstacle: { reason: 'not_supported' } },
  ])
})

it('is listed in pages of the same query', async () => {
  const world = await worldOf()
  for (const n of [1, 2, 3]) {
    await buy(world, 'polymarket', `q${n}`, `q${n}y`, '1')
    await world.resolve('polymarket', `q${n}`, [`q${n}y`, `q${n}n`], [1, 0])
  }
  const first = await rowsOf(world, '?limit=2')
  expect(first.data.map(({ marketId }: { marketId: string }) => marketId)).toEqual(['q1', 'q2'])
  const second = await rowsOf(world, `?limit=2&cursor=${first.nextCursor}`)
  expect(second.data.map(({ marketId }: { marketId: string }) => marketId)).toEqual(['q3'])
  expect(second.nextCursor ?? null).toBeNull()
  expect((await world.get(`redeemable?cursor=${first.nextCursor}&venue=polymarket`)).status).toBe(400)
  for (const wrong of ['?wallet=0x12', '?venue=nowhere']) {
    expect((await world.get(`redeemable${wrong}`)).status, wrong).toBe(400)
  }
})

it('reads no books', async () => {
  const world = await worldOf()
  const order = await world.order({ venue: 'kalshi', marketId: 'KX-OPEN', outcomeId: 'KX-OPEN', currency: 'USD' })
  await world.fill(order, 'a', { count_fp: '10', yes_price_dollars: '0.4', fee_cost: '0' }, '2026-11-02T00:00:00Z')
  await world.list('kalshi', 'KX-OPEN', ['KX-OPEN', 'KX-OPEN-NO'])
  expect(await rowsOf(world)).toMatchObject({ data: [], unavailable: [] })
  expect(world.held).toEqual([])
  await world.get('positions')
  expect(world.held).toEqual(['kalshi:KX-OPEN'])
})
