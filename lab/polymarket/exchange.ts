// Polymarket's exchange on its chain as a small ledger: one transfer after another, and the resulting events. Slow, and modelled on the contracts'
// own steps; https://docs.polymarket.com/resources/contract-addresses names them.
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, keccak256, pad, parseAbi } from 'viem'
import type { LabLog } from '../chain/chain.ts'

export const exchanges = {
  plain: '0xe111180000d2663c0091e4f400237545b87b996b',
  negRisk: '0xe2222d279d744050d28e00520010520000310f59',
} as const

export interface LabOrder {
  salt: bigint
  maker: Address
  signer: Address
  tokenId: bigint
  makerAmount: bigint
  takerAmount: bigint
  /** 0 buys, 1 sells. */
  side: 0 | 1
  signatureType: number
  timestamp: bigint
  metadata: Hex
  builder: Hex
  signature: Hex
}

export interface LabMatch {
  conditionId: Hex
  taker: LabOrder
  makers: readonly LabOrder[]
  takerFill: bigint
  makerFills: readonly bigint[]
  takerFee: bigint
  makerFees: readonly bigint[]
}

export interface LabFilled {
  order: LabOrder
  /** The other side, as the event names it. */
  taker: string
  makerAmountFilled: bigint
  takerAmountFilled: bigint
  fee: bigint
}

const abi = parseAbi([
  'struct Order { uint256 salt; address maker; address signer; uint256 tokenId; uint256 makerAmount; uint256 takerAmount; uint8 side; uint8 signatureType; uint256 timestamp; bytes32 metadata; bytes32 builder; bytes signature; }',
  'function matchOrders(bytes32 conditionId, Order takerOrder, Order[] makerOrders, uint256 takerFillAmount, uint256[] makerFillAmounts, uint256 takerFeeAmount, uint256[] makerFeeAmounts)',
])

export const encodeMatch = ({
  conditionId,
  taker,
  makers,
  takerFill,
  makerFills,
  takerFee,
  makerFees,
}: LabMatch): Hex =>
  encodeFunctionData({ abi, args: [conditionId, taker, makers, takerFill, makerFills, takerFee, makerFees] })

const money = 0n

/** Balances, except those that came from outside. */
class Balances {
  private readonly held = new Map<string, bigint>()

  of(who: string, asset: bigint): bigint {
    return this.held.get(`${who}/${asset}`) ?? 0n
  }

  add(who: string, asset: bigint, amount: bigint): void {
    this.held.set(`${who}/${asset}`, this.of(who, asset) + amount)
  }
}

/**
 * Events of one match in order: the makers', then the taker's. Null: the exchange lacks what it should pay, and reverts. `first`: the first
 * exchange, when everything goes through it.
 */
export function settle(
  match: LabMatch,
  { exchange, first = false }: { exchange: string; first?: boolean },
): LabFilled[] | null {
  const { taker, makers, takerFill, makerFills, takerFee, makerFees } = match
  const balances = new Balances()
  const move = (from: string, to: string, asset: bigint, amount: bigint): void => {
    balances.add(from, asset, -amount)
    balances.add(to, asset, amount)
  }
  const assetOf = ({ side, tokenId }: LabOrder) =>
    (side === 0 ? [money, tokenId] : [tokenId, money]) as [bigint, bigint]
  const legOf = (fill: bigint, order: LabOrder): bigint =>
    order.makerAmount === 0n ? 0n : (fill * order.takerAmount) / order.makerAmount
  const [takerGives, takerGets] = assetOf(taker)
  const events: LabFilled[] = makers.map((order, i) => ({
    order,
    taker: taker.maker,
    makerAmountFilled: makerFills[i]!,
    takerAmountFilled: legOf(makerFills[i]!, order),
    fee: makerFees[i]!,
  }))
  const filledEvents = (makerAmountFilled: bigint, takerAmountFilled: bigint): LabFilled[] => [
    ...events,
    { order: taker, taker: exchange, makerAmountFilled, takerAmountFilled, fee: takerFee },
  ]

  if (!first && makers.every(({ side }) => side !== taker.side)) {
    // Transferred directly between the two.
    for (const { order, makerAmountFilled, takerAmountFilled } of events) {
      move(`maker ${order.maker}`, 'taker', assetOf(order)[0], makerAmountFilled)
      move('taker', `maker ${order.maker}`, assetOf(order)[1], takerAmountFilled)
    }
    return filledEvents(-balances.of('taker', takerGives), balances.of('taker', takerGets))
  }

  move('taker', 'exchange', takerGives, takerFill)
  for (const { order, makerAmountFilled } of events)
    move(`maker ${order.maker}`, 'exchange', assetOf(order)[0], makerAmountFilled)
  for (const { order, makerAmountFilled, takerAmountFilled } of events) {
    if (order.side !== taker.side) continue
    const pair = [taker.tokenId, order.tokenId]
    if (order.side === 0) {
      balances.add('exchange', money, -takerAmountFilled)
      for (const token of pair) balances.add('exchange', token, takerAmountFilled)
    } else {
      for (const token of pair) balances.add('exchange', token, -makerAmountFilled)
      balances.add('exchange', money, makerAmountFilled)
    }
  }
  for (const { order, takerAmountFilled } of events)
    move('exchange', `maker ${order.maker}`, assetOf(order)[1], takerAmountFilled)
  const taking = balances.of('exchange', takerGets)
  move('exchange', 'taker', takerGets, taking)
  const isShort = [money, taker.tokenId, ...makers.map(({ tokenId }) => tokenId)].some(
    (asset) => balances.of('exchange', asset) < 0n,
  )
  return isShort || taking < 0n ? null : filledEvents(takerFill, taking)
}

const filledTopic = '0xd543adfd945773f1a62f74f0ee55a5e3b9b1a28262980ba90b1a89f2ea84d8ee'
const matchedTopic = '0x174b3811690657c217184f89418266767c87e4805d09680c39fc9c031c0cab7c'
const uint256 = { type: 'uint256' } as const
const orderHash = ({ salt }: LabOrder): Hex => keccak256(pad(`0x${salt.toString(16)}`))

/** The events as logs on the chain. */
export function logsOf(filled: readonly LabFilled[], exchange: string): LabLog[] {
  const taker = filled.at(-1)!
  const logs = filled.map(({ order, taker, makerAmountFilled, takerAmountFilled, fee }) => ({
    address: exchange,
    topics: [filledTopic, orderHash(order), pad(order.maker), pad(taker as Address)],
    data: encodeAbiParameters(
      [{ type: 'uint8' }, uint256, uint256, uint256, uint256, { type: 'bytes32' }, { type: 'bytes32' }],
      [order.side, order.tokenId, makerAmountFilled, takerAmountFilled, fee, order.builder, order.metadata],
    ),
  }))
  const matched = {
    address: exchange,
    topics: [matchedTopic, orderHash(taker.order), pad(taker.order.maker)],
    data: encodeAbiParameters(
      [{ type: 'uint8' }, uint256, uint256, uint256],
      [taker.order.side, taker.order.tokenId, taker.makerAmountFilled, taker.takerAmountFilled],
    ),
  }
  return [...logs, matched].map((log) => ({ ...log, topics: log.topics.map((topic) => topic.toLowerCase()) }))
}
