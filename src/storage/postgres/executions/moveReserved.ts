// A move with what it does to the spend reservations of its order's family, within the caller's transaction.
import type { Queryable } from '../pool.ts'
import type { ExecutionRow } from './executionRow.ts'
import { lockFamily } from './findOrderChain.ts'
import { type Move, moveExecution } from './moveExecution.ts'
import { releaseExcess, reReserve } from './spendReservations.ts'

const ends: readonly string[] = ['failed', 'expired', 'canceled']
/** It had released its spend reservation at an end that was wrong, or that had a fill. */
export const isRevived = ({ from, to, event, fills }: Move): boolean =>
  ends.includes(from) && (!ends.includes(to) || (event === 'fillsTold' && fills.length > 0))

/** When two members of a family end at once, the later one finds the other ended, and releases the spend reservations of both. */
export const isEnd = ({ to }: Move): boolean => ends.includes(to)

export const isTaken = ({ from, to }: Move): boolean => from === 'submitted' && to === 'acked'

/** Null: it was not moved, and the transaction may have failed. */
export async function moveReserved(db: Queryable, move: Move): Promise<ExecutionRow | null> {
  if (isEnd(move)) await lockFamily(db, move.id)
  const row = await moveExecution(db, move)
  if (row === null) return null
  if (isRevived(move)) await reReserve(db, row, move.at)
  if (isTaken(move)) await releaseExcess(db, row)
  return row
}
