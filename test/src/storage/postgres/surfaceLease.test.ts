import { expect, test } from 'vitest'
import { holdSurfaceLease, releaseSurfaceLease } from '#storage/postgres/surfaceLease'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const expire = () => postgres.pool.query("UPDATE surface_lease SET expires_at = now() - interval '1 second'")

test('grants the lease to one of many concurrent callers, and numbers and terms only increase', async () => {
  const { pool } = postgres
  const ids = Array.from({ length: 8 }, (_, i) => `process-${i}`)
  const answers = await Promise.all(ids.map((id) => holdSurfaceLease(pool, id, 0)))
  const granted = answers.flatMap((lease, i) => (lease === null ? [] : [{ id: ids[i]!, lease }]))
  expect(granted).toHaveLength(1)
  const { id, lease: first } = granted[0]!
  expect(first.term).toBe(1)
  // Starts where a single process would start, so a deployment that becomes a cluster does not go back.
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

  // An owner whose lease expired gets a new term, even if nothing else took the lease meanwhile.
  await expire()
  const again = (await holdSurfaceLease(pool, other, taken.seqFrom + 1))!
  expect(again.term).toBe(3)
  expect(again.seqFrom).toBeGreaterThanOrEqual(taken.seqTo)

  await releaseSurfaceLease(pool, other)
  expect(await holdSurfaceLease(pool, id, 0)).toMatchObject({ term: 4 })
})
