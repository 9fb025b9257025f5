// Executions as brackets use them: the entry that they follow, and the builds of its exits.
import { Fault } from '#core/fault'
import type { Builds } from '#orders/conditional/index'
import type { OrderTerms } from '#venues/lane'
import { laneSizedBody } from '#venues/shared/exec/sizedBody'
import { buildOrder } from './build.ts'
import { findOwned } from './cancelOrModify.ts'
import { laneOf } from './findLane.ts'
import type { ExecutionsDeps } from './ports.ts'
import { laneExecutionOf } from './rows.ts'

export const createExitBuilds = (deps: ExecutionsDeps): Builds => ({
  async entry(accountId, id) {
    const row = await findOwned(deps, { accountId }, null, id)
    if (row.intent !== 'order')
      throw new Fault('VALIDATION_ERROR', `entryExecutionId: a ${row.intent} is no entry; give an order`)
    return { id, venue: row.venue, status: row.status, terms: termsOf(laneExecutionOf(row, null).terms) }
  },
  async preview(caller, venue, body) {
    const sized = laneSizedBody(laneOf(deps, venue).lane, body)
    const result = await buildOrder(deps, caller, venue, '', { ...sized, dryRun: true })
    if (result.kind !== 'preview') throw new Error('a preview was stored')
    return termsOf(result.built.terms)
  },
  async build(caller, venue, key, body) {
    const result = await buildOrder(deps, caller, venue, key, laneSizedBody(laneOf(deps, venue).lane, body))
    if (result.kind !== 'persisted') throw new Error('a build was not stored')
    return { id: result.row.id, terms: termsOf(laneExecutionOf(result.row, null).terms) }
  },
})

function termsOf(terms: OrderTerms | null): OrderTerms {
  if (terms === null) throw new Fault('VALIDATION_ERROR', 'the order does not say what it trades')
  return terms
}
