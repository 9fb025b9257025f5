// Which changes of a real database lead to a new read of an account, whichever process wrote them.
import { randomUUID } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { startPortfolioPublisher } from '#actors/portfolio/portfolioPublisher'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createNotifier } from '#storage/postgres/orderChanges/notify'
import { portfolioOf, position, type TestPeer, testPeer } from '#test/src/portfolio/stream/support'
import { executionSuite, idOf } from '#test/support/execution/suite'

/** On a busy machine. */
const patiently = { timeout: 15_000 }

const { pg, worldOf, count } = executionSuite()
const open: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

/** The quantity is the number of fills, redemptions and imports of the account. */
async function serve() {
  const world = await worldOf({ wrap: () => createExecutionStore(pg.pool, createNotifier(pg.pool)) })
  const read = async (id: string) => {
    const quantities = await Promise.all([
      count('execution_fills WHERE account_id = $1', [id]),
      count(`executions WHERE account_id = $1 AND intent = 'redeem' AND status = 'filled'`, [id]),
      count('portfolio_imports WHERE account_id = $1', [id]),
    ])
    return portfolioOf([position('o', String(quantities.reduce((sum, each) => sum + each, 1)))])
  }
  const publisher = startPortfolioPublisher({ pool: pg.pool, reader: { read }, clock: systemClock, log: silentLog })
  open.push(publisher)
  const reader = testPeer(world.accountId)
  publisher.add(reader.peer, 'portfolio')
  await expect.poll(() => reader.received, patiently).toHaveLength(1)
  return { world, reader }
}
const quantityOf = ({ received }: TestPeer): string | undefined => received.at(-1)?.positions[0]?.quantity

it('reports a fill, a completed redemption and an import, each without waiting for the next refresh', async () => {
  const { world, reader } = await serve()
  expect(reader.received).toMatchObject([{ kind: 'snapshot', positions: [{ quantity: '1' }] }])

  const built = await world.build('b')
  await world.submit(idOf(built), 's')
  world.venue.fills.set(built.json.data.unsigned.id, ['f1'])
  world.venue.status.set(built.json.data.unsigned.id, 'filled')
  await world.refresh(idOf(built))
  await expect.poll(() => quantityOf(reader), patiently).toBe('2')

  await pg.pool.query(
    `INSERT INTO portfolio_imports (account_id, key_id, idempotency_key, body_sha256, kind, venue, ref, currency, cash, at, created_at)
     VALUES ($1, $2, 'k', sha256('{}'), 'transfer', 'kalshi', 'r', 'USD', 5, now(), now())`,
    [world.accountId, randomUUID()],
  )
  await expect.poll(() => quantityOf(reader), patiently).toBe('3')

  const redemption = idOf(await world.build('b2'))
  await pg.pool.query(`UPDATE executions SET intent = 'redeem', status = 'acked' WHERE id = $1`, [redemption])
  await world.store.move({
    ...{ id: redemption, venue: 'novig', from: 'acked', to: 'filled', event: 'seenFilled', fills: [] },
    at: new Date(),
  })
  await expect.poll(() => quantityOf(reader), patiently).toBe('4')
  expect(reader.received.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
})
