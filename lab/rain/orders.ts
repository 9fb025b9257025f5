// What a wallet's transaction does to a pool: book orders, immediate trades, cancellations, claims; each with its log, and the error with which the
// contract reverts. No balances and no allowances: every wallet has what it needs.
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import type { LabLog, LabMachine } from '../chain/chain.ts'
import { ASK, BID } from '../engine/book.ts'
import type { EngineMarket, LabTrade } from '../engine/market.ts'
import type { OrderManager, SimulatedFill, SimulatedOrder } from '../engine/orderManager.ts'
import { bestBid, decimals, entryShares, microsPerPrice, type Reads } from './contracts.ts'
import type { RainListing, RainOption, RainPool } from './marketGenerator.ts'

const abi = parseAbi([
  'function placeBuyOrder(uint256 option, uint8 optionSide, uint256 price, uint256 amount, bool postOnly)',
  'function placeSellOrder(uint256 option, uint8 optionSide, uint256 price, uint256 shares, bool postOnly)',
  'function enterOption(uint256 option, uint8 optionSide, uint256 amount, uint256 minSharesOut, uint256 deadline)',
  'function sellOption(uint256 option, uint8 optionSide, uint256 amount, uint256 minAmountOut, uint256 deadline)',
  'function cancelBuyOrders(uint256 option, uint8[] optionSide, uint256[] price, uint256[] orderID)',
  'function cancelSellOrders(uint256 option, uint8[] optionSide, uint256[] price, uint256[] orderID)',
  'function claim(uint256 option)',
])
const events = parseAbi([
  'event EnterOption(uint256 option, uint8 optionSide, uint256 baseAmount, uint256 sharesAmount, address wallet)',
  'event SellOption(uint256 option, uint8 optionSide, uint256 baseAmount, uint256 sharesAmount, address wallet)',
  'event PlaceBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 baseAmount, uint256 orderID, address indexed maker)',
  'event PlaceSellOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 orderID, address indexed maker)',
  'event ExecuteBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 baseAmount, uint256 orderID, address indexed maker, address indexed taker)',
  'event ExecuteSellOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 baseAmount, uint256 orderID, address indexed maker, address indexed taker)',
  'event CancelBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderBaseAmount, uint256 orderPrice, uint256 orderID, address indexed orderCreator)',
  'event CancelSellOrder(uint256 orderOption, uint8 orderOptionSide, uint256 sharesAmount, uint256 orderPrice, uint256 orderID, address indexed orderCreator)',
  'event Claim(address indexed wallet, uint256 option, uint8 winnerSide, uint256 winningReward)',
])

const wei = 10n ** 18n
const one = 1_000_000n
/** Base units of a share's hundredth. */
const unitsPerHundredth = 10n ** BigInt(decimals - 2)
/** Maximum resting orders per wallet and side. */
const ordersMax = 50
/** The trader when it is not a wallet of the lab. */
const stranger: Hex = `0x${'11'.repeat(20)}`
const strangersMaker: Hex = `0x${'22'.repeat(20)}`

class Reverted extends Error {
  readonly selector: Hex
  constructor(name: string) {
    super(name)
    this.selector = toFunctionSelector(`${name}()`)
  }
}
const refuse = (name: string): never => {
  throw new Reverted(name)
}

/** Kept with an order: how the contract reports it. */
interface OrderDetails {
  option: RainOption
  isBuy: boolean
  optionSide: number
  price: bigint
  /** Base units that it may spend; shares that it sells. */
  amount: bigint
}
const detailsOf = (order: SimulatedOrder): OrderDetails => order.details as unknown as OrderDetails

type EventName = (typeof events)[number]['name']

function logOf(pool: RainPool, eventName: EventName, args: Readonly<Record<string, unknown>>): LabLog {
  const event = events.find(({ name }) => name === eventName)!
  const inData = event.inputs.filter((input) => !('indexed' in input && input.indexed))
  const topics = encodeEventTopics({ abi: events, eventName, args } as never) as string[]
  const values = inData.map(({ name }) => args[name!])
  return { address: pool.address, topics, data: encodeAbiParameters(inData as never, values as never) }
}

