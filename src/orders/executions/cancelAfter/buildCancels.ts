// Builds the cancels of a dead man's switch that has lapsed. The selection of the orders and each cancel have idempotency keys of the switch:
// repeated after a crash, or by another process, it leads to the same cancels.
import { backoffMs } from '#core/backoff'
import { hashOf } from '#core/canonicalJson'
import { cancelsMax } from '#schemas/batch'
import type { LapsedCancel, LapseResult } from '#schemas/cancelAfter'
import type { CancelAfterRow } from '#storage/postgres/executions/cancelAfter'
import { itemKey, runItems } from '../bulk/runItems.ts'
import { deriveExecution } from '../cancelOrModify.ts'
import type { Caller, ExecutionsDeps } from '../ports.ts'

/** Of a lapse with refusals that may pass. The last one is stored as it is. */
const attemptsMax = 20
const pause = { baseMs: 500, capMs: 60_000 }

export type LapseEnd = 'done' | 'postponed' | 'lost'

/** Throws what the storage throws: the lease ends, and it is tried again. */
export async function buildCancels(
  deps: ExecutionsDeps,
  row: CancelAfterRow,
  options: { signal: AbortSignal },
): Promise<LapseEnd> {
  const { store, clock } = deps
  const lease = { id: row.id, epoch: row.lease_epoch }
  const found: Scoped[] = []
  for (const venue of row.venues ?? [null]) found.push(await cancelScope(deps, row, venue, options))
  // The rest is for another process.
  if (options.signal.aborted) return (await store.postponeLapse(lease, 0)) ? 'postponed' : 'lost'
  if (found.some(({ mayPass }) => mayPass) && row.attempts < attemptsMax) {
    const isOurs = await store.postponeLapse(lease, backoffMs(row.attempts, pause, Math.random))
    return isOurs ? 'postponed' : 'lost'
  }
  const result: LapseResult = {
    orders: found.flatMap(({ orders }) => orders),
    remaining: found.reduce((sum, { remaining }) => sum + remaining, 0),
  }
  const isOurs = await store.finishLapse(lease, { result, at: new Date(clock.now()) })
  return isOurs ? 'done' : 'lost'
}

interface Scoped extends LapseResult {
  /** A refusal was retryable. */
  mayPass: boolean
}

/** Of one venue; null: of all. */
async function cancelScope(
  deps: ExecutionsDeps,
  row: CancelAfterRow,
  venue: string | null,
  { signal }: { signal: AbortSignal },
): Promise<Scoped> {
  const { store, clock, log } = deps
  // No header contains a line break, so no caller's own key equals it.
  const key = `cancel-after\n${row.id}\n${venue ?? ''}`
  const scope = { accountId: row.account_id, venue, marketId: null, conditionals: false }
  const selection = await store.selectCancelAll({
    ...scope,
    key,
    bodySha256: hashOf(row.id, venue),
    most: cancelsMax,
    at: new Date(clock.now()),
  })
  if (selection === null) throw new Error('the key of a dead man’s switch belongs to another request')
  // Cancelling is always allowed.
  const caller: Caller = { accountId: row.account_id, keyId: row.key_id, country: null, isBlocked: false, signal }
  const { answers } = await runItems(
    selection.orders,
    async (order, index) => {
      const body = (row.fields as Readonly<Record<string, unknown>>)[order.venue] ?? {}
      const target = { venue: order.venue, executionId: order.executionId, key: itemKey(key, index), body }
      return { id: (await deriveExecution(deps, caller, 'cancel', target)).row.id }
    },
    { signal, requestId: row.id, log },
  )
  const orders = answers.map(
    (answer, index): LapsedCancel => ({
      ...selection.orders[index]!,
      cancelExecutionId: answer.ok ? answer.id : null,
      error: answer.ok ? null : { code: answer.error.code, message: answer.error.message },
    }),
  )
  const left = await store.countUnselected(scope, selection)
  return { orders, remaining: left.orders, mayPass: answers.some((answer) => !answer.ok && answer.error.retryable) }
}
