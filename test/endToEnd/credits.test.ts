// The whole program meters: a new key works, every response reports its charge, and a stopped program leaves nothing unsettled or held.
import { expect, it } from 'vitest'
import { creditsGrant, creditsList } from '#cli/credits'
import { createKey } from '#platform/auth/keys'
import { withEngine } from '#test/support/engine'
import { withPostgres } from '#test/support/postgres'
import { booksOf } from '../src/platform/credits/ledger.ts'

const postgres = withPostgres()
const engine = withEngine({
  env: {
    // Available when the engine starts, which is after the database.
    get DATABASE_URL() {
      return postgres.url
    },
  },
})

const read = async (apiKey: string, path: string) => {
  const response = await fetch(`${engine.served.url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
  const [charged, balance] = ['x-credits-charged', 'x-credits-balance'].map((name) => response.headers.get(name))
  const text = await response.text()
  return { status: response.status, charged, balance, text }
}

it('meters from the first read of a fresh key to the last settlement of the program', async () => {
  const { pool } = postgres
  const { apiKey, accountId } = await createKey(pool, { account: 'fresh', plan: 'free', scopes: ['read'] })
  for (let i = 1; i <= 30; i++) {
    const { status, charged, balance } = await read(apiKey, '/api/kalshi/fetchMarkets?limit=1')
    expect([status, charged, balance]).toEqual([200, '1', String(50_000 - i)])
  }
  expect(await read(apiKey, '/api/kalshi/fetchMarkets?limit=-1')).toMatchObject({ status: 400, charged: '0' })
  await creditsGrant(pool, { account: 'fresh', credits: '100', reason: 'a gift', by: 'ann' })
  const account = JSON.parse((await read(apiKey, '/v1/account')).text)
  expect(account.data).toMatchObject({ name: 'fresh', plan: 'free', credits: { unlimited: false } })
  const usage = JSON.parse((await read(apiKey, '/v1/account/usage')).text)
  expect(usage.data.total).toEqual({ calls: 30, credits: 30 })
  const spent = /^crossbook_credits_spent_total (\d+)$/m.exec((await read(apiKey, '/metrics')).text)?.[1]
  // The engine sends requests with a separate key until the catalog is available.
  expect(Number(spent)).toBeGreaterThanOrEqual(30)

  await engine.crossbook.stop()
  expect(await booksOf(pool, accountId)).toEqual({ balance: 50_070, held: 0, granted: 50_100, usage: 30 })
  const kinds = (await creditsList(pool, { account: 'fresh' })).slice(1).map((line) => line.split(/ {2,}/)[3])
  expect(kinds.filter((kind) => kind === 'included')).toHaveLength(1)
  expect(kinds).toContain('grant')
  expect(kinds).toContain('usage')
})
