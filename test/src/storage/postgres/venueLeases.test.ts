import { expect, test } from 'vitest'
import { listLeases } from '#schemas/parts'
import { deregisterIngest, holdVenues, registerIngest, releaseVenues } from '#storage/postgres/venueLeases'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const expire = () => postgres.pool.query("UPDATE venue_leases SET expires_at = now() - interval '1 second'")

test('grants each venue to one of many concurrent callers, and epochs only increase', async () => {
  const { pool } = postgres
  const venues = ['gemini', 'kalshi', 'polymarket']
  const ids = Array.from({ length: 8 }, (_, i) => `process-${i}`)
  const answers = await Promise.all(
    ids.map((id, i) => holdVenues(pool, id, i % 2 === 0 ? venues : [...venues].reverse(), [])),
  )
  const held = answers.flatMap((leases, i) => leases.map((lease) => ({ ...lease, id: ids[i]! })))
  expect(held.map(({ venue }) => venue).sort()).toEqual(venues)

  const kalshi = held.find(({ venue }) => venue === 'kalshi')!
  const other = ids.find((id) => id !== kalshi.id)!
  const taken = async (id: string) => (await holdVenues(pool, id, ['kalshi'], []))[0]
  const renewed = async (id: string) => (await holdVenues(pool, id, ['kalshi'], ['kalshi']))[0]
  expect(await renewed(kalshi.id)).toEqual({ venue: 'kalshi', epoch: kalshi.epoch })
  expect(await taken(other)).toBeUndefined()
  await releaseVenues(pool, other, ['kalshi'])
  expect(await taken(other)).toBeUndefined()

  // Expired but not taken: the same owner continues with its epoch.
  await expire()
  expect(await renewed(kalshi.id)).toEqual({ venue: 'kalshi', epoch: kalshi.epoch })
  await expire()
  const second = (await taken(other))!
  expect(second.epoch).toBeGreaterThan(kalshi.epoch)
  expect(await taken(kalshi.id)).toBeUndefined()

  // A release and a new claim by the same process start a new epoch; a server clock that went back changes nothing.
  await releaseVenues(pool, other, ['kalshi'])
  await pool.query('UPDATE venue_leases SET epoch = epoch + 1000000000')
  const third = (await taken(other))!
  expect(third.epoch).toBe(second.epoch + 1_000_000_001)

  // It stopped feeding the venue and could not release it: what it publishes next must not look like a repeat.
  expect((await taken(other))!.epoch).toBeGreaterThan(third.epoch)
})

test('lists live processes until they deregister or expire', async () => {
  const { pool } = postgres
  const a = { id: 'a', venues: ['kalshi', 'gemini'] }
  const b = { id: 'b', venues: ['kalshi'] }
  const c = { id: 'c', venues: [] }
  expect(await registerIngest(pool, a)).toEqual([])
  expect(await registerIngest(pool, b)).toEqual([a])
  expect(await registerIngest(pool, c)).toEqual(expect.arrayContaining([a, b]))
  await deregisterIngest(pool, 'a')
  await pool.query("UPDATE ingest_processes SET expires_at = now() - interval '2 hours' WHERE id = 'b'")
  expect(await registerIngest(pool, c)).toEqual([])
  const { rows } = await pool.query('SELECT id FROM ingest_processes')
  expect(rows).toEqual([{ id: 'c' }])
})

const hold = async (id: string, leases: string[], renewed: string[] = []) =>
  new Map((await holdVenues(postgres.pool, id, leases, renewed)).map(({ venue, epoch }) => [venue, epoch]))
const lapse = async () => {
  await expire()
  await postgres.pool.query("UPDATE venue_divisions SET expires_at = now() - interval '1 second'")
}

test('lets several processes hold parts of a venue, each with its own epoch', async () => {
  const parts = ['rain#1/2', 'rain#2/2']
  const first = await hold('p', ['rain#1/2'])
  const second = await hold('q', parts)
  expect([...first.keys(), ...second.keys()]).toEqual(parts)
  expect(await hold('p', ['rain#1/2'], ['rain#1/2'])).toEqual(first)
  await postgres.pool.query("UPDATE venue_leases SET expires_at = now() - interval '1 second' WHERE venue = 'rain#1/2'")
  const both = await hold('q', parts, ['rain#2/2'])
  expect(both.get('rain#2/2')).toBe(second.get('rain#2/2'))
  expect(both.get('rain#1/2')).toBeGreaterThan(Math.max(...first.values(), ...second.values()))
})

test('grants no lease of another division while one is held, and the next division gets higher epochs than all before', async () => {
  const whole = await hold('p', ['xo'])
  expect(await hold('q', ['xo#1/2', 'xo#2/2', 'limitless'])).toEqual(new Map([['limitless', expect.any(Number)]]))
  await postgres.pool.query("UPDATE venue_leases SET epoch = epoch + 1000000000 WHERE venue = 'xo'")
  await lapse()
  const parts = await hold('q', ['xo#1/2', 'xo#2/2'])
  expect([...parts.keys()]).toEqual(['xo#1/2', 'xo#2/2'])
  for (const epoch of parts.values()) expect(epoch).toBeGreaterThan(whole.get('xo')! + 1_000_000_000)
  for (const other of [['xo'], ['xo#1/3', 'xo#2/3', 'xo#3/3']]) expect(await hold('p', other)).toEqual(new Map())
  await releaseVenues(postgres.pool, 'q', ['xo#1/2'])
  expect(await hold('p', ['xo']), 'the other part is held').toEqual(new Map())
  await releaseVenues(postgres.pool, 'q', ['xo#2/2'])
  await lapse()
  const again = await hold('p', ['xo'])
  for (const epoch of parts.values()) expect(again.get('xo')).toBeGreaterThan(epoch)
})

test('respects a lease renewed by a version that does not know divisions', async () => {
  await hold('old', ['gemini'])
  await postgres.pool.query(
    "UPDATE venue_divisions SET expires_at = now() - interval '1 second' WHERE venue = 'gemini'",
  )
  await postgres.pool.query(
    "UPDATE venue_leases SET holder = 'old', expires_at = now() + interval '1 minute' WHERE venue = 'gemini'",
  )
  expect(await hold('new', ['gemini#1/2', 'gemini#2/2'])).toEqual(new Map())
})

test('lets one division win when many are requested at once, with one holder per part', async () => {
  const wishes = [1, 2, 3].flatMap((count) => Array.from({ length: 4 }, () => listLeases('opinion', count)))
  for (let round = 0; round < 10; round++) {
    const granted = await Promise.all(wishes.map((leases, i) => hold(`${round}-${i}`, leases)))
    const held = granted.flatMap((leases) => [...leases.keys()]).sort()
    expect([1, 2, 3].map((count) => listLeases('opinion', count))).toContainEqual(held)
    await lapse()
  }
})
