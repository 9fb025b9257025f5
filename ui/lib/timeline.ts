// The known events of an order, in order of time. Pure.
import type { ConditionalEvent } from '#schemas/conditional'
import type { Execution, Fill } from '#schemas/executions'
import type { OrderState } from '#schemas/stream'
import { format } from './format.ts'

export interface Moment {
  /** ISO. */
  at: string
  what: string
  detail: string | null
}

/** A change of an execution from the stream. */
export interface Change {
  occurredAt: string
  previousStatus: string
  execution: Pick<OrderState, 'executionId' | 'status' | 'error'>
}

/**
 * Its build, the changes since the page was opened, its fills, and its current state. Fills have the venue's time, which may be a whole
 * second or from another clock: none is listed before the order was sent.
 */
export function momentsOf(execution: Execution, changes: readonly Change[], fills: readonly Fill[]): Moment[] {
  const { executionId, status, error, createdAt, updatedAt } = execution
  const ownChanges = changes.filter((change) => change.execution.executionId === executionId)
  const moments: Moment[] = [
    { at: createdAt, what: 'built', detail: null },
    ...ownChanges.map((change) => ({
      at: change.occurredAt,
      what: `${change.previousStatus} → ${change.execution.status}`,
      detail: change.execution.error,
    })),
    ...fills
      .filter((fill) => fill.executionId === executionId)
      .map(({ filledAt, fill }) => ({
        at: filledAt,
        what: fill.withdrawn === true ? 'fill taken back' : 'fill',
        detail: wordsOf(fill),
      })),
  ]
  if (status !== 'built' && !ownChanges.some((change) => change.execution.status === status))
    moments.push({ at: updatedAt, what: status, detail: error })
  const sent = ownChanges.findLast((change) => change.execution.status === 'submitted')?.occurredAt ?? createdAt
  const placeOf = ({ at, what }: Moment): number =>
    Math.max(Date.parse(at), what.startsWith('fill') ? Date.parse(sent) : 0)
  return moments.toSorted((a, b) => placeOf(a) - placeOf(b))
}

export const eventMoments = (events: readonly ConditionalEvent[]): Moment[] =>
  events.map(({ ts, actor, fromStatus, toStatus, evidence }) => ({
    at: ts,
    what: fromStatus === null ? toStatus : `${fromStatus} → ${toStatus}`,
    detail: `by ${actor.replaceAll('_', ' ')}${evidence === null ? '' : `: ${wordsOf(evidence)}`}`,
  }))

/** The plain values of an object with their names; ISO times in the reader's time zone. */
export const wordsOf = (value: Readonly<Record<string, unknown>>): string =>
  Object.entries(value)
    .filter(([, each]) => ['string', 'number', 'boolean'].includes(typeof each))
    .map(([name, each]) => `${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${plain(each)}`)
    .join(', ')

const plain = (value: unknown): string =>
  typeof value === 'string' && isoTime.test(value) ? format.moment(value) : String(value)
const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
