// Which account a read of the venue is made as. A venue shows an account only its own orders: an order not shown to another account may
// still exist.
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { Observation, ReadingLane } from '#venues/lane'
import type { ExecutionsDeps } from './ports.ts'

type Marks = Pick<ExecutionsDeps['store'], 'markAccount'>
type QueriedLane = Pick<ReadingLane, 'slug' | 'refresh'>

/**
 * The mark of the account that owns the credentials; null when every account is shown the same, and when they do not identify the account.
 */
export async function fingerprintOf(
  { markAccount }: Marks,
  { slug, refresh }: QueriedLane,
  accountId: string,
  credentials: unknown,
): Promise<Buffer | null> {
  const name = typeof refresh?.asks === 'function' ? refresh.asks(credentials) : null
  return name === null ? null : markAccount(JSON.stringify([accountId, slug, name]))
}

/** Why absence in a read of `row` proves nothing; null when it does. */
export async function unobservableReason(
  marks: Marks,
  lane: QueriedLane,
  row: Pick<ExecutionRow, 'account_id' | 'submitted_as'>,
  credentials: unknown,
): Promise<string | null> {
  if (typeof lane.refresh?.asks !== 'function') return null
  if (row.submitted_as === null) return `it is not known with which key it was submitted: ${provesNothing}`
  const mark = await fingerprintOf(marks, lane, row.account_id, credentials)
  if (mark === null) return `these credentials do not say whose they are: ${provesNothing}`
  return mark.equals(row.submitted_as)
    ? null
    : `it was read with a different key than it was submitted with: ${provesNothing}`
}

const provesNothing = 'its absence proves nothing'

/** Keeps observations; drops absence, and anything that merely looks like it, as evidence. */
export function inferredObservation(
  read: Observation,
  why: string,
  { byLikeness }: { byLikeness: boolean },
): Observation {
  if (read.shown === true && !byLikeness) return read
  const { reason } = read.observation ?? {}
  const observation = { ...read.observation, reason: typeof reason === 'string' ? `${reason}; ${why}` : why }
  return { status: null, venueRef: null, fills: [], observation }
}
