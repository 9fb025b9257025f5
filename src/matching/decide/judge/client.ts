// Requests to an OpenAI-compatible endpoint: one chat completion with structured output, within its rate limit. An answer that is not a chat
// completion is a failure of the endpoint; one that is, but without a complete text, is the model's.
// https://platform.openai.com/docs/api-reference/chat/create
import { z } from 'zod'
import type { BackoffOptions } from '#core/backoff'
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import { retry } from '#core/retry'
import type { Secret } from '#core/secret'
import type { HostBudget, VenueBudgets } from '#net/hostRateLimiter'
import type { HttpSender, SendOutcome } from '#net/http'
import { AnswerTooComplex } from '#net/jsonScan'
import { checklistSchema } from './checklist.ts'
import { type Complete, type Completion, RequestRefused } from './ports.ts'

export interface JudgeClientOptions {
  /** Base address of the API, without a trailing slash: `https://api.openai.com/v1`. */
  url: string
  model: string
  /** Null: requests are sent without one. */
  key: Secret | null
  sender: HttpSender
  budgets: VenueBudgets
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** For the whole answer; a minute by default. */
  timeoutMs?: number
  backoff?: BackoffOptions
}

const timeoutDefaultMs = 60_000
const backoffDefault: BackoffOptions = { baseMs: 1_000, capMs: 10_000 }
const triesMax = 2
/** A checklist has some 1,500. */
const tokensMax = 4_000

/** What is read of an answer; endpoints add much else. */
const ChatCompletion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .length(1),
})

export function createJudgeClient(options: JudgeClientOptions): Complete {
  const { url, model, key, sender, budgets, clock, timeoutMs = timeoutDefaultMs, backoff = backoffDefault } = options
  const budget = budgets.of(url)
  const headers = (): Record<string, string> => ({
    accept: 'application/json',
    'content-type': 'application/json',
    ...(key === null ? {} : { authorization: `Bearer ${key.reveal()}` }),
  })
  return ({ system, user }, mayLeave, signal) => {
    const text = JSON.stringify({
      model,
      temperature: 0,
      max_tokens: tokensMax,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'checklist', strict: true, schema: checklistSchema },
      },
    })
    const attempt = async (): Promise<Completion> => {
      await takeTurn(budget, signal)
      if (!(await mayLeave())) throw new RequestRefused()
      const outcome = await sender.send({
        method: 'POST',
        url: `${url}/chat/completions`,
        text,
        headers,
        timeoutMs,
        signal,
      })
      return completionOf(outcome, budget)
    }
    return retry(attempt, {
      clock,
      backoff,
      triesMax,
      signal,
      isRetryable: (error) => error instanceof Fault && error.retryable === true,
    })
  }
}

async function takeTurn(budget: HostBudget, signal: AbortSignal): Promise<void> {
  try {
    await budget.take({ signal })
  } catch (cause) {
    throw cause instanceof Fault ? cause : failure('no request was sent', { cause })
  }
}

function completionOf(outcome: SendOutcome, budget: HostBudget): Completion {
  if (outcome.kind !== 'answered')
    throw failure(isTooLarge(outcome.cause) ? 'its answer is too large' : 'no answer', {
      cause: outcome.cause,
      retryable: !isTooLarge(outcome.cause),
    })
  const { status, text, headers } = outcome
  if (status === 429) {
    const retryAfterSeconds = budget.rest(headers['retry-after'])
    throw failure('it limits our requests', { retryAfterSeconds })
  }
  // Redirects are not followed: the key is for the configured address only.
  if (status !== 200) throw failure(`status ${status}`, { retryable: status === 408 || status >= 500 })
  const parsed = ChatCompletion.safeParse(jsonOf(text))
  if (!parsed.success) throw failure('its answer is not a chat completion')
  const { finish_reason, message } = parsed.data.choices[0]!
  if (typeof message.refusal === 'string' && message.refusal !== '') return { problem: 'the model refused' }
  if (finish_reason !== 'stop') return { problem: 'the answer was cut off' }
  return typeof message.content === 'string' ? { text: message.content } : { problem: 'the answer is empty' }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isTooLarge = (cause: unknown): boolean =>
  cause instanceof AnswerTooComplex ||
  (cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')

/** `detail` is ours: it contains none of the endpoint's text, which may repeat the key. */
const failure = (
  detail: string,
  {
    cause,
    retryAfterSeconds,
    retryable = false,
  }: { cause?: unknown; retryAfterSeconds?: number; retryable?: boolean } = {},
): Fault =>
  new Fault('NETWORK_ERROR', 'the judge is not available', {
    exchange: 'judge',
    detail,
    cause,
    retryable,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
