// The status of an order, read with the caller's credentials: among the account's orders by the venue's id, or by the eight characters we gave it.
// Its fills determine the filled size: how a cancelled row counts the remainder is undocumented. https://docs.novig.com (user history)
import { z } from 'zod'
import { compareDecimals, fromUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import type { ExecutionStatus } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation } from '../../lane.ts'
import { readKeyed } from '../../shared/exec/apiKeyClient.ts'
import { nothing, notVisible, withFills } from '../../shared/exec/orderSnapshot.ts'
import { unknownStateReason } from '../../shared/exec/orderStates.ts'
import { nextOffset, reachesBack, readPagedList } from '../../shared/exec/pagedList.ts'
import { readArtifact } from './artifact.ts'
import { type Credentials, novigApi, requestToken, type WithToken } from './auth.ts'
import { FillOwner, NamedOrder, NovigFill, NovigOrder, paths, Rows, statusOf, timeOf } from './wire.ts'

/** Requested; the venue documents no maximum, and may give fewer. */
const pageRows = 256
const pagesMax = 8
/** Maximum difference of the venue's clock from ours. */
const clockSlackMs = 60_000

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  given: Credentials,
): Promise<Observation> {
  const { outcomeId, flags, qty } = readArtifact(execution.unsigned)
  const { venueRef } = execution
  const tokenResult = await requestToken(context, given)
  if ('fault' in tokenResult) throw tokenResult.fault
  const credentials = { ...given, token: tokenResult.token }
  const isOurs = ({ id, flags: named }: Named): boolean => (venueRef === null ? named === flags : id === venueRef)
  const { rows, isWhole } = await list(context, credentials, paths.orders, isOurs)
  const found = rows.find(isOurs)
  if (found === undefined) {
    if (!isWhole)
      return nothing(
        venueRef,
        'the account has more orders than we read at once, or some that cannot be read, and none of the others is this one',
      )
    const times = rows.map(({ row }) => timeOf(NovigOrder.safeParse(row).data?.timestamp))
    return reachesBack(execution.statusSince, times, context.clock.now())
      ? notVisible(venueRef, 'the account’s orders do not show it', true)
      : nothing(venueRef, 'not among the account’s orders, which may not reach back to when it was sent')
  }
  const order = ours(NovigOrder, found.row)
  if (order.outcomeId !== outcomeId) return nothing(venueRef, 'the answer is about another outcome')
  const about = { flags: [order.flags, flags], size: [order.originalQty, qty] } as const
  return { ...(await observe(context, credentials, order, { qty, sinceMs: execution.createdAt })), about }
}

/** `sent`: the size it was placed with, cents, for a row that says none, and when it was. */
async function observe(
  context: LaneContext,
  credentials: WithToken,
  { id, qty, originalQty, status: word, timestamp }: NovigOrder,
  { qty: ordered, sinceMs }: { qty: number; sinceMs: number },
): Promise<Observation> {
  const reportedStatus = statusOf(word)
  const executed = qty === null ? null : (originalQty ?? ordered) - qty
  const hasNone = reportedStatus === 'acked' && executed !== null && executed <= 0
  const { fills, areAll } = hasNone ? { fills: [], areAll: true } : await readFills(context, credentials, id, sinceMs)
  const sum = fills.reduce((cents, fill) => cents + fill.qty, 0)
  // A match with one's own order on the other side: no money moves, and both end.
  const real = fills.filter(({ isWash }) => isWash !== true)
  const realSum = real.reduce((cents, fill) => cents + fill.qty, 0)
  // How a cancelled row counts the remainder is undocumented.
  const isCounted = reportedStatus !== 'canceled' || qty !== 0
  const expected = executed ?? (reportedStatus === 'filled' ? (originalQty ?? ordered) : null)
  // Without a count only a complete list of fills says how much was filled.
  const fillsReconciled = isCounted ? expected !== null && sum >= expected : areAll
  const isUnproven = !isCounted && !areAll
  const filled = reportedStatus === 'canceled' ? realSum : Math.max((executed ?? 0) - (sum - realSum), realSum)
  const status = reportedStatus === null ? null : endOf(reportedStatus, realSum < sum)
  return {
    status: status === null || isUnproven ? null : withFills(status, fillsReconciled, timeOf(timestamp), context.clock),
    shown: true,
    ...((executed !== null || realSum > 0) && { matchedSize: contracts(filled) }),
    venueRef: id,
    fills: real.map((fill) => ({ key: fill.id, fill, filledAt: filledAt(fill, context) })),
    observation: {
      status: word,
      filledSize: contracts(realSum),
      remainingSize: qty === null ? null : contracts(qty),
      washedSize: contracts(sum - realSum),
      fillsReconciled,
      ...(reportedStatus === null && { reason: unknownStateReason(word) }),
      ...(isUnproven && { reason: 'the order was canceled, and not all of the account’s fills can be read' }),
    },
  }
}

