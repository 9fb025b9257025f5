// The status of an order, read from the chain by anyone with a node: the result of its transaction, the order number in it, whether that
// order rests, and its executions. Nothing is reported as terminal before it is deep enough to be final.
//
//   transaction ─► mined? ─► reverted ─► failed
//                   └─► an immediate trade: its own log
//                   └─► rests? ─yes─► acked
//                        └─no─► logs of the pool: executed, cancelled
import { toEventSelector } from 'viem'
import { lowerBoundNow } from '#core/clock'
import { fromUnits } from '#core/decimal'
import { CallReverted, type ChainLog, type ChainNode, type ChainReceipt } from '#net/chainNode'
import type { ExecutionStatus, JsonObject } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { chainOf, readContract } from '../../shared/evm.ts'
import { observeCancel } from '../../shared/exec/orderSnapshot.ts'
import { ownerOf } from '../../shared/exec/signature.ts'
import { observePending, observeReverted, transactionStatus } from '../../shared/exec/transaction.ts'
import { chainId, confirmations } from '../ids.ts'
import { readArtifact } from './artifact.ts'
import { eventAbi, type PoolCall, poolAbi } from './contracts.ts'
import { Canceled, Claimed, Executed, logsOf, type PoolLog, readLog, Traded, timesOf } from './eventLogs.ts'
import { isOf, placedBy } from './placement.ts'

/** Reads of one execution. */
interface Look {
  context: LaneContext
  node: ChainNode
  execution: LaneExecution
  pool: `0x${string}`
  /** In lower case. */
  owner: string
  decimals: number
  receipt: ChainReceipt
  isFinal: boolean
}

export async function refresh(context: LaneContext, execution: LaneExecution): Promise<Observation> {
  const { to: pool, call } = readArtifact(execution.unsigned)
  const node = chainOf(context, 'rain', chainId)
  const chainStatus = await transactionStatus(node, execution, { confirmations, nowMs: lowerBoundNow(context.clock) })
  if (chainStatus.kind !== 'mined') return observePending(execution, chainStatus)
  const { receipt, isFinal } = chainStatus
  if (!receipt.succeeded) return observeReverted(execution, chainStatus)
  const owner = ownerOf('rain', execution).toLowerCase()
  const look: Look = { context, node, execution, pool, owner, decimals: decimalsIn(execution), receipt, isFinal }
  if (call.kind === 'limit') return observeOrder(look, call)
  if (call.kind === 'market') return observeTrade(look, call)
  if (call.kind === 'cancel') return observeCancellation(look, call)
  return observeClaim(look, call)
}

/** Irrelevant for a cancellation and a redemption. */
const decimalsIn = ({ bounds }: LaneExecution): number => (typeof bounds.decimals === 'number' ? bounds.decimals : 0)

type Order = Extract<PoolCall, { kind: 'limit' }>

/** For the filled part of a resting order: it is read repeatedly, and only its end needs all of its logs. */
const restingCallsMax = 8

