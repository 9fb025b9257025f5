// Builds the cancel of an order, authorized and submitted under its own id.
import { deriveRoute } from './deriveRoute.ts'

export const cancelExecution = deriveRoute(
  'cancel',
  'Builds the cancel of an execution: a new execution, submitted by its own id',
)
