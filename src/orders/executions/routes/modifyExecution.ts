// Builds the modification of an order, authorized and submitted under its own id.
import { deriveRoute } from './deriveRoute.ts'

export const modifyExecution = deriveRoute(
  'modify',
  'Builds a change to an order: a new execution, submitted by its own id',
)
