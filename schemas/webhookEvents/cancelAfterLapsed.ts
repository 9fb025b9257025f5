// `execution.cancel_after.lapsed`: the dead man's switch of an account lapsed, and the cancels of its orders are built.
import type { CancelAfterLapsed } from '../webhooks.ts'
import type { StoredEvent } from './storedEvent.ts'

interface Lapse {
  cancelAfterId: string
  deadline: Date
  /** Cancels, and orders without one. */
  built: number
  refused: number
  remaining: number
  at: Date
}

export const cancelAfterLapsed = ({
  deadline,
  at,
  ...counts
}: Lapse): StoredEvent<'execution.cancel_after.lapsed', CancelAfterLapsed> => ({
  event: 'execution.cancel_after.lapsed',
  payload: { ...counts, deadline: deadline.toISOString(), occurredAt: at.toISOString() },
})
