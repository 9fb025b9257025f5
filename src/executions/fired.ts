// Executions as the fire loop of conditional orders meets them: it submits as the account that armed the order, and looks as the reconciler does.
import type { FiredExecutions } from '#conditional/fire'
import type { ExecutionsDeps } from './ports.ts'
import { readFamily } from './readFamily.ts'
import { canBeAsked } from './refresh.ts'
import { submitExecution } from './submit.ts'

export interface FiredOptions {
  /** The deployment serves nobody there. */
  blocks(country: string): boolean
  /** Ends looks under way; a relay goes on. */
  signal: AbortSignal
}

export function createFiredExecutions(deps: ExecutionsDeps, { blocks, signal }: FiredOptions): FiredExecutions {
  return {
    find: (accountId, id) => deps.store.find(accountId, id),
    async submit({ execution, country, key, body, fire }) {
      // Whoever built it.
      const { account_id: accountId, key_id: keyId, venue, id: executionId } = execution
      const caller = { accountId, keyId, country, isBlocked: country !== null && blocks(country), signal }
      const { row } = await submitExecution(deps, caller, {
        venue,
        executionId,
        key,
        body,
        fire: { ...fire, execution },
      })
      return row
    },
    async look(row) {
      const armed = deps.statusLanes?.get(row.venue) ?? deps.lanes.get(row.venue)
      const refresh = armed?.lane.refresh
      if (armed === undefined || refresh?.credentialFree !== true || !canBeAsked(row)) return null
      const caller = { accountId: row.account_id, signal }
      const seen = await readFamily(deps, caller, armed, row, refresh.body.parse({}))
      const reason = seen.observation?.reason
      return { row: seen.row, reason: typeof reason === 'string' ? reason : null }
    },
  }
}