async function observeOrder(look: Look, call: Order): Promise<Observation> {
  const { node, receipt, owner, pool } = look
  const logs = receipt.logs.flatMap((log) => readLog(pool, log) ?? [])
  const order = placedBy(logs, owner, call)
  // What it matched at once, as the taker.
  const atOnce = executionsIn(logs, ({ taker, orderOption }) => taker === owner && String(orderOption) === call.option)
  if (order === null) return observeAtOnce(look, atOnce)
  const orderId = String(order.orderID)
  const head = await node.head()
  const rests = await readRests(node, { pool, call, orderID: order.orderID, head })
  const topics = endTopics[call.side]
  const wanted = { pools: [pool], topics, wallet: owner }
  const range = { from: receipt.blockNumber, to: head }
  const later = await logsOf(node, wanted, range, rests === true ? restingCallsMax : undefined)
  if (later === null) {
    if (rests === true) return observeAcked(look, { orderId, atOnce })
    return observeAcked(look, {
      orderId,
      atOnce,
      why: 'it no longer rests; the node shows too few blocks at once to find its outcome',
    })
  }
  const mine = later.flatMap((log) => readLog(pool, log) ?? [])
  const executed = executionsIn(
    mine,
    (each) => each.maker === owner && each.orderID === order.orderID && isOf(each, call),
  )
  const canceled = mine.find(({ name, args }) => {
    const { data } = name.startsWith('Cancel') ? Canceled.safeParse(args) : { data: undefined }
    return data !== undefined && data.orderCreator === owner && data.orderID === order.orderID && isOf(data, call)
  })
  const all = [...atOnce, ...executed]
  if (rests === true) return observeAcked(look, { orderId, atOnce: all })
  const isWhole = sumOf(all, call.side) + BigInt(all.length) >= BigInt(call.amount)
  const endStatus: ExecutionStatus | null = canceled !== undefined ? 'canceled' : isWhole ? 'filled' : null
  if (endStatus === null) {
    const why =
      rests === null
        ? undefined
        : 'it no longer rests, and the chain shows neither all of it executed nor a cancellation'
    return observeAcked(look, { orderId, atOnce: all, ...(why !== undefined && { why }) })
  }
  const last = Math.max(
    ...[...all.map(({ log }) => log), ...(canceled ? [canceled.log] : [])].map((log) => log.blockNumber),
  )
  if (head - last < confirmations)
    return observeAcked(look, { orderId, atOnce: all, why: 'the block that ended it may still leave the chain' })
  return ended(look, endStatus, all, { orderId })
}

/** It was matched completely, so that nothing was left to rest; or its result is unknown. */
function observeAtOnce(look: Look, atOnce: readonly Execution[]): Observation | Promise<Observation> {
  if (atOnce.length === 0) return observeAcked(look, { why: 'its transaction shows no order that can be read' })
  return look.isFinal
    ? ended(look, 'filled', atOnce)
    : observeAcked(look, { atOnce, why: 'its block may still leave the chain' })
}

async function observeTrade(look: Look, call: Extract<PoolCall, { kind: 'market' }>): Promise<Observation> {
  const { receipt, owner, pool } = look
  const logs = receipt.logs.flatMap((log) => readLog(pool, log) ?? [])
  const traded = logs.flatMap(({ name, args, log }): Execution[] => {
    if (name !== (call.side === 'buy' ? 'EnterOption' : 'SellOption')) return []
    const { data } = Traded.safeParse(args)
    if (data === undefined || data.wallet !== owner || String(data.option) !== call.option) return []
    return [{ name, log, shares: data.sharesAmount, base: data.baseAmount, price: null, maker: null, taker: owner }]
  })
  // Without a log of the trade itself, its matches are used.
  const met = executionsIn(logs, ({ taker, orderOption }) => taker === owner && String(orderOption) === call.option)
  return observeAtOnce(look, traded.length > 0 ? traded : met)
}

function observeCancellation(look: Look, call: Extract<PoolCall, { kind: 'cancel' }>): Observation {
  const { receipt, owner, pool, execution, isFinal } = look
  const isDone = receipt.logs.some((log) => {
    const read = readLog(pool, log)
    const { data } = read?.name.startsWith('Cancel') ? Canceled.safeParse(read.args) : { data: undefined }
    return (
      data !== undefined && data.orderCreator === owner && String(data.orderID) === call.orderId && isOf(data, call)
    )
  })
  const reason = isDone ? 'the order is cancelled' : 'its transaction shows no cancellation that can be read'
  const seen = { shown: true, venueRef: execution.venueRef, fills: [], observation: { reason } }
  return observeCancel(isDone && isFinal ? 'canceled' : null, seen)
}

function observeClaim(look: Look, call: Extract<PoolCall, { kind: 'redeem' }>): Observation {
  const { receipt, owner, pool, execution, isFinal } = look
  const claimed = receipt.logs.flatMap((log) => {
    const read = readLog(pool, log)
    const { data } = read?.name === 'Claim' ? Claimed.safeParse(read.args) : { data: undefined }
    return data !== undefined && data.wallet === owner && String(data.option) === call.option ? [data] : []
  })
  const observation: JsonObject = claimed[0]
    ? { winningReward: String(claimed[0].winningReward) }
    : { reason: 'its transaction shows no claim that can be read' }
  const status = claimed.length > 0 && isFinal ? 'filled' : 'acked'
  return { status, shown: true, venueRef: execution.venueRef, fills: [], observation }
}

