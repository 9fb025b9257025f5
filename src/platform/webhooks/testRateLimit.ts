// Rate limit of an owner's test and resend requests, and the refusals.
import { Fault } from '#core/fault'
import type { TestRequest } from '#storage/postgres/webhooks/testRateLimit'
import type { DeliveryRow, TestRequestResult } from './ports.ts'

/** Tests and resends per endpoint, counted from the first of them. */
export const testRequestsMax = 20
export const testRequestWindowMs = 60_000

export const testRequest = (accountId: string, endpointId: string, now: number): TestRequest => ({
  accountId,
  endpointId,
  at: new Date(now),
  requestsMax: testRequestsMax,
  windowMs: testRequestWindowMs,
})

/** `missing`: what does not exist, in words. Throws the refusal of a request that was not granted. */
export function grantedOf(wished: TestRequestResult, missing: string, now: number): DeliveryRow {
  switch (wished.kind) {
    case 'queued':
      return wished.delivery
    case 'missing':
      throw new Fault('WEBHOOK_NOT_FOUND', missing)
    case 'paused':
      throw new Fault('VALIDATION_ERROR', 'the endpoint is paused: resume it first')
    case 'bounded':
      throw new Fault('RATE_LIMITED', `an endpoint can be sent at most ${testRequestsMax} tests and resends a minute`, {
        retryAfterSeconds: Math.max(1, Math.ceil((wished.until.getTime() - now) / 1000)),
      })
  }
}
