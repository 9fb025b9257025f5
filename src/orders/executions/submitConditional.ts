// Executions as the fire loop of conditional orders uses them: it submits as the account that armed the order, and reads status like the
// reconciler.
import type { FireAttempt, FiredExecutions } from '#orders/conditional/submitTriggered'
import { readingLaneOf } from './findLane.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { readOrderChain } from './readOrderChain.ts'
import { isQueryable } from './refresh.ts'
import { type PreparedSubmit, prepareSubmit, submitExecution, takeBack } from './submit.ts'
import { rejectIfBlocked } from './submitChecks.ts'
import type { SubmitRequest } from './submitRequest.ts'

export interface FiredOptions {
  /** Whether the deployment refuses to serve that country. */
  blocks(country: string): boolean
  /** Aborts status reads in progress; relays continue. */
  signal: AbortSignal
}

export function createFiredExecutions(deps: ExecutionsDeps, options: FiredOptions): FiredExecutions {
  const { signal } = options
  return {
    find: (accountId, id) => deps.store.find(accountId, id),
    begin(attempt) {
      const [caller, request] = requested(options, attempt)
      const prepared = prepareAttempt(deps, options, attempt)
      const claim = prepared.then((submit) => submit.claim)
      // A refusal is thrown by `submit`, which may be called later.
      claim.catch(() => undefined)
      return {
        claim,
        submit: async (claimed) => (await submitExecution(deps, caller, request, { prepared, claimed })).row,
        takeBack: async (claimed) => takeBack(deps, caller, await prepared, claimed),
      }
    },
    async look(row) {
      const armed = readingLaneOf(deps, row.venue, row.account_id)
      const refresh = armed?.lane.refresh
      if (armed === undefined || refresh?.credentialFree !== true || !isQueryable(row)) return null
      const caller = { accountId: row.account_id, signal }
      const seen = await readOrderChain(deps, caller, armed, row, refresh.body.parse({}))
      const reason = seen.observation?.reason
      return { row: seen.row, reason: typeof reason === 'string' ? reason : null }
    },
  }
}

/** Everything of an attempt before its claim. Nothing is written or sent. */
export async function prepareAttempt(
  deps: ExecutionsDeps,
  options: FiredOptions,
  attempt: FireAttempt,
): Promise<PreparedSubmit> {
  const [caller, request] = requested(options, attempt)
  await rejectIfBlocked(deps, caller, request)
  return prepareSubmit(deps, caller, request, attempt.execution)
}

function requested({ blocks, signal }: FiredOptions, attempt: FireAttempt): [Caller, SubmitRequest] {
  const { execution, country, key, body, fire, until, triggerMid } = attempt
  // Regardless of which key built it.
  const { account_id: accountId, key_id: keyId, venue, id: executionId } = execution
  return [
    { accountId, keyId, country, isBlocked: country !== null && blocks(country), signal },
    { venue, executionId, key, body, fire: { ...fire, execution, until, triggerMid } },
  ]
}