export interface Orders {
  machine: LabMachine
  /** Pools in which no order may rest yet. */
  beforeOrders: Set<string>
  /** Logs of a trade: the parts that are wallets' orders, each with its own log, and the rest. */
  logsOf(option: RainOption, trade: LabTrade): LabLog[]
  /** Whether any wallet's order rests there. */
  hasOrders(option: RainOption): boolean
}

export function createOrders(options: {
  listing: RainListing
  reads: Reads
  orderManager(): OrderManager
  live(option: RainOption): EngineMarket
  /** Unix seconds. */
  now(): number
}): Orders {
  const { listing, reads, live, now } = options
  const beforeOrders = new Set<string>()
  const claimed = new Set<string>()
  /** Orders whose fills the next trade's logs report, if not reported yet. */
  const resting = new Map<string, Set<SimulatedOrder>>()
  const reportedFills = new WeakMap<SimulatedOrder, number>()
  let isPlacing = false

  function optionOf(pool: RainPool, option: bigint): RainOption {
    return pool.options[Number(option) - 1] ?? refuse('InvalidOption')
  }

  /** Every order of a call is checked before anything is done; `isReal` false: nothing is. */
  function run(from: string, pool: RainPool, data: Hex, isReal: boolean): LabLog[] {
    const { functionName, args } = decodeFunctionData({ abi, data })
    const option = optionOf(pool, args[0])
    switch (functionName) {
      case 'placeBuyOrder':
      case 'placeSellOrder': {
        const [, optionSide, price, amount, postOnly] = args
        const isBuy = functionName === 'placeBuyOrder'
        return place(from, { option, isBuy, optionSide, price, amount }, { postOnly, isReal })
      }
      case 'enterOption':
      case 'sellOption': {
        const [, optionSide, amount, minimum, deadline] = args
        const isBuy = functionName === 'enterOption'
        return trade(from, { option, isBuy, optionSide, amount, minimum, deadline })
      }
      case 'cancelBuyOrders':
      case 'cancelSellOrders': {
        const [, sides, prices, ids] = args
        if (sides.length !== prices.length || prices.length !== ids.length) refuse('ArrayLengthMismatch')
        const isBuy = functionName === 'cancelBuyOrders'
        const orders = ids.map((id, n) => own(from, { option, isBuy, optionSide: sides[n]!, price: prices[n]! }, id))
        return isReal ? orders.map((order) => cancel(order)) : []
      }
      case 'claim':
        return claim(from, option, isReal)
    }
  }

  function checkSide(optionSide: number): boolean {
    if (optionSide !== 1 && optionSide !== 2) refuse('InvalidSide')
    return optionSide === 1
  }

  function place(
    from: string,
    details: OrderDetails,
    { postOnly, isReal }: { postOnly: boolean; isReal: boolean },
  ): LabLog[] {
    const { option, isBuy, optionSide, price, amount } = details
    const isYes = checkSide(optionSide)
    const market = live(option)
    if (market.status !== 'open') refuse('PoolClosed')
    if (beforeOrders.has(option.pool.address)) refuse('OrderBookPhaseNotOpen')
    const micros = Number(price / microsPerPrice)
    const priceMicros = isYes ? micros : 1_000_000 - micros
    if (price % microsPerPrice !== 0n || price <= 0n || price >= wei || market.book.grid.indexOf(priceMicros) < 0) {
      refuse('InvalidPrice')
    }
    const hundredths = Number((isBuy ? (amount * wei) / price : amount) / unitsPerHundredth)
    if (hundredths === 0) refuse('AmountTooSmall')
    const orderManager = options.orderManager()
    const open = orderManager
      .ordersOf(from)
      .filter((order) => order.status === 'open' && detailsOf(order).isBuy === isBuy)
    if (open.length >= ordersMax) refuse(isBuy ? 'UserBuyOrderLimitReached' : 'UserSellOrderLimitReached')
    if (!isReal) return []
    isPlacing = true
    const placed = orderManager.place(market, {
      account: from,
      side: isBuy === isYes ? BID : ASK,
      priceMicros,
      hundredths,
      clientId: null,
      life: 'gtc',
      postOnly,
      details: { ...details },
    })
    isPlacing = false
    if (typeof placed === 'string') return refuse(placed === 'would_cross' ? 'OrderWouldCross' : 'InvalidAmount')
    const atOnce = fillLogs(placed)
    if (placed.status !== 'open') return atOnce
    resting.set(option.key, (resting.get(option.key) ?? new Set()).add(placed))
    const given = isBuy ? { baseAmount: amount } : { sharesAmount: amount }
    const eventArgs = { ...namesOf(placed), ...given, maker: from }
    return [...atOnce, logOf(option.pool, isBuy ? 'PlaceBuyOrder' : 'PlaceSellOrder', eventArgs)]
  }

  const namesOf = (order: SimulatedOrder) => {
    const { option, optionSide, price } = detailsOf(order)
    return {
      orderOption: BigInt(option.option),
      orderOptionSide: optionSide,
      orderPrice: price,
      orderID: BigInt(order.ordinal),
    }
  }

  /** Fills of an order that no log has reported yet. */
  function fillLogs(order: SimulatedOrder): LabLog[] {
    const fresh = order.fills.slice(reportedFills.get(order) ?? 0)
    reportedFills.set(order, order.fills.length)
    return fresh.map((fill) => fillLog(order, fill))
  }

  function fillLog(order: SimulatedOrder, { priceMicros, hundredths, maker }: SimulatedFill): LabLog {
    const { option, isBuy, optionSide } = detailsOf(order)
    const micros = BigInt(optionSide === 1 ? priceMicros : 1_000_000 - priceMicros)
    const shares = BigInt(hundredths) * unitsPerHundredth
    const amounts = { sharesAmount: shares, baseAmount: (shares * micros) / one, orderPrice: micros * microsPerPrice }
    const account = order.account as Hex
    // As a maker it is executed; as a taker it executes another order.
    const [name, who] = maker
      ? ([isBuy ? 'ExecuteBuyOrder' : 'ExecuteSellOrder', { maker: account, taker: stranger }] as const)
      : ([isBuy ? 'ExecuteSellOrder' : 'ExecuteBuyOrder', { maker: strangersMaker, taker: account }] as const)
    const orderID = maker ? BigInt(order.ordinal) : 0n
    return logOf(option.pool, name, { ...namesOf(order), ...amounts, orderID, ...who })
  }

  interface AtOnce {
    option: RainOption
    isBuy: boolean
    optionSide: number
    amount: bigint
    minimum: bigint
    deadline: bigint
  }
  function trade(from: string, { option, isBuy, optionSide, amount, minimum, deadline }: AtOnce): LabLog[] {
    const isYes = checkSide(optionSide)
    const market = live(option)
    if (market.status !== 'open') refuse('PoolClosed')
    if (amount === 0n) refuse('InvalidAmount')
    if (BigInt(now()) > deadline) refuse('DeadlineExpired')
    const bid = bestBid(market, isYes)
    const brings = isBuy ? entryShares(market, isYes, amount) : bid === null ? null : (amount * BigInt(bid)) / one
    if (brings === null || brings < minimum) return refuse('SlippageExceeded')
    const [baseAmount, sharesAmount] = isBuy ? [amount, brings] : [brings, amount]
    const args = { option: BigInt(option.option), optionSide, baseAmount, sharesAmount, wallet: from }
    return [logOf(option.pool, isBuy ? 'EnterOption' : 'SellOption', args)]
  }

  function own(from: string, wanted: Omit<OrderDetails, 'amount'>, id: bigint): SimulatedOrder {
    const order = options.orderManager().find(Number(id))
    if (order === null || order.status !== 'open') return refuse('OrderDoesNotExist')
    const { option, isBuy, optionSide, price } = detailsOf(order)
    const isIt = option === wanted.option && isBuy === wanted.isBuy && optionSide === wanted.optionSide
    if (!isIt || price !== wanted.price) return refuse('OrderDoesNotExist')
    return order.account === from ? order : refuse('CallerNotOrderPlacer')
  }

  function cancel(order: SimulatedOrder): LabLog {
    const { option, isBuy, price } = detailsOf(order)
    options.orderManager().cancel(order)
    resting.get(option.key)?.delete(order)
    const left = BigInt(order.hundredths - order.filledHundredths) * unitsPerHundredth
    const given = isBuy ? { orderBaseAmount: (left * price) / wei } : { sharesAmount: left }
    const eventArgs = { ...namesOf(order), ...given, orderCreator: order.account }
    return logOf(option.pool, isBuy ? 'CancelBuyOrder' : 'CancelSellOrder', eventArgs)
  }

  function claim(from: string, option: RainOption, isReal: boolean): LabLog[] {
    const { status, result } = live(option)
    if (status !== 'resolved') refuse('PoolNotClosed')
    const key = `${option.key}:${from}`
    if (claimed.has(key)) refuse('AlreadyClaimed')
    if (isReal) claimed.add(key)
    const winnerSide = result === 'yes' ? 1 : 2
    return [
      logOf(option.pool, 'Claim', { wallet: from, option: BigInt(option.option), winnerSide, winningReward: one }),
    ]
  }

  function attempt(from: string, to: string, data: string, isReal: boolean): LabLog[] | { reverted: string } | null {
    const pool = listing.byAddress.get(to)
    if (pool === undefined) return null
    try {
      return run(from, pool, data as Hex, isReal)
    } catch (error) {
      if (error instanceof Reverted) return { reverted: error.selector }
      // A function that no facet has.
      return null
    }
  }

  return {
    beforeOrders,
    machine: {
      call({ from, to, input }) {
        const returned = reads.read(to, input as Hex)
        if (returned !== null) return { returned }
        const done = attempt(from, to, input, false)
        if (done === null) return { reverted: '0x' }
        return 'reverted' in done ? done : { returned: '0x' }
      },
      execute({ from, to, input }) {
        const done = attempt(from, to, input, true)
        if (done === null) return { reverted: '0x' }
        return 'reverted' in done ? done : { logs: done }
      },
    },
    hasOrders: ({ key }) => (resting.get(key)?.size ?? 0) > 0,
    logsOf(option, trade) {
      const mine = resting.get(option.key) ?? new Set()
      const logs: LabLog[] = []
      let left = Math.round(trade.size * 100)
      for (const order of mine) {
        const before = reportedFills.get(order) ?? 0
        left -= order.fills.slice(before).reduce((sum, { hundredths }) => sum + hundredths, 0)
        logs.push(...fillLogs(order))
        if (order.status !== 'open') mine.delete(order)
      }
      // What an order matches on placement is reported by its own transaction.
      return left > 0 && !isPlacing ? [...logs, strangersLog(option, trade, left)] : logs
    },
  }
}

/** A buyer of Yes enters the option; a seller meets a resting order to buy. */
function strangersLog(
  { pool, option }: RainOption,
  { priceMicros, takerBuysYes, ordinal }: LabTrade,
  hundredths: number,
) {
  const sharesAmount = BigInt(hundredths) * unitsPerHundredth
  const baseAmount = (sharesAmount * BigInt(priceMicros)) / one
  const amounts = { baseAmount, sharesAmount }
  if (takerBuysYes) {
    return logOf(pool, 'EnterOption', { option: BigInt(option), optionSide: 1, ...amounts, wallet: stranger })
  }
  const order = { orderOption: BigInt(option), orderOptionSide: 1, orderPrice: BigInt(priceMicros) * microsPerPrice }
  const who = { orderID: BigInt(ordinal), maker: strangersMaker, taker: stranger }
  return logOf(pool, 'ExecuteBuyOrder', { ...order, ...amounts, ...who })
}
