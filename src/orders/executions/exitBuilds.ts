// Executions as brackets use them: the entry that they follow, and the builds of its exits.
import { Fault } from '#core/fault'
import type { Builds, ExitBuild } from '#orders/conditional/index'
import type { JsonObject } from '#schemas/executions'
import { withOrderFields } from '#venues/shared/exec/orderFields'
import { findOwned } from './cancelOrModify.ts'
import { laneOf } from './findLane.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { laneExecutionOf } from './rows.ts'
import { buildTerms, previewTerms, requireTerms } from './termBuilds.ts'

export const createExitBuilds = (deps: ExecutionsDeps): Builds => ({
  async entry(accountId, id) {
    const row = await findOwned(deps, { accountId }, null, id)
    if (row.intent !== 'order')
      throw new Fault('VALIDATION_ERROR', `entryExecutionId: a ${row.intent} is no entry; give an order`)
    return { id, venue: row.venue, status: row.status, terms: requireTerms(laneExecutionOf(row, null).terms) }
  },
  async preview(caller, venue, exit) {
    const { lane } = laneOf(deps, venue, caller.accountId)
    if (lane.submit?.acceptsUntil !== undefined) {
      const why = `an exit would expire before it fires: ${venue} takes an order only for a short time after its build`
      throw new Fault('NOT_SUPPORTED', why, { exchange: lane.slug })
    }
    return previewTerms(deps, caller, venue, bodyOf(deps, caller, venue, exit))
  },
  build: async (caller, venue, key, exit) => buildTerms(deps, caller, venue, key, bodyOf(deps, caller, venue, exit)),
})

const bodyOf = (deps: ExecutionsDeps, { accountId }: Caller, venue: string, { build, size }: ExitBuild): JsonObject =>
  withOrderFields(laneOf(deps, venue, accountId).lane, build, { size })
