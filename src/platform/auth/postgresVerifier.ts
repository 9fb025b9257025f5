// The verifier on PostgreSQL, for every process that accepts keys.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { findKeyByHash, findKeyById } from '#storage/postgres/keys/findKey'
import { markKeyUsed } from '#storage/postgres/keys/markKeyUsed'
import { asUnavailable, type Pool } from '#storage/postgres/pool'
import { summaryOf } from './keys.ts'
import type { KeyRechecker, KeyVerifier } from './principal.ts'
import { createKeyVerifier, type VerifierOptions } from './verifier.ts'

export function createPostgresKeyVerifier(
  pool: Pool,
  { clock, log, ...limits }: { clock: Clock; log: Log } & Pick<VerifierOptions, 'cacheMs' | 'invalidMs' | 'outageMs'>,
): KeyVerifier & KeyRechecker {
  const verifier = createKeyVerifier({
    ...limits,
    clock,
    async find(sha256) {
      const row = await asUnavailable('PLATFORM_UNAVAILABLE', findKeyByHash(pool, sha256))
      if (row === null) return null
      const { keyId, accountId, plan, scopes, lastUsedDay, live } = summaryOf(row)
      if (live && lastUsedDay !== new Date(clock.now()).toISOString().slice(0, 10)) {
        // No call waits for this write, and none is refused because it failed.
        markKeyUsed(pool, keyId).catch((error: unknown) =>
          log.warn({ err: error, keyId }, 'the last use of a key was not recorded'),
        )
      }
      return { sha256: row.sha256, principal: { accountId, keyId, plan, scopes }, live }
    },
  })
  return {
    verify: verifier.verify,
    async recheck({ keyId }) {
      try {
        const row = await asUnavailable('PLATFORM_UNAVAILABLE', findKeyById(pool, keyId))
        if (row === null) return { kind: 'invalid' }
        const { accountId, plan, scopes, live } = summaryOf(row)
        return live ? { kind: 'valid', principal: { accountId, keyId, plan, scopes } } : { kind: 'invalid' }
      } catch (cause) {
        return { kind: 'inconclusive', cause }
      }
    },
  }
}