/** An order that met one of the same account is effectively cancelled to that extent. */
const endOf = (status: ExecutionStatus, isWashed: boolean): ExecutionStatus =>
  status === 'filled' && isWashed ? 'canceled' : status

const contracts = (cents: number): string => {
  const text = fromUnits(BigInt(cents), 2)
  return compareDecimals(text, '0') < 0 ? '0' : text
}

function filledAt({ createdAt }: NovigFill, { clock }: LaneContext): number {
  const at = timeOf(createdAt)
  return Number.isFinite(at) ? at : clock.now()
}

interface Named {
  id: string
  flags?: string | null | undefined
  row: unknown
}

/** A history, newest first, each row once. Of other orders only the names matter; a row without one may be ours. */
function list(context: LaneContext, credentials: WithToken, path: string, isEnough?: (row: Named) => boolean) {
  return readPagedList<Named>({
    async read(cursor) {
      const offset = Number(cursor ?? 0)
      const query = { currency: 'CASH', limit: pageRows, offset }
      const listed = await readKeyed(novigApi, { context, credentials, path, shape: Rows, query })
      const rows = listed.flatMap((row) => {
        const { data: named } = NamedOrder.safeParse(row)
        return named === undefined ? [] : [{ ...named, row }]
      })
      return { rows, unreadable: listed.length - rows.length, cursor: nextOffset(offset, listed) }
    },
    idOf: ({ id }) => id,
    pagesMax,
    ...(isEnough && { isEnough }),
  })
}

/** `areAll`: the list was read to its end, or back to before the order was sent, and no row that may be of this order is unreadable. */
async function readFills(
  context: LaneContext,
  credentials: WithToken,
  orderId: string,
  sinceMs: number,
): Promise<{ fills: NovigFill[]; areAll: boolean }> {
  const isEarlier = ({ row }: Named): boolean =>
    timeOf(NovigFill.safeParse(row).data?.createdAt) < sinceMs - clockSlackMs
  const read = await list(context, credentials, paths.fills, isEarlier)
  const mayBeOurs = read.rows.filter(({ row }) => {
    const owner = FillOwner.safeParse(row).data?.orderId
    return owner === undefined || owner === orderId
  })
  const fills = mayBeOurs.flatMap(({ row }) => NovigFill.safeParse(row).data ?? [])
  const isComplete = (read.isWhole || read.rows.some(isEarlier)) && read.unreadable === 0
  return {
    fills: fills.filter((fill) => fill.orderId === orderId),
    areAll: isComplete && fills.length === mayBeOurs.length,
  }
}

function ours<S extends z.ZodType>(shape: S, row: unknown): z.output<S> {
  const parsed = shape.safeParse(row)
  if (parsed.success) return parsed.data
  throw new Fault('NETWORK_ERROR', 'novig sent an answer we cannot read', {
    exchange: 'novig',
    detail: z.prettifyError(parsed.error),
  })
}
