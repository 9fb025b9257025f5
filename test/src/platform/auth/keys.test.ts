import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKey, generateKey, hashKey, listKeys, looksLikeKey, revokeKey, rotateKey } from '#platform/auth/keys'
import { inTransaction } from '#storage/postgres/pool'
import { markAsLab } from '#storage/postgres/settings'
import { withPostgres } from '#test/support/postgres'
import { accountsCreate } from '../../../../src/cli/accounts.ts'

const postgres = withPostgres()
const wanted = { account: 'acme', plan: 'pro', scopes: ['read', 'trade'] } as const

describe('the format', () => {
  test('is the prefix and 32 bytes in base62, and different bytes give different keys', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const key = (source: Uint8Array) => generateKey(() => Buffer.from(source))
        expect(key(a)).toMatch(/^xb_live_[0-9A-Za-z]{43}$/)
        expect(looksLikeKey(key(a))).toBe(true)
        expect(key(a) === key(b)).toBe(Buffer.from(a).equals(Buffer.from(b)))
      }),
    )
    expect(generateKey(() => Buffer.alloc(32, 255))).toHaveLength(51)
    expect(generateKey()).not.toBe(generateKey())
  })

  test('is checked before a lookup', () => {
    const key = generateKey()
    for (const wrong of [
      '',
      'xb_live_',
      key.slice(1),
      `${key}0`,
      `${key.slice(0, -1)}-`,
      key.replace('live', 'demo'),
      `${key}\n`,
    ]) {
      expect(looksLikeKey(wrong)).toBe(false)
    }
  })
})

describe('keys of a demo', () => {
  test('are marked as such, once the deployment is a demo, also when rotated; older ones still work', async () => {
    const before = await createKey(postgres.pool, { ...wanted, account: 'lab' })
    expect(before.apiKey).toMatch(/^xb_live_/)
    await inTransaction(postgres.pool, async (db) => {
      await markAsLab(db)
      await markAsLab(db)
      const issued = await createKey(db, { ...wanted, account: 'lab' })
      expect(issued.apiKey).toMatch(/^xb_test_[0-9A-Za-z]{43}$/)
      expect(issued.apiKey).toHaveLength(before.apiKey.length)
      expect(looksLikeKey(issued.apiKey)).toBe(true)
      expect(looksLikeKey(before.apiKey)).toBe(true)
      await db.query(`DELETE FROM settings WHERE name = 'lab'`)
    })
  })
})

describe('keys', () => {
  test('a key is shown once and stored only as its hash', async () => {
    const issued = await createKey(postgres.pool, wanted)
    expect(issued).toMatchObject({
      account: 'acme',
      plan: 'pro',
      scopes: ['read', 'trade'],
      live: true,
      lastUsedDay: null,
    })
    expect(issued.apiKey.startsWith(issued.prefix)).toBe(true)
    const dump = await postgres.pool.query(
      `SELECT string_agg(t, ' ') AS text FROM (
         SELECT to_jsonb(k)::text AS t FROM api_keys k UNION ALL SELECT to_jsonb(a)::text FROM accounts a) rows`,
    )
    const text: string = dump.rows[0].text
    expect(text).not.toContain(issued.apiKey)
    expect(text).not.toContain(issued.apiKey.slice('xb_live_'.length))
    expect(text).toContain(hashKey(issued.apiKey))
    const listed = await listKeys(postgres.pool, 'acme')
    expect(JSON.stringify(listed)).not.toContain(issued.apiKey)
    expect(listed.map((key) => key.keyId)).toEqual([issued.keyId])
  })

  test('keys with one account name belong to one account, however many are created at once', async () => {
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => createKey(postgres.pool, { ...wanted, account: 'many' })),
    )
    expect(new Set(keys.map((key) => key.accountId)).size).toBe(1)
    expect(new Set(keys.map((key) => key.apiKey)).size).toBe(8)
  })

  test('revoking works once; a rotated key passes its rights on and ends now or after the grace period', async () => {
    const first = await createKey(postgres.pool, { ...wanted, account: 'rotating', plan: 'builder', scopes: ['read'] })
    const second = await rotateKey(postgres.pool, first.keyId)
    expect(second).toMatchObject({ accountId: first.accountId, plan: 'builder', scopes: ['read'], live: true })
    expect(second!.apiKey).not.toBe(first.apiKey)
    const third = await rotateKey(postgres.pool, second!.keyId, 3_600)
    expect(
      (await listKeys(postgres.pool, 'rotating')).map((key) => [key.keyId, key.live, key.revokedAt !== null]),
    ).toEqual([
      [first.keyId, false, true],
      [second!.keyId, true, true],
      [third!.keyId, true, false],
    ])
    expect(await revokeKey(postgres.pool, second!.keyId)).toBe(true)
    expect(await revokeKey(postgres.pool, second!.keyId)).toBe(false)
    expect(await revokeKey(postgres.pool, 'no such id')).toBe(false)
    expect(await rotateKey(postgres.pool, first.keyId)).toBeNull()
    expect(await listKeys(postgres.pool, 'rotating')).toHaveLength(3)
  })

  test('a plan or scope that does not exist is refused here and by the table', async () => {
    const create = (more: object) => createKey(postgres.pool, { ...wanted, ...more } as never)
    await expect(create({ plan: 'gold' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(create({ scopes: [] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(create({ account: '' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(create({ scopes: ['owner'] as never })).rejects.toMatchObject({ code: '23514' })
  })

  test.each(['a\u001b[31m', 'a\u0000', 'a\nb', 'a\u009b', '\u202ea'])(
    'an account named %j is refused',
    async (account) => {
      await expect(createKey(postgres.pool, { ...wanted, account })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
      await expect(accountsCreate(postgres.pool, account)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    },
  )
})
