// One request to Glide: within its budget, once, with a timeout. Returns a status and a text, interpreted elsewhere.
import { Fault } from '#core/fault'
import type { Secret } from '#core/secret'
import type { VenueBudgets } from '#net/hostRateLimiter'
import type { HttpSender } from '#net/http'
import type { Caller } from '../ports.ts'

export interface GlideOptions {
  /** Without a trailing slash. */
  url: string
  projectId: string
  /** Null: requests are sent without one. */
  apiKey: Secret | null
  sender: HttpSender
  budgets: VenueBudgets
  /** Per response, including the wait in the queue; 10 s by default. */
  timeoutMs?: number
}

export interface GlideAnswer {
  status: number
  text: string
}

export type AskGlide = (path: string, body: object | null, caller: Caller) => Promise<GlideAnswer>

const timeoutDefaultMs = 10_000

export function createGlideClient(options: GlideOptions): AskGlide {
  const { url, projectId, apiKey, sender, budgets, timeoutMs = timeoutDefaultMs } = options
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'x-glide-project-id': projectId,
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey.reveal()}` }),
  }
  const budget = budgets.of(url)
  return async (path, body, { account, signal: left }) => {
    const signal = AbortSignal.any([left, AbortSignal.timeout(timeoutMs)])
    try {
      await budget.take({ signal })
    } catch (cause) {
      throw unavailable({ cause, retryAfterSeconds: cause instanceof Fault ? cause.retryAfterSeconds : undefined })
    }
    const outcome = await sender.send({
      method: body === null ? 'GET' : 'POST',
      url: `${url}${path}`,
      text: body === null ? null : JSON.stringify(body),
      headers,
      timeoutMs,
      signal,
      account,
    })
    if (outcome.kind !== 'answered') {
      if (isTooLarge(outcome.cause)) throw unreadable('its answer is too large')
      throw unavailable({ cause: outcome.cause })
    }
    const { status, text } = outcome
    if (status === 429) throw unavailable({ retryAfterSeconds: budget.rest(outcome.headers['retry-after']) })
    return { status, text }
  }
}

const isTooLarge = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'

const unavailable = (more: { cause?: unknown; retryAfterSeconds?: number | undefined }): Fault =>
  new Fault('BRIDGE_PROVIDER_UNAVAILABLE', 'the bridge’s provider does not answer right now: try again shortly', {
    cause: more.cause,
    ...(more.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: more.retryAfterSeconds }),
  })

/** `detail` is ours: it contains none of the provider's text. */
export const unreadable = (detail: string): Fault =>
  new Fault('BRIDGE_UPSTREAM', 'the bridge’s provider sent an unreadable answer', { detail })
