// `execution.built`: an execution was built. It stays in the outbox.
import type { ExecutionBuilt } from '../webhooks.ts'
import type { StoredEvent } from './storedEvent.ts'

export const executionBuilt = ({
  executionId,
  venue,
}: {
  executionId: string
  venue: string
}): StoredEvent<'execution.built', ExecutionBuilt> => ({
  event: 'execution.built',
  payload: { executionId, venue, status: 'built' },
})
