import { beforeAll, expect, test } from 'vitest'
import { accountsCreate } from '#cli/accounts'
import { limitsAudit, limitsList, limitsRemove, limitsSet } from '#cli/limits'
import { jsonOf } from '#core/commandOutput'
import { createKey } from '#platform/auth/keys'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const by = 'anna'
beforeAll(() => accountsCreate(postgres.pool, 'limited'))
const cells = (line: string): string[] => line.split(/ {2,}/)

test('an operator sets, replaces, lists and removes limits of an account and of a key, and every change is audited', async () => {
  const { pool } = postgres
  expect(await limitsList(pool)).toEqual(['no limits'])
  expect(await limitsAudit(pool)).toEqual(['no changes'])
  const { keyId } = await createKey(pool, { account: 'acme', plan: 'pro', scopes: ['trade'] })
  expect(await limitsSet(pool, { account: 'acme', kind: 'openNotional', value: ' 500.00 ', by })).toEqual([
    'limited   account acme at all venues',
    'kind      openNotional',
    'value     500 USD',
    'on breach refuse',
    'by        anna',
  ])
  const words = { account: 'acme', key: keyId, venue: 'Kalshi', kind: 'orderRate', by }
  const lines = await limitsSet(pool, { ...words, value: '30', onBreach: 'halt' })
  expect(lines.at(0)).toBe(`limited   key ${keyId} of acme at Kalshi`)
  expect(JSON.parse(jsonOf(lines)[0]!)).toMatchObject({
    account: 'acme',
    keyId,
    venue: 'kalshi',
    value: 30,
    onBreach: 'halt',
  })
  await limitsSet(pool, { account: 'acme', kind: 'openNotional', value: '250', by: 'bert' })
  await accountsCreate(pool, 'other')
  expect(await limitsList(pool, { account: 'other' })).toEqual(['no limits'])
  const rows = (await limitsList(pool, { account: 'acme' })).map(cells)
  expect(rows.map((row) => row.slice(0, 8))).toEqual([
    ['ACCOUNT', 'KEY', 'VENUE', 'KIND', 'VALUE', 'UNIT', 'ON BREACH', 'SET BY'],
    ['acme', 'all', 'all', 'openNotional', '250', 'USD', 'refuse', 'bert'],
    ['acme', keyId, 'kalshi', 'orderRate', '30', 'orders per minute', 'halt', 'anna'],
  ])
  expect(await limitsRemove(pool, words)).toEqual([
    `removed key ${keyId} of acme at Kalshi`,
    'kind    orderRate',
    'by      anna',
  ])
  await expect(limitsRemove(pool, words)).rejects.toThrow('has no limit orderRate')
  expect(await limitsList(pool)).toHaveLength(2)
  const changes = (await limitsAudit(pool, { account: 'acme' })).map(cells)
  expect(changes.slice(1).map((row) => row.slice(1))).toEqual([
    ['remove', 'acme', keyId, 'kalshi', 'orderRate', '30', '-', '-', 'anna'],
    ['set', 'acme', 'all', 'all', 'openNotional', '500', '250', 'refuse', 'bert'],
    ['set', 'acme', keyId, 'kalshi', 'orderRate', '-', '30', 'halt', 'anna'],
    ['set', 'acme', 'all', 'all', 'openNotional', '-', '500', 'refuse', 'anna'],
  ])
  expect(await limitsAudit(pool, { limit: '1' })).toHaveLength(2)
})

test.each([
  ['no account', { account: undefined }],
  ['an unknown account', { account: 'nowhere' }],
  ['an unknown key', { key: '00000000-0000-4000-8000-000000000000' }],
  ['an unknown venue', { venue: 'nowhere' }],
  ['no kind', { kind: undefined }],
  ['an unknown kind', { kind: 'leverage' }],
  ['no value', { value: undefined }],
  ['a value below zero', { value: '-1' }],
  ['a part of an order', { kind: 'openOrders', value: '0.5' }],
  ['an unknown breach', { onBreach: 'warn' }],
  ['no name', { by: ' ' }],
])('rejects %s', async (_name, words) => {
  const { pool } = postgres
  const given = { account: 'limited', kind: 'notional', value: '1', by, ...words }
  await expect(limitsSet(pool, given as Parameters<typeof limitsSet>[1])).rejects.toThrow()
  expect(await limitsList(pool, { account: 'limited' })).toEqual(['no limits'])
})

test.each(['0', '1.5', '1001', 'x'])('rejects an audit of %s changes', async (limit) => {
  await expect(limitsAudit(postgres.pool, { limit })).rejects.toThrow('limit must be a whole number')
})
