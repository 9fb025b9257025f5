// Executions as brackets use them: the entry that they follow, and the builds of its exits.
import { Fault } from '#core/fault'
import type { Builds, ExitBuild } from '#orders/conditional/index'
import type { JsonObject } from '#schemas/executions'
import type { OrderTerms } from '#venues/lane'
import { withOrderFields } from '#venues/shared/exec/orderFields'
import { buildOrder } from './build.ts'
import { findOwned } from './cancelOrModify.ts'
import { laneOf } from './findLane.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { laneExecutionOf } from './rows.ts'

export const createExitBuilds = (deps: ExecutionsDeps): Builds => ({
  async entry(accountId, id) {
    const row = await findOwned(deps, { accountId }, null, id)
    if (row.intent !== 'order')
      throw new Fault('VALIDATION_ERROR', `entryExecutionId: a ${row.intent} is no entry; give an order`)
    return { id, venue: row.venue, status: row.status, terms: termsOf(laneExecutionOf(row, null).terms) }
  },
  async preview(caller, venue, exit) {
    const result = await buildOrder(deps, caller, venue, '', { ...bodyOf(deps, caller, venue, exit), dryRun: true })
    if (result.kind !== 'preview') throw new Error('a preview was stored')
    return termsOf(result.built.terms)
  },
  async build(caller, venue, key, exit) {
    const result = await buildOrder(deps, caller, venue, key, bodyOf(deps, caller, venue, exit))
    if (result.kind !== 'persisted') throw new Error('a build was not stored')
    return { id: result.row.id, terms: termsOf(laneExecutionOf(result.row, null).terms) }
  },
})

const bodyOf = (deps: ExecutionsDeps, { accountId }: Caller, venue: string, { build, size }: ExitBuild): JsonObject =>
  withOrderFields(laneOf(deps, venue, accountId).lane, build, { size })

function termsOf(terms: OrderTerms | null): OrderTerms {
  if (terms === null) throw new Fault('VALIDATION_ERROR', 'the order does not say what it trades')
  return terms
}
