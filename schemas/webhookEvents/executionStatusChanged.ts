// `execution.status.changed`: an execution committed another status.
import type { ExecutionStatus } from '../executions.ts'
import type { ExecutionStatusChanged } from '../webhooks.ts'
import type { StoredEvent } from './storedEvent.ts'

export interface ExecutionStatusChange {
  executionId: string
  venue: string
  status: ExecutionStatus
  previousStatus: ExecutionStatus
  at: Date
}

export const executionStatusChanged = ({
  executionId,
  venue,
  status,
  previousStatus,
  at,
}: ExecutionStatusChange): StoredEvent<'execution.status.changed', ExecutionStatusChanged> => ({
  event: 'execution.status.changed',
  payload: { executionId, venue, status, previousStatus, occurredAt: at.toISOString() },
})
