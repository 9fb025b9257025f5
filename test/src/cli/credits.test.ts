import { expect, test } from 'vitest'
import { accountsCreate, accountsList, accountsShow } from '#cli/accounts'
import { capsClear, capsList, capsSet } from '#cli/caps'
import { creditsGrant, creditsList } from '#cli/credits'
import { createKey } from '#platform/auth/keys'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()

test('creates, shows and lists an account with its keys and credits', async () => {
  const { pool } = postgres
  expect(await accountsList(pool)).toEqual(['no accounts'])
  expect(await accountsCreate(pool, ' acme ')).toEqual(['account acme', expect.stringMatching(/^id {6}[0-9a-f-]{36}$/)])
  await expect(accountsCreate(pool, 'acme')).rejects.toThrow('account acme already exists')
  await expect(accountsCreate(pool, ' ')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await createKey(pool, { account: 'acme', plan: 'free', scopes: ['read'] })
  await createKey(pool, { account: 'acme', plan: 'builder', scopes: ['trade'] })

  const shown = await accountsShow(pool, 'acme')
  expect(shown).toEqual(
    expect.arrayContaining(['keys     2 live of 2', 'credits  1000000', 'leased   0', 'included 1000000 this month']),
  )
  // A second read grants nothing again.
  expect(await accountsShow(pool, 'acme')).toEqual(shown)
  const [head, line] = await accountsList(pool)
  expect(head).toMatch(/^ACCOUNT ID +ACCOUNT +LIVE KEYS +PLANS +CREDITS +CREATED$/)
  expect(line).toMatch(/^[0-9a-f-]{36} +acme +2 +builder,free +1000000 +20\d\d-\d\d-\d\d$/)

  await createKey(pool, { account: 'acme', plan: 'enterprise', scopes: ['read'] })
  expect(await accountsShow(pool, 'acme')).toEqual(expect.arrayContaining(['credits not limited']))
  await expect(accountsShow(pool, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('adds the difference once when a plan is upgraded within the month', async () => {
  const { pool } = postgres
  const credits = async () => (await accountsShow(pool, 'climber')).find((line) => line.startsWith('credits '))
  await createKey(pool, { account: 'climber', plan: 'free', scopes: ['read'] })
  expect(await credits()).toBe('credits  50000')
  await createKey(pool, { account: 'climber', plan: 'builder', scopes: ['read'] })
  expect([await credits(), await credits()]).toEqual(['credits  1000000', 'credits  1000000'])
  const entries = (await creditsList(pool, { account: 'climber' })).slice(1)
  expect(entries.map((line) => line.split(/ {2,}/).slice(3, 5))).toEqual([
    ['included', '+950000'],
    ['included', '+50000'],
  ])
})

test('records grants in the ledger with author and reason, and cannot take more than the balance', async () => {
  const { pool } = postgres
  await accountsCreate(pool, 'granted')
  expect(await creditsList(pool, { account: 'granted' })).toEqual(['no entries'])
  expect(await creditsGrant(pool, { account: 'granted', credits: '500', reason: 'paid', by: 'ann' })).toEqual([
    'account granted',
    'granted 500',
    'balance 500',
    'reason  paid',
    'by      ann',
  ])
  await creditsGrant(pool, { account: 'granted', credits: '-200', reason: 'a mistake', by: 'ben' })
  await expect(creditsGrant(pool, { account: 'granted', credits: '-301', reason: 'x' })).rejects.toThrow(
    'fewer than 301',
  )
  const [head, last, first] = await creditsList(pool, { account: 'granted' })
  expect(head).toMatch(/^ENTRY +ACCOUNT +AT +KIND +CREDITS +BALANCE +WHY$/)
  expect(last).toMatch(/^\d+ +granted +20\S+Z +grant +-200 +300 +a mistake \(ben\)$/)
  expect(first).toMatch(/ grant +\+500 +500 +paid \(ann\)$/)
  expect(await creditsList(pool, { account: 'granted', limit: '1' })).toHaveLength(2)
  for (const words of [
    { account: 'granted', credits: '1.5', reason: 'x' },
    { account: 'granted', credits: '0', reason: 'x' },
    { account: 'granted', credits: '1', reason: ' ' },
    { account: 'granted', credits: '9e12', reason: 'x' },
    { account: 'nobody', credits: '1', reason: 'x' },
  ])
    await expect(creditsGrant(pool, words)).rejects.toMatchObject({ name: 'Fault' })
})

test('the database rejects changes of the ledger', async () => {
  for (const statement of [
    'UPDATE credit_ledger SET credits = credits + 1',
    'DELETE FROM credit_ledger',
    'TRUNCATE credit_ledger',
  ])
    await expect(postgres.pool.query(statement)).rejects.toThrow('append-only')
})

test('sets, lists, changes and clears caps, with the amount reserved today', async () => {
  const { pool } = postgres
  await accountsCreate(pool, 'spender')
  const { keyId, prefix, accountId } = await createKey(pool, { account: 'spender', plan: 'free', scopes: ['trade'] })
  expect(await capsList(pool)).toEqual(['no caps'])
  expect(await capsSet(pool, { account: 'spender', dailyUsd: '1000' })).toEqual([
    'capped    account spender',
    'daily usd 1000',
  ])
  await capsSet(pool, { key: keyId, dailyUsd: '250.50' })
  await pool.query(
    `INSERT INTO spend_reserved (scope_id, day, reserved, cap) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 12.50, 1000)`,
    [accountId],
  )
  const [head, account, key] = await capsList(pool)
  expect(head).toMatch(/^SCOPE +ID +ACCOUNT +KEY BEGINS +DAILY USD +RESERVED TODAY$/)
  expect(account).toMatch(new RegExp(`^account +${accountId} +spender +- +1000 +12.5$`))
  expect(key).toMatch(new RegExp(`^key +${keyId} +spender +${prefix} +250.5 +0$`))
  await capsSet(pool, { account: 'spender', dailyUsd: '5' })
  expect((await capsList(pool, { account: 'spender' }))[1]).toMatch(/ 5 +12.5$/)
  expect(await accountsShow(pool, 'spender')).toEqual(
    expect.arrayContaining(['cap account: 5 USD a day, 12.5 of it reserved today']),
  )
  expect(await capsClear(pool, { key: keyId })).toEqual([`cleared key ${prefix} of spender`])
  await expect(capsClear(pool, { key: keyId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  for (const words of [
    { dailyUsd: '5' },
    { account: 'spender', key: keyId, dailyUsd: '5' },
    { account: 'spender', dailyUsd: '-5' },
    { account: 'spender', dailyUsd: '1e3' },
    { account: 'nobody', dailyUsd: '5' },
    { key: 'nothing', dailyUsd: '5' },
  ])
    await expect(capsSet(pool, words)).rejects.toMatchObject({ name: 'Fault' })
})
