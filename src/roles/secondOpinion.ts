// Connects the LLM judge to its endpoint: one sender and one rate limit, owned and closed here.
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import { Secret } from '#core/secret'
import { createJudge, createJudgeClient, createPostgresJudgeStore, type Judge } from '#matching/decide/judge/index'
import { VenueBudgets } from '#net/hostRateLimiter'
import { createHttpSender } from '#net/httpSender'
import type { Pool } from '#storage/postgres/pool'

/** Requests are sent one after another; this only bounds failures that come at once. */
const rateLimit = { perSecond: 1, restSeconds: 60 }

/** Null: none is configured. */
export function openJudge({
  config: { judge: settings, contactUrl },
  pool,
  clock,
}: {
  config: Pick<Config, 'judge' | 'contactUrl'>
  pool: Pool
  clock: Clock
}): { judge: Judge; close(): Promise<void> } | null {
  if (settings === undefined) return null
  const { url, model, key, dailyBudget } = settings
  const sender = createHttpSender({ contactUrl })
  const complete = createJudgeClient({
    url,
    model,
    key: key === undefined ? null : new Secret(key.reveal()),
    sender,
    budgets: new VenueBudgets('judge', rateLimit, clock),
    clock,
  })
  return {
    judge: createJudge({ complete, store: createPostgresJudgeStore(pool), model, dailyBudget }),
    close: () => sender.close(),
  }
}
