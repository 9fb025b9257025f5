// A new endpoint: its URL checked, its secret generated, shown to the caller and stored sealed.
import { Fault } from '#core/fault'
import type { Principal } from '#platform/auth/principal'
import type { WebhookEvent, WebhookWithSecret } from '#schemas/webhooks'
import type { WebhooksDeps } from './ports.ts'
import { endpointOf } from './rows.ts'
import { newSecret } from './signature.ts'
import { Refusal } from './targetUrl.ts'

/** Per account. Every event goes to each of them, so this bounds the work one account causes. */
export const endpointsMax = 20

export async function registerEndpoint(
  { store, guard, box, clock, newId }: WebhooksDeps,
  { accountId, keyId }: Principal,
  { url: text, events }: { url: string; events: readonly WebhookEvent[] },
): Promise<WebhookWithSecret> {
  const url = await guard.admit(text).catch((error: unknown) => {
    throw error instanceof Refusal
      ? new Fault('VALIDATION_ERROR', `url: must be public HTTPS, and this one ${error.message}`)
      : error
  })
  const id = newId()
  const secret = newSecret()
  const row = await store.insertEndpoint(
    {
      id,
      accountId,
      keyId,
      url,
      events: [...new Set(events)],
      secretSealed: box.seal(id, secret),
      createdAt: new Date(clock.now()),
    },
    endpointsMax,
  )
  if (row === null) {
    throw new Fault('VALIDATION_ERROR', `an account has at most ${endpointsMax} webhook endpoints: delete one first`)
  }
  return { ...endpointOf(row), secret }
}
