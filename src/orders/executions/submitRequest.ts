// A submit as its callers make it, and its answer.
import type { SubmitLease } from '#storage/postgres/conditional/firing'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'

export interface SubmitRequest {
  venue: string
  executionId: string
  key: string
  body: Readonly<Record<string, unknown>>
  /** For the fire loop: its right to submit what is behind a conditional order, the execution as just read, and when the order expires. */
  fire?: (SubmitLease & { execution: ExecutionRow; until: Date }) | undefined
}

export interface Submitted {
  row: ExecutionRow
  /** An earlier request with the same key led to it. */
  replay: boolean
}
