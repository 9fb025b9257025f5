import { expect, test, vi } from 'vitest'
import { ManualClock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createKey, generateKey, listKeys, revokeKey, rotateKey } from '#platform/auth/keys'
import { createPostgresKeyVerifier } from '#platform/auth/postgresVerifier'
import { createPool } from '#storage/postgres/pool'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()

test('an issued key verifies, records its day of use, and is refused once revoked', async () => {
  const clock = new ManualClock(Date.now())
  const verifier = createPostgresKeyVerifier(postgres.pool, { clock, log: silentLog })
  const { apiKey, keyId, accountId } = await createKey(postgres.pool, {
    account: 'acme',
    plan: 'builder',
    scopes: ['read'],
  })
  expect(await verifier.verify(apiKey)).toEqual({
    kind: 'valid',
    principal: { accountId, keyId, plan: 'builder', scopes: ['read'] },
  })
  await vi.waitFor(async () => {
    expect((await listKeys(postgres.pool, 'acme'))[0]?.lastUsedDay).toBe(new Date().toISOString().slice(0, 10))
  })
  await revokeKey(postgres.pool, keyId)
  clock.advance(10_000)
  expect(await verifier.verify(apiKey)).toEqual({ kind: 'invalid' })
  expect(await verifier.verify(generateKey())).toEqual({ kind: 'invalid' })
})

test('a rotated key works until its grace period is over, the new one from now on', async () => {
  const verifier = createPostgresKeyVerifier(postgres.pool, {
    clock: systemClock,
    log: silentLog,
    cacheMs: 0,
    invalidMs: 0,
  })
  const old = await createKey(postgres.pool, { account: 'rotating', plan: 'pro', scopes: ['read', 'trade'] })
  const next = (await rotateKey(postgres.pool, old.keyId, 600))!
  expect(await verifier.verify(old.apiKey)).toMatchObject({ kind: 'valid', principal: { keyId: old.keyId } })
  expect(await verifier.verify(next.apiKey)).toMatchObject({ kind: 'valid', principal: { keyId: next.keyId } })
  await postgres.pool.query(`UPDATE api_keys SET revoked_at = now() - interval '1 second' WHERE id = $1`, [old.keyId])
  expect(await verifier.verify(old.apiKey)).toEqual({ kind: 'invalid' })
})

test('an unavailable database makes keys inconclusive, not invalid', async () => {
  const nowhere = createPool({ url: 'postgres://u:p@127.0.0.1:1/x', log: silentLog })
  const verifier = createPostgresKeyVerifier(nowhere, { clock: systemClock, log: silentLog })
  expect(await verifier.verify(generateKey())).toMatchObject({
    kind: 'inconclusive',
    cause: { code: 'PLATFORM_UNAVAILABLE' },
  })
  await nowhere.end()
})
