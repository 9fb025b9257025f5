// The status of an order, read with the caller's credentials: among the account's orders by the venue's id, or by the eight characters we gave it.
// Its fills determine the filled size: how a cancelled row counts the remainder is undocumented. https://docs.novig.com (user history)
import { z } from 'zod'
import { compareDecimals, fromUnits } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { ExecutionStatus } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation } from '../../lane.ts'
import { readKeyed } from '../../shared/exec/keyedApi.ts'
import { nothing, notShown, withItsFills } from '../../shared/exec/observe.ts'
import { readArtifact } from './artifact.ts'
import { askToken, type Credentials, novigApi, type WithToken } from './auth.ts'
import { NamedFill, NamedOrder, NovigFill, NovigOrder, paths, Rows, statusOf, timeOf } from './wire.ts'

/** The venue's maximum per request. */
const pageRows = 256
const pagesMax = 8

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  given: Credentials,
): Promise<Observation> {
  const { outcomeId, flags, qty } = readArtifact(execution.unsigned)
  const { venueRef } = execution
  const asked = await askToken(context, given)
  if ('fault' in asked) throw asked.fault
  const credentials = { ...given, token: asked.token }
  const isOurs = (row: unknown): boolean => {
    const { data: named } = NamedOrder.safeParse(row)
    return named !== undefined && (venueRef === null ? named.flags === flags : named.id === venueRef)
  }
  const { found, isWhole } = await pick(context, credentials, paths.orders, isOurs, true)
  if (found.length === 0) {
    if (!isWhole) return nothing(venueRef, 'the account has more orders than we read at once, and none of them is this')
    return notShown(venueRef, 'the account’s orders do not show it', true)
  }
  const order = ours(NovigOrder, found[0])
  if (order.outcomeId !== outcomeId) return nothing(venueRef, 'the answer is about another outcome')
  const about = { 'name of ours': [order.flags, flags], size: [order.originalQty, qty] } as const
  return { ...(await observe(context, credentials, order)), about }
}

async function observe(context: LaneContext, credentials: WithToken, order: NovigOrder): Promise<Observation> {
  const { id, qty, originalQty, status: word, timestamp } = order
  const status = statusOf(word)
  const isOfOrder = (row: unknown): boolean => NamedFill.safeParse(row).data?.orderId === id
  const rows =
    status === 'acked' && qty >= originalQty
      ? []
      : (await pick(context, credentials, paths.fills, isOfOrder, false)).found
  const fills = rows.map((row) => ours(NovigFill, row))
  const sum = fills.reduce((cents, fill) => cents + fill.qty, 0)
  // A match with one's own order on the other side: no money moves, and both end.
  const real = fills.filter(({ isWash }) => isWash !== true)
  const realSum = real.reduce((cents, fill) => cents + fill.qty, 0)
  const executed = originalQty - qty
  const isCounted = status !== 'canceled' || qty > 0
  const fillsReconciled = !isCounted || sum >= executed
  return {
    status: withItsFills(endOf(status, realSum < sum), fillsReconciled, timeOf(timestamp), context.clock),
    shown: true,
    matchedSize: contracts(status === 'canceled' ? realSum : Math.max(executed - (sum - realSum), realSum)),
    venueRef: id,
    fills: real.map((fill) => ({ key: fill.id, fill, filledAt: filledAt(fill, context) })),
    observation: {
      status: word,
      filledSize: contracts(realSum),
      remainingSize: contracts(qty),
      washedSize: contracts(sum - realSum),
      fillsReconciled,
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

/** The wanted rows of a history. `isWhole`: it was read to its end. */
async function pick(
  context: LaneContext,
  credentials: WithToken,
  path: string,
  isWanted: (row: unknown) => boolean,
  onlyOne: boolean,
): Promise<{ found: unknown[]; isWhole: boolean }> {
  const found: unknown[] = []
  for (let page = 0; page < pagesMax; page++) {
    const query = { currency: 'CASH', limit: pageRows, offset: page * pageRows }
    const rows = await readKeyed(novigApi, { context, credentials, path, shape: Rows, query })
    found.push(...rows.filter(isWanted))
    if (rows.length < pageRows || (onlyOne && found.length > 0)) return { found, isWhole: true }
  }
  return { found, isWhole: false }
}

function ours<S extends z.ZodType>(shape: S, row: unknown): z.output<S> {
  const parsed = shape.safeParse(row)
  if (parsed.success) return parsed.data
  throw new Fault('NETWORK_ERROR', 'novig sent an answer we cannot read', {
    exchange: 'novig',
    detail: z.prettifyError(parsed.error),
  })
}
