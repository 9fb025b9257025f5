import { expect, test } from 'vitest'
import { holdVenues, leaveIngest, presentIngest, releaseVenues } from '#storage/postgres/venueLeases'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const expire = () => postgres.pool.query("UPDATE venue_leases SET expires_at = now() - interval '1 second'")

test('of many that ask at once each venue has one holder; epochs only rise, whoever holds it', async () => {
  const { pool } = postgres
  const venues = ['gemini', 'kalshi', 'polymarket']
  const ids = Array.from({ length: 8 }, (_, i) => `process-${i}`)
  const answers = await Promise.all(
    ids.map((id, i) => holdVenues(pool, id, i % 2 === 0 ? venues : [...venues].reverse())),
  )
  const held = answers.flatMap((leases, i) => leases.map((lease) => ({ ...lease, id: ids[i]! })))
  expect(held.map(({ venue }) => venue).sort()).toEqual(venues)

  const kalshi = held.find(({ venue }) => venue === 'kalshi')!
  const other = ids.find((id) => id !== kalshi.id)!
  const taken = async (id: string) => (await holdVenues(pool, id, ['kalshi']))[0]
  expect(await taken(kalshi.id)).toEqual({ venue: 'kalshi', epoch: kalshi.epoch })
  expect(await taken(other)).toBeUndefined()
  await releaseVenues(pool, other, ['kalshi'])
  expect(await taken(other)).toBeUndefined()

  // Run out, but nobody took it: the same owner goes on.
  await expire()
  expect(await taken(kalshi.id)).toEqual({ venue: 'kalshi', epoch: kalshi.epoch })
  await expire()
  const second = (await taken(other))!
  expect(second.epoch).toBeGreaterThan(kalshi.epoch)
  expect(await taken(kalshi.id)).toBeUndefined()

  // Given back and taken again by the same process it is another tenure; a server whose clock went back changes nothing.
  await releaseVenues(pool, other, ['kalshi'])
  await pool.query('UPDATE venue_leases SET epoch = epoch + 1000000000')
  const third = (await taken(other))!
  expect(third.epoch).toBe(second.epoch + 1_000_000_001)
})

test('who lives is known to the others until it leaves or says nothing for too long', async () => {
  const { pool } = postgres
  const a = { id: 'a', venues: ['kalshi', 'gemini'] }
  const b = { id: 'b', venues: ['kalshi'] }
  const c = { id: 'c', venues: [] }
  expect(await presentIngest(pool, a)).toEqual([])
  expect(await presentIngest(pool, b)).toEqual([a])
  expect(await presentIngest(pool, c)).toEqual(expect.arrayContaining([a, b]))
  await leaveIngest(pool, 'a')
  await pool.query("UPDATE ingest_processes SET expires_at = now() - interval '2 hours' WHERE id = 'b'")
  expect(await presentIngest(pool, c)).toEqual([])
  const { rows } = await pool.query('SELECT id FROM ingest_processes')
  expect(rows).toEqual([{ id: 'c' }])
})
