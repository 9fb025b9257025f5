// Executions: from a built artifact to its end at the venue.
import { buildOrder } from './routes/buildOrder.ts'
import { cancelOrder } from './routes/cancelOrder.ts'
import { modifyOrder } from './routes/modifyOrder.ts'
import { getExecution, listExecTrades, listExecutions, listExecVenues } from './routes/reads.ts'
import { refreshOrder } from './routes/refreshOrder.ts'
import { createReservation, deleteReservation } from './routes/reservations.ts'
import { submitOrder } from './routes/submitOrder.ts'

export { CredentialBreaker } from './breaker.ts'
export { createLaneCatalog } from './laneCatalog.ts'
export type { ArmedLane, ExecutionsDeps, ExecutionsRouteDeps } from './ports.ts'
export { canBeAsked, readAndFold } from './refresh.ts'

export const executionRoutes = [
  listExecVenues,
  listExecutions,
  getExecution,
  listExecTrades,
  buildOrder,
  submitOrder,
  refreshOrder,
  cancelOrder,
  modifyOrder,
  createReservation,
  deleteReservation,
] as const
