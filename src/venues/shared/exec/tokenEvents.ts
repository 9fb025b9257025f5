// Logs of Gnosis' conditional tokens, of the adapters of negative-risk markets, and of ERC-1155. The two contracts' events of one name differ in
// what they list, and both name the condition and the amount.
import { decodeEventLog, parseAbi } from 'viem'
import type { ChainLog } from '#net/chainNode'
import type { Hex } from './typedOrder.ts'

const eventAbi = parseAbi([
  'event PayoutRedemption(address indexed redeemer, address indexed collateralToken, bytes32 indexed parentCollectionId, bytes32 conditionId, uint256[] indexSets, uint256 payout)',
  'event PayoutRedemption(address indexed redeemer, bytes32 indexed conditionId, uint256[] amounts, uint256 payout)',
  'event PositionSplit(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)',
  'event PositionSplit(address indexed stakeholder, bytes32 indexed conditionId, uint256 amount)',
  'event PositionsMerge(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)',
  'event PositionsMerge(address indexed stakeholder, bytes32 indexed conditionId, uint256 amount)',
  'event PositionsConverted(address indexed stakeholder, bytes32 indexed marketId, uint256 indexed indexSet, uint256 amount)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])

export type TokenEvent = NonNullable<ReturnType<typeof readEvent>>

/** Those of the contracts; others are left out. */
export function tokenEvents(logs: readonly ChainLog[], contracts: readonly Hex[]): TokenEvent[] {
  const addresses = new Set(contracts.map((address) => address.toLowerCase()))
  return logs.flatMap((log) => (addresses.has(log.address) ? (readEvent(log) ?? []) : []))
}

/** Null for any other event. */
function readEvent(log: ChainLog) {
  try {
    const [first, ...rest] = log.topics as [Hex, ...Hex[]]
    return decodeEventLog({ abi: eventAbi, topics: [first, ...rest], data: log.data as Hex })
  } catch {
    return null
  }
}

/** Whether some outcome tokens moved between the two. Lower case. */
export const hasTransfer = (events: readonly TokenEvent[], { from, to }: { from: string; to: string }): boolean =>
  events.some(
    (event) =>
      (event.eventName === 'TransferSingle' || event.eventName === 'TransferBatch') &&
      event.args.from.toLowerCase() === from &&
      event.args.to.toLowerCase() === to,
  )
