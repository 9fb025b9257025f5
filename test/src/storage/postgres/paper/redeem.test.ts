// Redemptions of paper accounts: what they pay, once.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { type AccountWorld, createAccountWorld, fillEvent, no, yes } from '#test/support/paper/accountWorld'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
let here: AccountWorld

beforeEach(async () => {
  here = await createAccountWorld(postgres.pool)
})

async function redemption(status = 'submitted'): Promise<string> {
  const id = randomUUID()
  await postgres.pool.query(
    `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, summary, created_at,
       updated_at)
     VALUES ($1, $2, $2, 'kalshi', 'redeem', $3, 1, '{}', sha256('{}'), '{}', $4, now(), now())`,
    [id, here.accountId, status, JSON.stringify({ outcome: { marketId: yes }, currency: 'USD' })],
  )
  return id
}

const redeem = (executionId: string) => {
  const values = new Map([
    [yes, '1'],
    [no, '0'],
  ])
  const market = { venue: 'kalshi', marketId: yes, values, at: new Date() }
  return here.trading.store.redeem(market, { accountId: here.accountId, executionId })
}

async function hold(outcome: 'YES' | 'NO', size: number): Promise<void> {
  const id = await here.place({ outcome, price: '0.50', size })
  await here.exchange.apply(await here.lease(), [await here.eventsOf(id, [fillEvent('0.5', String(size))])])
}

it('pays every outcome that is held at its payout, and leaves none', async () => {
  await hold('YES', 10)
  await hold('NO', 4)
  const before = Number((await here.account()).balances[0].cash)
  expect(await redeem(await redemption())).toEqual({ kind: 'redeemed', cash: '10' })
  const { balances, positions } = await here.account()
  expect([Number(balances[0].cash), positions]).toEqual([before + 10, []])
})

it('pays once, however often it is repeated', async () => {
  await hold('YES', 10)
  const id = await redemption()
  expect([await redeem(id), await redeem(id)]).toEqual([
    { kind: 'redeemed', cash: '10' },
    { kind: 'redeemed', cash: '10' },
  ])
  expect(await redeem(await redemption())).toEqual({ kind: 'nothing_held' })
})

it('pays nothing for a redemption that was not submitted, or was given up', async () => {
  await hold('YES', 10)
  expect(await redeem(await redemption('failed'))).toEqual({ kind: 'not_submitted' })
  expect((await here.account()).positions).toMatchObject([{ quantity: '10' }])
})
