// Calls without a network: a backtest answers them without a connection, with values instead of bytes.
import { type Clock, sleep } from './clock.ts'
import { ApiError, type Refusal } from './errors.ts'
import { type AnyParams, addressOf, factsOf, type OperationName } from './operations.ts'
import { type RetryOptions, retryDelay } from './retry.ts'
import type { CallOptions } from './transport.ts'

export interface LocalRequest {
  method: string
  /** Path and query. */
  address: string
  key: string | null
  body: unknown
}

export interface LocalAnswer {
  status: number
  /** An envelope; the caller gets it as it is. */
  body: object
}

export type LocalService = (request: LocalRequest) => Promise<LocalAnswer>

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
  const { method, keyed } = factsOf(name)
  const key = keyed === true ? (idempotencyKey ?? crypto.randomUUID()) : null
  const request = { method, address: addressOf(name, params), key, body: params.body }
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    const { status, body } = await service(request)
    if (status < 300) return body
    const failure = new ApiError(status, (body as { error: Refusal }).error, key ?? undefined)
    const waitMs = retryDelay(name, failure, attempt, retry, random)
    if (waitMs === null) throw failure
    await sleep(clock, waitMs, signal)
  }
}
