// Rate limit of an owner's test and resend requests, and the refusals.
import { Fault } from '#lib/fault'
import type { Wish } from '#storage/postgres/webhooks/wishes'
import type { DeliveryRow, Wished } from './ports.ts'

/** Tests and resends per endpoint, counted from the first of them. */
export const wishesMax = 20
export const wishesWindowMs = 60_000

export const wishOf = (accountId: string, endpointId: string, now: number): Wish => ({
  accountId,
  endpointId,
  at: new Date(now),
  wishesMax,
  windowMs: wishesWindowMs,
})

/** `missing`: what does not exist, in words. Throws the refusal of a request that was not granted. */
export function grantedOf(wished: Wished, missing: string, now: number): DeliveryRow {
  switch (wished.kind) {
    case 'queued':
      return wished.delivery
    case 'missing':
      throw new Fault('WEBHOOK_NOT_FOUND', missing)
    case 'paused':
      throw new Fault('VALIDATION_ERROR', 'the endpoint is paused: resume it first')
    case 'bounded':
      throw new Fault('RATE_LIMITED', `an endpoint can be sent at most ${wishesMax} tests and resends a minute`, {
        retryAfterSeconds: Math.max(1, Math.ceil((wished.until.getTime() - now) / 1000)),
      })
  }
}
