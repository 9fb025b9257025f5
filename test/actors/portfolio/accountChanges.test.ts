// Which accounts changed between two reads of a real database.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { AccountChanges } from '#actors/portfolio/accountChanges'
import { executionSuite, idOf } from '#test/support/execution/suite'
import type { ExecutionWorld } from '#test/support/execution/world'

const { pg, worldOf } = executionSuite()

async function fill(world: ExecutionWorld, key: string): Promise<void> {
  const built = await world.build(`b${key}`)
  await world.submit(idOf(built), `s${key}`)
  world.venue.fills.set(built.json.data.unsigned.id, [`f${key}`])
  world.venue.status.set(built.json.data.unsigned.id, 'filled')
  await world.refresh(idOf(built))
}

const enter = (accountId: string): Promise<unknown> =>
  pg.pool.query(
    `INSERT INTO portfolio_imports (account_id, key_id, idempotency_key, body_sha256, kind, venue, ref, currency, cash, at, created_at)
     VALUES ($1, $2, $3, sha256('{}'), 'transfer', 'kalshi', $3, 'USD', 5, now(), now())`,
    [accountId, randomUUID(), randomUUID()],
  )

it('are those with a fill, a completed redemption or an import, each once', async () => {
  const world = await worldOf()
  const mine = world.accountId
  const other = await world.newAccount()
  const accounts = [mine, other]
  const changes = await AccountChanges.start(pg.pool)
  expect(await changes.read(accounts)).toEqual(accounts)
  expect(await changes.read(accounts)).toEqual([])

  await fill(world, '1')
  expect(await changes.read(accounts)).toEqual([mine])
  await enter(other)
  expect(await changes.read(accounts)).toEqual([other])
  await enter(other)
  await fill(world, '2')
  expect(await changes.read(accounts)).toEqual(accounts)

  const redemption = idOf(await world.build('r'))
  await pg.pool.query(`UPDATE executions SET intent = 'redeem', status = 'acked' WHERE id = $1`, [redemption])
  await world.store.move({
    ...{ id: redemption, venue: 'novig', from: 'acked', to: 'filled', event: 'seenFilled', fills: [] },
    at: new Date(),
  })
  expect(await changes.read(accounts)).toEqual([mine])
  expect(await changes.read(accounts)).toEqual([])
})

it('are not those with orders that only changed their status', async () => {
  const world = await worldOf()
  const changes = await AccountChanges.start(pg.pool)
  await changes.read([world.accountId])
  const id = idOf(await world.build('b'))
  await world.submit(id, 's')
  await world.submit(idOf(await world.cancel(id, 'c')), 'sc')
  expect(await changes.read([world.accountId])).toEqual([])
})

it('include one that was not in the previous read, since its changes were skipped', async () => {
  const world = await worldOf()
  const changes = await AccountChanges.start(pg.pool)
  await changes.read([world.accountId])
  await fill(world, '1')
  expect(await changes.read([])).toEqual([])
  expect(await changes.read([world.accountId])).toEqual([world.accountId])
})
