import { expect, test } from 'vitest'
import { accountsCreate } from '#cli/accounts'
import { halt, halts, resume } from '#cli/halts'
import { findAccountByName } from '#storage/postgres/accounts/findAccount'
import { haltOf, insertHalt } from '#storage/postgres/halts/halts'
import { inTransaction } from '#storage/postgres/pool'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const operatorNote = { reason: 'drill', by: 'anna' }

test('an operator halts an account, a venue or everything, lists halts, and lifts operator halts', async () => {
  const { pool } = postgres
  await accountsCreate(pool, 'acme')
  const { id: accountId } = (await findAccountByName(pool, 'acme'))!
  const stops = async (venue: string) =>
    (await inTransaction(pool, (db) => haltOf(db, accountId, venue)))?.reason ?? null
  expect(await halts(pool)).toEqual(['nothing is halted'])

  expect(await halt(pool, { account: 'acme', venue: 'Kalshi', ...operatorNote })).toEqual([
    'halted account acme at kalshi',
    'reason drill',
    'by     anna',
  ])
  expect([await stops('kalshi'), await stops('novig')]).toEqual(['drill', null])
  expect(await halt(pool, { venue: 'novig', ...operatorNote, reason: 'their matching is down' })).toHaveLength(3)
  expect(await stops('novig')).toBe('their matching is down')
  expect(await halt(pool, { all: true, ...operatorNote })).toHaveLength(3)
  expect(await halt(pool, { all: true, ...operatorNote })).toEqual([
    'all accounts at all venues is already halted: see crossbook halts',
  ])
  expect(await stops('polymarket')).toBe('drill')
  await insertHalt(pool, {
    accountId,
    venue: null,
    setBy: 'account',
    setByName: 'key',
    reason: 'mine',
    at: new Date(0),
  })
  expect((await halts(pool)).map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
    ['ACCOUNT', 'VENUE', 'SET BY'],
    ['acme', 'kalshi', 'operator'],
    ['all', 'novig', 'operator'],
    ['all', 'all', 'operator'],
    ['acme', 'all', 'account'],
  ])

  expect(await resume(pool, { account: 'acme', venue: 'kalshi', ...operatorNote })).toEqual([
    'resumed account acme at kalshi',
    'reason  drill',
    'by      anna',
    'still halted: all accounts at all venues, by an operator',
    'still halted: account acme at all venues, by itself',
  ])
  expect(await resume(pool, { all: true, ...operatorNote })).toEqual([
    'resumed all accounts at all venues',
    'reason  drill',
    'by      anna',
    'still halted: all accounts at novig, by an operator',
  ])
  expect(await resume(pool, { venue: 'novig', ...operatorNote })).toHaveLength(3)
  // An operator cannot lift a halt set by the account itself.
  expect(await resume(pool, { account: 'acme', ...operatorNote })).toEqual([
    'account acme at all venues is not halted by an operator: see crossbook halts',
    'still halted: account acme at all venues, by itself',
  ])
  expect(await stops('kalshi')).toBe('mine')
})

test.each([
  ['nobody', {}],
  ['an account and all', { account: 'acme', all: true }],
  ['an unknown venue', { venue: 'nowhere' }],
  ['an unknown account', { account: 'nobody' }],
  ['no reason', { all: true, reason: ' ' }],
  ['no name', { all: true, by: ' ' }],
])('rejects %s', async (_name, words) => {
  for (const run of [halt, resume]) await expect(run(postgres.pool, { ...operatorNote, ...words })).rejects.toThrow()
})
