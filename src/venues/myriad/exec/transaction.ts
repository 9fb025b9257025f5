// Trades with pools, and redemptions, when the operator has a node of BNB Chain: the signed transaction is sent to it once, or the hash of
// one that the wallet has sent is accepted; its outcome is read from the receipt. On other networks the wallet sends the transaction
// itself, and its status is not tracked.
import { decodeEventLog, parseAbi } from 'viem'
import { z } from 'zod'
import { lowerBoundNow } from '#core/clock'
import { fromUnits } from '#core/decimal'
import type { ChainLog } from '#net/chainNode'
import type { JsonObject } from '#schemas/executions'
import type { LaneContext, LaneExecution, Observation, VenueFill } from '../../lane.ts'
import { chainOf, hasNodes } from '../../shared/evm.ts'
import { artifactReader } from '../../shared/exec/artifact.ts'
import { readBounds } from '../../shared/exec/bounds.ts'
import { ownerOf } from '../../shared/exec/signature.ts'
import {
  observePending,
  observeReverted,
  transactionShape,
  transactionStatus,
  transactionSubmit,
} from '../../shared/exec/transaction.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'
import { readTrade } from './contracts.ts'
import { chainId } from './typedData.ts'

/** https://docs.bnbchain.org/bnb-smart-chain/developers/json_rpc/bsc-api-list/: half of 21 validators, eight blocks each in a row. */
const confirmations = 88

const readTransaction = artifactReader('myriad', transactionShape(chainId))

export const transactions = transactionSubmit({ venue: 'myriad', chainId, readTransaction })

export const hasRpcNode = (context: LaneContext, network: number): boolean => network === chainId && hasNodes(context)

export async function observeTransaction(context: LaneContext, execution: LaneExecution): Promise<Observation> {
  const node = chainOf(context, 'myriad', chainId)
  const chainStatus = await transactionStatus(node, execution, { confirmations, nowMs: lowerBoundNow(context.clock) })
  if (chainStatus.kind !== 'mined') return observePending(execution, chainStatus)
  if (!chainStatus.receipt.succeeded) return observeReverted(execution, chainStatus)
  const { receipt, isFinal } = chainStatus
  const trade = readTrade(readTransaction(execution.unsigned).data)
  const fills = trade === null ? [] : tradesIn(receipt.logs, execution)
  const isReported = trade === null || fills.length > 0
  const why = !isReported
    ? 'its transaction shows no trade that can be read'
    : isFinal
      ? null
      : 'its block may still leave the chain'
  return {
    status: why === null ? 'filled' : 'acked',
    shown: true,
    venueRef: execution.venueRef,
    fills: why === null ? fills : [],
    ...(fills[0] && { matchedSize: String(fills[0].fill.size) }),
    observation: { blockNumber: receipt.blockNumber, ...(why !== null && { reason: why }) },
  }
}

const eventAbi = parseAbi([
  'event MarketActionTx(address indexed user, uint8 indexed action, uint256 indexed marketId, uint256 outcomeId, uint256 shares, uint256 value, uint256 timestamp)',
])
const Bounds = z.object({ decimals: z.int().min(0).max(18) })

/** The pool's logs of this trade. Their value is before a seller's fees and after a buyer's. */
function tradesIn(logs: readonly ChainLog[], execution: LaneExecution): VenueFill[] {
  const { to, data } = readTransaction(execution.unsigned)
  const { isBuy, marketId, outcomeId } = readTrade(data)!
  const owner = ownerOf('myriad', execution).toLowerCase()
  const { decimals } = readBounds('myriad', Bounds, execution.bounds)
  return logs.flatMap((log): VenueFill[] => {
    const poolAction = log.address === to.toLowerCase() ? readLog(log) : null
    if (poolAction === null || poolAction.user.toLowerCase() !== owner || poolAction.action !== (isBuy ? 0 : 1))
      return []
    if (poolAction.marketId !== marketId || poolAction.outcomeId !== outcomeId) return []
    const { transactionHash, logIndex, blockNumber } = log
    const fill: JsonObject = {
      event: 'MarketActionTx',
      transactionHash,
      logIndex,
      blockNumber,
      size: fromUnits(poolAction.shares, decimals),
      value: fromUnits(poolAction.value, decimals),
    }
    return [{ key: `${transactionHash}:${logIndex}`, fill, filledAt: Number(poolAction.timestamp) * 1_000 }]
  })
}

/** Null for any other event. */
function readLog(log: ChainLog) {
  try {
    const [first, ...rest] = log.topics as [Hex, ...Hex[]]
    return decodeEventLog({ abi: eventAbi, topics: [first, ...rest], data: log.data as Hex }).args
  } catch {
    return null
  }
}
