import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { accountsCreate } from '#cli/accounts'
import { conditionalCancel, conditionalList } from '#cli/conditional'
import { findAccountByName } from '#storage/postgres/accounts/findAccount'
import { openConditionalOrders } from '#test/support/conditional/book'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const operatorNote = { reason: 'its owner called', by: 'anna' }

test('an operator lists conditional orders of all accounts or of one, and cancels those that their owner could cancel', async () => {
  const { pool } = postgres
  expect(await conditionalList(pool)).toEqual(['no conditional orders'])
  await accountsCreate(pool, 'acme')
  const acme = await openConditionalOrders(pool, (await findAccountByName(pool, 'acme'))!.id)
  const other = await openConditionalOrders(pool)
  const venue = 'novig'
  const [one, two, theirs] = [await acme.arm({ venue }), await acme.arm({ venue }), await other.arm({ venue })]
  const ids = async (words?: Parameters<typeof conditionalList>[1]) =>
    (await conditionalList(pool, words)).slice(1).map((line) => line.split(/ {2,}/)[0])
  expect(await ids()).toEqual([theirs.id, two.id, one.id])
  expect(await ids({ account: 'acme' })).toEqual([two.id, one.id])
  const [head, line] = await conditionalList(pool, { account: 'acme', limit: '1' })
  expect(head!.split(/ {2,}/).slice(0, 7)).toEqual(['ID', 'ACCOUNT', 'VENUE', 'MARKET', 'STATUS', 'MODE', 'FIRES WHEN'])
  expect(line!.split(/ {2,}/).slice(1, 7)).toEqual([
    'acme',
    two.venue,
    two.market_id,
    'armed',
    two.fire_mode,
    'mark >= 0.6',
  ])

  expect((await conditionalCancel(pool, one.id, operatorNote))[0]).toBe(`canceled ${one.id}`)
  const { rows } = await pool.query('SELECT evidence FROM conditional_events WHERE conditional_id = $1 ORDER BY id', [
    one.id,
  ])
  expect(rows.at(-1)).toEqual({ evidence: { operator: 'anna', reason: 'its owner called' } })
  // Canceling again is harmless.
  expect((await conditionalCancel(pool, one.id, operatorNote))[0]).toBe(`canceled ${one.id}`)
  expect(await ids({ account: 'acme' })).toEqual([two.id])
  expect(await ids({ account: 'acme', status: 'canceled,expired' })).toEqual([one.id])
  expect(await ids({ account: 'acme', status: 'all', venue: two.venue })).toEqual([two.id, one.id])

  await expect(ids({ venue: 'nope' })).rejects.toMatchObject({ code: 'VENUE_NOT_SUPPORTED' })

  await acme.trigger(two.id)
  await acme.fire(two.id)
  await expect(conditionalCancel(pool, two.id, operatorNote)).rejects.toMatchObject({ code: 'CONDITIONAL_NOT_ARMED' })
  for (const id of [randomUUID(), 'x'])
    await expect(conditionalCancel(pool, id, operatorNote)).rejects.toMatchObject({ code: 'CONDITIONAL_NOT_FOUND' })
  for (const words of [
    { ...operatorNote, reason: 'a\nb' },
    { ...operatorNote, by: ' ' },
  ])
    await expect(conditionalCancel(pool, theirs.id, words)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  for (const words of [{ status: 'gone' }, { limit: '0' }])
    await expect(conditionalList(pool, words)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await expect(conditionalList(pool, { account: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
