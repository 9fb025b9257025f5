// Calls without a network: a backtest answers them without a connection, with values instead of bytes.
import { type Clock, sleep } from './clock.ts'
import { ApiError, type Refusal } from './errors.ts'
import { type AnyParams, factsOf, type OperationName } from './operations.ts'
import { type RetryOptions, retryDelay } from './retry.ts'
import type { CallOptions } from './transport.ts'

export interface LocalRequest {
  name: OperationName
  params: AnyParams
  /** As given by the caller; null: none. Nothing is lost on the way, so that none is made up. */
  key: string | null
}

export interface LocalAnswer {
  status: number
  /** An envelope; the caller gets it as it is. */
  body: object
}

/** May throw what a caller gets as a rejection. */
export type LocalService = (request: LocalRequest) => LocalAnswer | Promise<LocalAnswer>

interface Settings {
  service: LocalService
  clock: Clock
  random: () => number
  retry: RetryOptions
}

/** Retried like a call over HTTP. */
export async function callLocally(
  { service, clock, random, retry }: Settings,
  name: OperationName,
  params: AnyParams,
  { idempotencyKey, signal }: CallOptions,
): Promise<unknown> {
  const isKeyed = factsOf(name).keyed === true
  const request = { name, params, key: (isKeyed ? idempotencyKey : undefined) ?? null }
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    const given = service(request)
    const { status, body } = given instanceof Promise ? await given : given
    if (status < 300) return body
    const key = isKeyed ? (idempotencyKey ?? crypto.randomUUID()) : undefined
    const failure = new ApiError(status, (body as { error: Refusal }).error, key)
    const waitMs = retryDelay(name, failure, attempt, retry, random)
    if (waitMs === null) throw failure
    await sleep(clock, waitMs, signal)
  }
}
