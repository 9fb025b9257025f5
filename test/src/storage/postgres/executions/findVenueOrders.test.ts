import { expect, it } from 'vitest'
import { findVenueOrders } from '#storage/postgres/executions/findVenueOrders'
import { portfolioSuite } from '#test/support/portfolio/world'

const { pg, worldOf } = portfolioSuite()

async function account() {
  const world = await worldOf()
  const place = async (
    status: string,
    venueRef: string | null,
    change: { of: string } | null = null,
    venue = 'kalshi',
  ) => {
    const intent = change === null ? 'order' : 'modify'
    const id = await world.order({ venue, marketId: 'M', outcomeId: 'M', venueRef, intent })
    await pg.pool.query('UPDATE executions SET status = $2, target_id = $3 WHERE id = $1', [
      id,
      status,
      change?.of ?? null,
    ])
    return id
  }
  const found = async (...venueRefs: string[]) => {
    const rows = await findVenueOrders(pg.pool, { accountId: world.accountId, venue: 'kalshi', venueRefs })
    return rows.map(({ id }) => id).sort()
  }
  return { world, place, found }
}

it('finds the orders that the venue shows, ended or not, and those in flight', async () => {
  const { place, found } = await account()
  const [resting, sent, ended] = [await place('acked', '1'), await place('submitted', null), await place('filled', '2')]
  await place('acked', '3', null, 'gemini')
  expect(await found()).toEqual([resting, sent].sort())
  expect(await found('2', '3')).toEqual([resting, sent, ended].sort())
})

it('finds a replaced order under the modification that has its new id', async () => {
  const { place, found } = await account()
  const replaced = await place('acked', 'old')
  const modification = await place('acked', 'new', { of: replaced })
  expect(await found('new')).toEqual([modification])
  expect(await found('old')).toEqual([replaced])
})

it('finds an order that was modified in place once, as the order', async () => {
  const { place, found } = await account()
  const order = await place('acked', 'same')
  await place('acked', 'same', { of: order })
  expect(await found('same')).toEqual([order])
})

it('names market and outcome by the terms', async () => {
  const { world, place } = await account()
  const id = await place('acked', '1')
  expect(await findVenueOrders(pg.pool, { accountId: world.accountId, venue: 'kalshi', venueRefs: [] })).toMatchObject([
    { id, status: 'acked', venue_ref: '1', market_id: 'M', outcome_id: 'M' },
  ])
})