interface Execution {
  name: string
  log: ChainLog
  shares: bigint
  base: bigint
  /** At 18 decimals; null when it is the price paid per share. */
  price: bigint | null
  maker: string | null
  taker: string
}

function executionsIn(logs: readonly PoolLog[], isMine: (executed: typeof Executed._output) => boolean): Execution[] {
  return logs.flatMap(({ name, args, log }) => {
    const { data } = name.startsWith('Execute') ? Executed.safeParse(args) : { data: undefined }
    if (data === undefined || !isMine(data)) return []
    const { sharesAmount: shares, baseAmount: base, orderPrice: price, maker, taker } = data
    return [{ name, log, shares, base, price, maker, taker }]
  })
}

const sumOf = (executions: readonly Execution[], side: Order['side']): bigint =>
  executions.reduce((sum, { shares, base }) => sum + (side === 'buy' ? base : shares), 0n)

const topicsOf = (...names: readonly string[]): string[] =>
  eventAbi.filter(({ name }) => names.includes(name)).map((event) => toEventSelector(event))
const endTopics = {
  buy: topicsOf('ExecuteBuyOrder', 'CancelBuyOrder'),
  sell: topicsOf('ExecuteSellOrder', 'CancelSellOrder'),
} as const

/** Null: the pool does not say. */
async function readRests(
  node: ChainNode,
  { pool, call, orderID, head }: { pool: `0x${string}`; call: Order; orderID: bigint; head: number },
): Promise<boolean | null> {
  const args = [BigInt(call.option), call.optionSide, BigInt(call.price), orderID] as const
  try {
    const [exists] = await readContract(node, { address: pool, abi: poolAbi, functionName: 'orderBook', args }, head)
    return exists
  } catch (error) {
    if (error instanceof CallReverted) return null
    throw error
  }
}

interface AckedDetails {
  orderId?: string
  /** Executed so far, as far as this refresh shows. */
  atOnce?: readonly Execution[]
  why?: string
}

/** It was accepted, and this refresh does not show that it ended. */
function observeAcked({ execution, decimals }: Look, { orderId, atOnce = [], why }: AckedDetails): Observation {
  const shares = atOnce.reduce((sum, each) => sum + each.shares, 0n)
  return {
    status: 'acked',
    shown: true,
    venueRef: execution.venueRef,
    fills: [],
    ...(shares > 0n && { matchedSize: fromUnits(shares, decimals) }),
    observation: { ...(orderId !== undefined && { orderId }), ...(why !== undefined && { reason: why }) },
  }
}

async function ended(
  { execution, context, node, decimals }: Look,
  status: ExecutionStatus,
  executions: readonly Execution[],
  more: JsonObject = {},
): Promise<Observation> {
  const nowMs = context.clock.now()
  const times = await timesOf(
    node,
    executions.map(({ log }) => log),
    nowMs,
  )
  const fills = executions.map(({ name, log, shares, base, price, maker, taker }): VenueFill => {
    const { transactionHash, logIndex, blockNumber } = log
    const [size, paid] = [fromUnits(shares, decimals), fromUnits(base, decimals)]
    return {
      key: `${transactionHash}:${logIndex}`,
      fill: {
        event: name,
        transactionHash,
        logIndex,
        blockNumber,
        ...more,
        size,
        baseAmount: paid,
        price: price === null ? null : fromUnits(price, 18),
        maker,
        taker,
      },
      filledAt: times.get(blockNumber) ?? nowMs,
    }
  })
  const matched = fromUnits(
    executions.reduce((sum, { shares }) => sum + shares, 0n),
    decimals,
  )
  return { status, shown: true, matchedSize: matched, venueRef: execution.venueRef, fills, observation: more }
}
