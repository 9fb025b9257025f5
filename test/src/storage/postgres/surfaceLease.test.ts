import { expect, test } from 'vitest'
import { holdSurfaceLease, releaseSurfaceLease } from '#storage/postgres/surfaceLease'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const expire = () => postgres.pool.query("UPDATE surface_lease SET expires_at = now() - interval '1 second'")

test('of many that ask at once one has the lease; numbers and terms only rise, whoever holds it', async () => {
  const { pool } = postgres
  const ids = Array.from({ length: 8 }, (_, i) => `process-${i}`)
  const answers = await Promise.all(ids.map((id) => holdSurfaceLease(pool, id, 0)))
  const granted = answers.flatMap((lease, i) => (lease === null ? [] : [{ id: ids[i]!, lease }]))
  expect(granted).toHaveLength(1)
  const { id, lease: first } = granted[0]!
  expect(first.term).toBe(1)
  // Where a single process would begin: a deployment that becomes a cluster does not fall back.
  expect(first.seqFrom).toBeGreaterThan(Date.now() - 60_000)

  const renewed = (await holdSurfaceLease(pool, id, first.seqFrom + 500))!
  expect(renewed.term).toBe(first.term)
  expect(renewed.seqTo).toBeGreaterThan(first.seqFrom + 500)
  expect(renewed.seqTo).toBeGreaterThanOrEqual(first.seqTo)

  const other = ids.find((candidate) => candidate !== id)!
  expect(await holdSurfaceLease(pool, other, 0)).toBeNull()
  await releaseSurfaceLease(pool, other)
  expect(await holdSurfaceLease(pool, other, 0)).toBeNull()
  await expire()
  const taken = (await holdSurfaceLease(pool, other, 0))!
  expect(taken.term).toBe(2)
  expect(taken.seqFrom).toBeGreaterThanOrEqual(renewed.seqTo)
  expect(await holdSurfaceLease(pool, id, renewed.seqTo)).toBeNull()

  // Who lost it by silence comes back under a new term, even where nobody took it meanwhile.
  await expire()
  const again = (await holdSurfaceLease(pool, other, taken.seqFrom + 1))!
  expect(again.term).toBe(3)
  expect(again.seqFrom).toBeGreaterThanOrEqual(taken.seqTo)

  await releaseSurfaceLease(pool, other)
  expect(await holdSurfaceLease(pool, id, 0)).toMatchObject({ term: 4 })
})
