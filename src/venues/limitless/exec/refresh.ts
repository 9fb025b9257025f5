// The publicly readable status of an order, from the exchange contract. It shows fills, and cancellations by transaction; it does not show
// whether an order rests, was removed by the venue, or never arrived: such an order keeps its status.
//
//   nothing done          ─► no status           it may rest, may be cancelled at the venue, may never have arrived
//   partly done           ─► acked               the venue accepted it, whatever happened to the answer
//   done, by its logs     ─► filled | canceled   with every fill
//   done, without logs    ─► no status
//
// Once the venue has acknowledged a cancellation sent from here, the first two are canceled, with the fills on the chain:
// as soon as it was read past that moment (docs/decisions/0015). So is an order that never rests, once the venue has matched it.
import { compareDecimals, fromUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { chainOf } from '../../shared/evm.ts'
import { nothing, observeCancel, sumOf } from '../../shared/exec/orderSnapshot.ts'
import { type OrderArtifact, readArtifact } from './artifact.ts'
import { type ChainFill, type ChainState, readLogs, readState, timeOf } from './chain.ts'
import { chainId, order } from './typedData.ts'

const decimals = 6

/** Matches before a cancellation may be settled this long after it. */
const settlementMs = 30_000

export async function refresh(
  context: LaneContext,
  execution: LaneExecution,
  _credentials: unknown,
  _search: unknown,
  _recorded: unknown,
  canceledAt: () => Promise<number | null> = async () => null,
): Promise<Observation> {
  if (execution.intent !== 'cancel') return observe(context, execution, canceledAt)
  const { target, venueRef } = execution
  if (target === null) throw new Fault('INTERNAL', 'a cancellation without its order')
  const { status, observation } = await observe(context, target, async () => null)
  // The order may end by a transaction; removals by the venue itself are invisible.
  return observeCancel(status === 'acked' ? null : status, { venueRef, fills: [], ...(observation && { observation }) })
}

async function observe(
  context: LaneContext,
  execution: LaneExecution,
  canceledAt: () => Promise<number | null>,
): Promise<Observation> {
  const artifact = readArtifact(execution.unsigned)
  if (artifact.kind !== 'order') {
    throw new Fault('VALIDATION_ERROR', 'this execution has no order to read', { exchange: 'limitless' })
  }
  const { message, domain } = artifact.order
  const exchange = domain.verifyingContract
  const orderRef = { exchange, hash: order.hash(message, exchange) }
  const node = chainOf(context, 'limitless', chainId)
  const state = await readState(node, orderRef)
  const { isDone, remaining, block } = state
  const given = BigInt(message.makerAmount)
  const endedAt = isDone ? null : ((await canceledAt()) ?? killedAt(execution, artifact.order))
  const hasEnded = endedAt !== null && timeOf(block, state.newest) >= endedAt + settlementMs
  const isUntouched = !isDone && remaining === 0n
  const waits =
    endedAt === null || hasEnded ? null : 'cancelled at the venue: the chain was read up to a slightly earlier block'
  if (isUntouched && !hasEnded) {
    return nothing(execution.venueRef, waits ?? untouchedReason(execution, block))
  }
  const venueRef = execution.venueRef ?? orderRef.hash
  if (!isDone && !hasEnded) {
    const matchedSize = sharesOf(artifact.order, given - remaining)
    const observation = { block, remaining: String(remaining), matched: matchedSize, ...(waits && { reason: waits }) }
    return { status: 'acked', venueRef, fills: [], matchedSize, observation }
  }
  const untouched = { fills: [], isCancelled: false }
  const logs = isUntouched ? untouched : await readLogs(node, orderRef, state, execution.createdAt)
  const { fills } = logs
  const isCancelled = hasEnded || logs.isCancelled
  const sum = fills.reduce((total, { gives }) => total + gives, 0n)
  const fillsReconciled = sum === given || (isCancelled && sum === (remaining === 0n ? 0n : given - remaining))
  const chainState = { block, remaining: String(remaining), fillsReconciled }
  const sizes = fills.map((fill) => sizeOf(artifact.order, fill))
  if (hasEnded && compareDecimals(sumOf(sizes), execution.matchedSize ?? '0') < 0) {
    const reason = 'cancelled at the venue, which matched more of it than the chain shows yet'
    return { status: null, venueRef: execution.venueRef, fills: [], observation: { ...chainState, reason } }
  }
  if (!fillsReconciled) {
    const reason = `${isDone ? 'the contract reports it as done' : 'cancelled at the venue'}, and the logs do not say how much of it was filled`
    return { status: null, venueRef: execution.venueRef, fills: [], observation: { ...chainState, reason } }
  }
  return {
    status: sum === given ? 'filled' : 'canceled',
    venueRef,
    fills: fills.map((fill) => fillOf(artifact.order, fill, state)),
    matchedSize: sharesOf(artifact.order, sum),
    observation: chainState,
  }
}

/**
 * When the venue dropped the remainder of an order that never rests: as soon as it had matched it. Null while it has not reported how much that was:
 * its matching may be delayed.
 */
const killedAt = ({ status, statusSince, matchedSize }: LaneExecution, { post }: OrderArtifact): number | null =>
  post.orderType === 'FAK' && status === 'acked' && matchedSize !== null ? statusSince : null

/**
 * Fills are on the chain some seconds after the venue matched them: so an untouched order there does not contradict an acknowledgement of
 * the venue.
 */
function untouchedReason({ venueRef, matchedSize }: LaneExecution, block: number): string {
  const read = `up to block ${block} the contract knows nothing of it`
  if (matchedSize !== null && compareDecimals(matchedSize, '0') > 0) {
    return `the venue matched ${matchedSize} of it; ${read} yet: its settlement follows`
  }
  if (venueRef !== null) return `the venue took it; ${read}: it may rest, or may have been cancelled at the venue`
  return `${read}: it may rest, may have been cancelled at the venue, or may never have arrived`
}

/** From a part of what the order gives, at its own price: a buyer who paid less got no fewer shares. */
const sharesOf = ({ message }: OrderArtifact, gives: bigint): string => {
  const shares = BigInt(message.side === 0 ? message.takerAmount : message.makerAmount)
  return fromUnits((shares * gives) / BigInt(message.makerAmount), decimals)
}

const sizeOf = ({ message }: OrderArtifact, { gives, takes }: ChainFill): string =>
  fromUnits(message.side === 0 ? takes : gives, decimals)

function fillOf(order: OrderArtifact, fill: ChainFill, { newest }: ChainState): VenueFill {
  const { gives, takes, fee, isTaker, transactionHash, logIndex, blockNumber } = fill
  const cash = order.message.side === 0 ? gives : takes
  return {
    key: `${transactionHash}:${logIndex}`,
    fill: {
      transactionHash,
      logIndex,
      blockNumber,
      makerAmountFilled: String(gives),
      takerAmountFilled: String(takes),
      fee: String(fee),
      isTaker,
      size: sizeOf(order, fill),
      cash: fromUnits(cash, decimals),
    },
    filledAt: timeOf(blockNumber, newest),
  }
}
