// Executions: from a built artifact to its final state at the venue.
import { batchBuild } from './routes/batchBuild.ts'
import { batchSubmit } from './routes/batchSubmit.ts'
import { buildExecution } from './routes/buildExecution.ts'
import { getCancelAfter, setCancelAfter } from './routes/cancelAfter.ts'
import { cancelAll } from './routes/cancelAll.ts'
import { cancelExecution } from './routes/cancelExecution.ts'
import { discardExecution } from './routes/discardExecution.ts'
import { getHalts, haltTrading, resumeTrading } from './routes/halts.ts'
import { listOrders, listUnresolvedOrders } from './routes/listOrders.ts'
import { modifyExecution } from './routes/modifyExecution.ts'
import { getExecution, listExecTrades, listExecutions, listExecVenues } from './routes/reads.ts'
import { refreshExecution } from './routes/refreshExecution.ts'
import { replaceExecution } from './routes/replaceExecution.ts'
import { createReservation, deleteReservation } from './routes/reservations.ts'
import { resolveExecution } from './routes/resolveExecution.ts'
import { scheduleVenueCancel } from './routes/scheduleCancel.ts'
import { submitExecution } from './routes/submitExecution.ts'

export { createAlgorithmOrders } from './algorithmOrders.ts'
export { validateConditional } from './arming.ts'
export { CredentialBreaker } from './breaker.ts'
export { buildCancels, type LapseEnd } from './cancelAfter/buildCancels.ts'
export { createExitBuilds } from './exitBuilds.ts'
export { createLaneCatalog } from './laneCatalog.ts'
export type { ConditionalAdapter, ConditionalPreview, ExecutionsDeps, ExecutionsRouteDeps } from './ports.ts'
export { readOrderChain } from './readOrderChain.ts'
export { isQueryable } from './refresh.ts'
export type { CancelAllRouteDeps } from './routes/cancelAll.ts'
export { canFireHosted } from './signatures.ts'
export { createFiredExecutions, type FiredOptions, prepareAttempt } from './submitConditional.ts'
export { warmupAdapter, warmupExecution, warmupVenue } from './warmupExecution.ts'

export const executionRoutes = [
  listExecVenues,
  listExecutions,
  getExecution,
  listExecTrades,
  listOrders,
  listUnresolvedOrders,
  buildExecution,
  submitExecution,
  refreshExecution,
  resolveExecution,
  cancelExecution,
  discardExecution,
  modifyExecution,
  replaceExecution,
  createReservation,
  deleteReservation,
  haltTrading,
  resumeTrading,
  getHalts,
  batchBuild,
  batchSubmit,
  cancelAll,
  setCancelAfter,
  getCancelAfter,
  scheduleVenueCancel,
] as const
