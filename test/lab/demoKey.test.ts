import { expect, it } from 'vitest'
import { createKey, generateKey, listKeys, revokeKey, rotateKey } from '#platform/auth/keys'
import { withPostgres } from '#test/support/postgres'
import { demoKey } from '../../lab/demoKey.ts'

const postgres = withPostgres()
const rights = { account: 'demo', plan: 'enterprise', scopes: ['read', 'trade', 'review', 'admin'] } as const

it('is the key printed before the crash, without creating another one', async () => {
  const first = await demoKey(postgres.pool, null)
  const keys = await listKeys(postgres.pool, 'demo')
  expect(await demoKey(postgres.pool, first)).toBe(first)
  expect(await listKeys(postgres.pool, 'demo')).toEqual(keys)
})

it('is a new key with all scopes if the previous one is unknown, malformed, revoked, rotated or has fewer scopes', async () => {
  const revoked = await createKey(postgres.pool, rights)
  await revokeKey(postgres.pool, revoked.keyId)
  const rotated = await createKey(postgres.pool, rights)
  await rotateKey(postgres.pool, rotated.keyId, 3_600)
  const reading = await createKey(postgres.pool, { ...rights, scopes: ['read'] })
  const slow = await createKey(postgres.pool, { ...rights, plan: 'free' })
  const foreign = await createKey(postgres.pool, { ...rights, account: 'acme' })
  const keys = [revoked, rotated, reading, slow, foreign].map(({ apiKey }) => apiKey)
  for (const last of [...keys, generateKey(), 'xb_test_', '']) {
    const issued = await demoKey(postgres.pool, last)
    expect(issued).not.toBe(last)
    const [newest] = (await listKeys(postgres.pool, 'demo')).filter(({ prefix }) => issued.startsWith(prefix))
    expect(newest).toMatchObject({ plan: 'enterprise', live: true })
    expect(newest!.scopes.toSorted()).toEqual(['admin', 'read', 'review', 'trade'])
  }
})
