// The truth about an order as anybody can read it: what the contract has done with it. It knows of fills, and of cancellations by transaction;
// of an order that rests, was taken out by the venue, or never came, it knows nothing, and says nothing: such an order stays what it was.
//
//   nothing done          ─► no word             it may rest, may be cancelled at the venue, may never have come
//   done in part          ─► acked               the venue took it, whatever became of the answer
//   done, by its logs     ─► filled | canceled   with every fill
//   done, without logs    ─► no word
import { fromUnits } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { chainOf } from '../../shared/evm.ts'
import { nothing, observeCancel } from '../../shared/exec/observe.ts'
import { type OrderArtifact, readArtifact } from './artifact.ts'
import { type ChainFill, type ChainState, readLogs, readState, timeOf } from './chain.ts'
import { chainId, order } from './typedData.ts'

const decimals = 6

export async function refresh(context: LaneContext, execution: LaneExecution): Promise<Observation> {
  if (execution.intent !== 'cancel') return observe(context, execution)
  const { target, venueRef } = execution
  if (target === null) throw new Fault('INTERNAL', 'a cancellation without its order')
  const { status, observation } = await observe(context, target)
  // The order may be done by a transaction; of what the venue itself took out nobody hears.
  return observeCancel(status === 'acked' ? null : status, { venueRef, fills: [], ...(observation && { observation }) })
}

async function observe(context: LaneContext, execution: LaneExecution): Promise<Observation> {
  const artifact = readArtifact(execution.unsigned)
  if (artifact.kind !== 'order') {
    throw new Fault('VALIDATION_ERROR', 'this execution has no order to read', { exchange: 'limitless' })
  }
  const { message, domain } = artifact.order
  const exchange = domain.verifyingContract
  const asked = { exchange, hash: order.hash(message, exchange) }
  const node = chainOf(context, 'limitless', chainId)
  const state = await readState(node, asked)
  const { isDone, remaining, block } = state
  const given = BigInt(message.makerAmount)
  if (!isDone && remaining === 0n) {
    return nothing(
      execution.venueRef,
      `up to block ${block} the contract knows nothing of it: it may rest, may have been cancelled at the venue, or may never have come`,
    )
  }
  const venueRef = execution.venueRef ?? asked.hash
  if (!isDone) {
    const matchedSize = sharesOf(artifact.order, given - remaining)
    const observation = { block, remaining: String(remaining), matched: matchedSize }
    return { status: 'acked', venueRef, fills: [], matchedSize, observation }
  }
  const { fills, isCancelled } = await readLogs(node, asked, state, execution.createdAt)
  const sum = fills.reduce((total, { gives }) => total + gives, 0n)
  const fillsReconciled = sum === given || (isCancelled && sum === (remaining === 0n ? 0n : given - remaining))
  const told = { block, remaining: String(remaining), fillsReconciled }
  if (!fillsReconciled) {
    const reason = 'the contract calls it done, and its logs do not say how'
    return { status: null, venueRef: execution.venueRef, fills: [], observation: { ...told, reason } }
  }
  return {
    status: sum === given ? 'filled' : 'canceled',
    venueRef,
    fills: fills.map((fill) => fillOf(artifact.order, fill, state)),
    matchedSize: sharesOf(artifact.order, sum),
    observation: told,
  }
}

/** Of a part of what the order gives, at its own price: a buyer who paid less got no fewer. */
const sharesOf = ({ message }: OrderArtifact, gives: bigint): string => {
  const shares = BigInt(message.side === 0 ? message.takerAmount : message.makerAmount)
  return fromUnits((shares * gives) / BigInt(message.makerAmount), decimals)
}

function fillOf({ message }: OrderArtifact, fill: ChainFill, { newest }: ChainState): VenueFill {
  const { gives, takes, fee, transactionHash, logIndex, blockNumber } = fill
  const [cash, shares] = message.side === 0 ? [gives, takes] : [takes, gives]
  return {
    key: `${transactionHash}:${logIndex}`,
    fill: {
      transactionHash,
      logIndex,
      blockNumber,
      makerAmountFilled: String(gives),
      takerAmountFilled: String(takes),
      fee: String(fee),
      size: fromUnits(shares, decimals),
      cash: fromUnits(cash, decimals),
    },
    filledAt: timeOf(blockNumber, newest),
  }
}
