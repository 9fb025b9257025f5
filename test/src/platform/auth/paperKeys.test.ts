import { expect, it } from 'vitest'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createKey, listKeys, looksLikeKey, rotateKey } from '#platform/auth/keys'
import { createPostgresKeyVerifier } from '#platform/auth/postgresVerifier'
import { isPaper } from '#platform/auth/principal'
import { isPaperAccount } from '#schemas/paper'
import { findPaperAccount } from '#storage/postgres/paper/accounts'
import { markAsLab } from '#storage/postgres/settings'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const wanted = { account: 'acme', plan: 'pro', scopes: ['read', 'trade'] } as const

it('belongs to the one paper account of its live account', async () => {
  const live = await createKey(postgres.pool, wanted)
  const [first, second] = [
    await createKey(postgres.pool, { ...wanted, paper: true }),
    await createKey(postgres.pool, { ...wanted, paper: true }),
  ]
  expect(first.apiKey).toMatch(/^xb_paper_[0-9A-Za-z]{43}$/)
  expect(looksLikeKey(first.apiKey)).toBe(true)
  expect(first.accountId).toBe(second.accountId)
  expect([isPaperAccount(live.accountId), isPaperAccount(first.accountId)]).toEqual([false, true])
  expect((await findPaperAccount(postgres.pool, first.accountId))?.live_account_id).toBe(live.accountId)
  expect(first.prefix).toBe(first.apiKey.slice(0, 'xb_paper_'.length + 8))
})

it('makes one paper account when two keys are made at once', async () => {
  const keys = await Promise.all(
    Array.from({ length: 5 }, () => createKey(postgres.pool, { ...wanted, account: 'at once', paper: true })),
  )
  expect(new Set(keys.map(({ accountId }) => accountId)).size).toBe(1)
})

it('is verified as a paper key', async () => {
  const { apiKey } = await createKey(postgres.pool, { ...wanted, paper: true })
  const verification = await createPostgresKeyVerifier(postgres.pool, { clock: systemClock, log: silentLog }).verify(
    apiKey,
  )
  expect(verification).toMatchObject({ kind: 'valid' })
  if (verification.kind === 'valid') expect(isPaper(verification.principal)).toBe(true)
})

it('is replaced by a paper key', async () => {
  const { keyId, accountId } = await createKey(postgres.pool, { ...wanted, paper: true })
  const next = await rotateKey(postgres.pool, keyId)
  expect(next?.apiKey).toMatch(/^xb_paper_/)
  expect(next?.accountId).toBe(accountId)
})

it('is a paper key where lab venues are behind it, and for an account named by its paper name', async () => {
  await markAsLab(postgres.pool)
  const { apiKey, account } = await createKey(postgres.pool, { ...wanted, paper: true })
  expect(apiKey).toMatch(/^xb_paper_/)
  expect((await createKey(postgres.pool, { ...wanted, account })).apiKey).toMatch(/^xb_paper_/)
  expect((await listKeys(postgres.pool, account)).length).toBeGreaterThan(1)
})

it.each(['admin', 'review'] as const)('never has the scope %s', async (scope) => {
  const issued = createKey(postgres.pool, { ...wanted, scopes: ['read', scope], paper: true })
  await expect(issued).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})
