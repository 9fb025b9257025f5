// Executions as execution algorithms use them: builds, submits, cancels and discards as the account that created the algorithm.
import { Fault } from '#core/fault'
import type { AlgorithmOrders, SliceBuild } from '#orders/algorithms/index'
import type { JsonObject } from '#schemas/executions'
import { isPaperAccount } from '#schemas/paper'
import { withOrderFields } from '#venues/shared/exec/orderFields'
import { validateConditional } from './arming.ts'
import { averagePriceOf } from './averagePrice.ts'
import { deriveExecution, findOwned } from './cancelOrModify.ts'
import { discardExecution } from './discard.ts'
import { checkTakesOrders, laneOf, unsupportedOperation } from './findLane.ts'
import { parseBody } from './parseBody.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { laneExecutionOf } from './rows.ts'
import { submitExecution } from './submit.ts'
import { summaryOf } from './summary.ts'
import { buildTerms, previewTerms, requireTerms } from './termBuilds.ts'
import { nextStatus } from './transitions.ts'

export const createAlgorithmOrders = (deps: ExecutionsDeps): AlgorithmOrders => ({
  lane(accountId, venue) {
    const { lane } = laneOf(deps, venue, accountId)
    checkTakesOrders(lane)
    if (lane.submit === undefined) throw unsupportedOperation(lane, 'submit')
    const isPaper = isPaperAccount(accountId)
    return {
      needsNoSignature: isPaper,
      cancels: lane.cancel !== undefined,
      takesAtOnce: lane.orderOptions?.timeInForce?.includes('immediate-or-cancel') === true,
      showsOwnOrders: !isPaper,
    }
  },
  checkCancelBody(accountId, venue, body) {
    const { lane } = laneOf(deps, venue, accountId)
    if (lane.cancel !== undefined) parseBody(lane.cancel.body, body)
  },
  preview: async (caller, venue, slice) => previewTerms(deps, caller, venue, sliceBodyOf(deps, caller, venue, slice)),
  build: async (caller, venue, key, slice) =>
    buildTerms(deps, caller, venue, key, sliceBodyOf(deps, caller, venue, slice)),
  findBuilt: async (accountId, key) => (await deps.store.findKeyUse(accountId, 'build', key))?.executionId ?? null,
  async examine(caller, venue, executionId, signed) {
    const row = await findOwned(deps, caller, venue, executionId)
    const { goodUntilMs } = await validateConditional(deps, caller, executionId, signed)
    const terms = requireTerms(laneExecutionOf(row, null).terms)
    return { terms, timeInForce: summaryOf(deps.knownLanes, row)?.timeInForce ?? null, goodUntilMs }
  },
  submit: async (caller, request) => (await submitExecution(deps, caller, request)).row.status,
  cancel: async (caller, request) => (await deriveExecution(deps, caller, 'cancel', request)).row.id,
  async discard(caller, venue, executionId) {
    try {
      await discardExecution(deps, caller, { venue, executionId })
      return 'discarded'
    } catch (error) {
      if (error instanceof Fault && error.code === 'CONDITIONAL_ATTEMPT_CONFLICT') return 'held'
      const { status } = await findOwned(deps, caller, venue, executionId)
      if (nextStatus(status, 'discard') === null) return 'sent'
      throw error
    }
  },
  async averagePrice(accountId, executionId) {
    const row = await deps.store.find(accountId, executionId)
    const lane = deps.knownLanes.find(({ slug }) => slug === row?.venue)
    if (row === null || lane === undefined) return null
    const fills = await deps.store.listFillsOf(executionId)
    return averagePriceOf(lane, laneExecutionOf(row, null), fills, row.matched_size)
  },
})

function sliceBodyOf(
  deps: ExecutionsDeps,
  { accountId }: Caller,
  venue: string,
  { build, price, size }: SliceBuild,
): JsonObject {
  return withOrderFields(laneOf(deps, venue, accountId).lane, build, { price, size })
}
