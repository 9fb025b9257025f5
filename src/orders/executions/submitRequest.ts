// A submit as its callers make it, and its answer.
import type { SubmitLease } from '#storage/postgres/conditional/firing'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'

export interface SubmitRequest {
  venue: string
  executionId: string
  key: string
  body: Readonly<Record<string, unknown>>
  /**
   * For the fire loop: its right to submit what is behind a conditional order, the execution as just read, when the order expires, and the mid
   * price at its trigger.
   */
  fire?: (SubmitLease & { execution: ExecutionRow; until: Date; triggerMid: string | null }) | undefined
}

export interface Submitted {
  row: ExecutionRow
  /** An earlier request with the same key led to it. */
  replay: boolean
}
