// The truth about an order: the active orders tell of it while it lives, its trades for ever; finished orders are not shown. So of an order
// that we know was accepted, absence is an end, and the sum of its trades says which. But reads lag behind writes and trades behind both:
// neither an acknowledgement nor a trade may be new. Of an order nobody acknowledged absence says nothing.
import { addDecimals, compareDecimals, subtractDecimals } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { ExecutionStatus } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { readArtifact } from './artifact.ts'
import type { Credentials } from './auth.ts'
import { type Reader, readOrder, readTrades } from './read.ts'
import { fillOf } from './trades.ts'

/** Reads lag behind writes. */
const settlingMs = 60_000
/** The venue's clock may run behind ours. */
const clockSlackMs = 60_000
/** Shares. An order may end this little short of its size: what is left is cut off at a hundredth. */
const dust = '0.01'

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
): Promise<Observation> {
  const address = execution.owner
  if (address === null) throw new Fault('INTERNAL', 'a polymarket execution without its owner')
  const reader: Reader = { context, credentials, address }
  if (execution.intent !== 'cancel') return observe(reader, execution)
  const { target } = execution
  if (target === null) throw new Fault('INTERNAL', 'a cancellation without its order')
  return observeCancel(execution, await observe(reader, target))
}

async function observe(reader: Reader, execution: LaneExecution): Promise<Observation> {
  const { unsigned, bounds, venueRef, clientRef, createdAt, terms } = execution
  const artifact = readArtifact(unsigned)
  const id = venueRef ?? clientRef
  if (artifact.kind !== 'order' || id === null || terms === null) {
    throw new Fault('VALIDATION_ERROR', 'this execution has no order to read', { exchange: 'polymarket' })
  }
  // The order before its trades: what ends it in between is then among the trades, and not missing from both.
  const order = await readOrder(reader, id)
  const since = Math.floor((createdAt - clockSlackMs) / 1_000)
  const trades = await readTrades(reader, String(bounds.conditionId), since)
  const fills = trades.map((trade) => fillOf(trade, id)).filter((fill) => fill !== null)
  const filled = sum(fills)
  if (order !== null) {
    const status = statusOf(order.status)
    const fillsReconciled = !isShort(filled, order.size_matched)
    return {
      // Fills are kept with the transition: one made too early would leave the late ones out for ever.
      status: status !== 'acked' && !fillsReconciled ? null : status,
      venueRef: order.id,
      fills,
      observation: {
        status: order.status,
        size_matched: order.size_matched,
        original_size: order.original_size,
        fillsReconciled,
      },
      ...(status === 'failed' ? { reason: 'order invalid' } : {}),
    }
  }
  const ended = endOf(reader.context, execution, fills, Number(artifact.order.post.expiration))
  // A fill proves that the venue took the order, whatever became of the answer.
  const status = ended ?? (fills.length > 0 && execution.status === 'submitted' ? 'acked' : null)
  const observation = { reason: 'not among the active orders', size_matched: filled }
  return { status, venueRef: status === null ? venueRef : id, fills, observation }
}

function endOf(
  { clock }: LaneContext,
  { terms, status, statusSince }: LaneExecution,
  fills: readonly VenueFill[],
  expiration: number,
): ExecutionStatus | null {
  if (terms !== null && !isShort(sum(fills), terms.size)) return 'filled'
  // It dies a minute before; who never took it cannot take it any more.
  if (expiration !== 0 && clock.now() >= expiration * 1_000) return 'expired'
  const newest = Math.max(statusSince, ...fills.map(({ filledAt }) => filledAt))
  return status === 'acked' && clock.now() - newest >= settlingMs ? 'canceled' : null
}

const isShort = (filled: string, size: string): boolean => compareDecimals(subtractDecimals(size, filled), dust) >= 0

/** What became of the order tells what became of its cancellation. */
function observeCancel({ venueRef }: LaneExecution, { status, observation }: Observation): Observation {
  const seen = { venueRef, fills: [], ...(observation && { observation }) }
  if (status === 'canceled') return { ...seen, status: 'acked' }
  if (status === null || status === 'acked') return { ...seen, status: null }
  return { ...seen, status: 'failed', reason: `the order was ${status} before the cancellation` }
}

const sum = (fills: readonly VenueFill[]): string =>
  fills.reduce((total, { fill }) => addDecimals(total, String(fill.size)), '0')

const states: Readonly<Record<string, ExecutionStatus>> = {
  LIVE: 'acked',
  DELAYED: 'acked',
  MATCHED: 'filled',
  CANCELED: 'canceled',
  CANCELED_MARKET_RESOLVED: 'canceled',
  INVALID: 'failed',
}

/** With or without the prefix of the OpenAPI page. A word not listed fails loudly. */
export function statusOf(word: string): ExecutionStatus {
  const bare = word.toUpperCase().replace(/^ORDER_STATUS_/, '')
  const status = Object.hasOwn(states, bare) ? states[bare] : undefined
  if (status !== undefined) return status
  throw new Fault('NETWORK_ERROR', 'polymarket gave an order state we do not know', {
    exchange: 'polymarket',
    detail: word.slice(0, 100),
  })
}
