// Rotates an endpoint's secret. A receiver's instances change theirs one after the other: until all have, both sign.
import type { Principal } from '#platform/auth/principal'
import type { WebhookRotated } from '#schemas/webhooks'
import type { WebhooksDeps } from './ports.ts'
import { endpointOf } from './rows.ts'
import { newSecret } from './signature.ts'

/** Further rotations do not shorten earlier secrets' time, so a rotation whose answer was lost breaks no receiver. */
export const secretOverlapMs = 24 * 3_600_000
/** Beyond this the oldest ends early: each is a signature of some 50 bytes in every delivery. */
export const oldSecretsMax = 3

/** Null: no such endpoint of this account. */
export async function rotate(
  { store, box, clock }: WebhooksDeps,
  { accountId, keyId }: Principal,
  id: string,
): Promise<WebhookRotated | null> {
  const secret = newSecret()
  const now = clock.now()
  const until = new Date(now + secretOverlapMs)
  const row = await store.rotateSecret(
    { accountId, keyId, id, at: new Date(now) },
    { secretSealed: box.seal(id, secret), until, oldMax: oldSecretsMax },
  )
  return row && { ...endpointOf(row), secret, previousSecretExpiresAt: until.toISOString() }
}
