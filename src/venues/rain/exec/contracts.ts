// The contracts of Rain's second version: calls, logs, and errors. https://github.com/UsamaShafique/rain-sdk-v2
// (src/abi/MarketsAbi.ts, src/abi/CreateMarketAbi.ts)
import { decodeFunctionData, encodeFunctionData, parseAbi, toFunctionSelector } from 'viem'
import type { Hex } from '../../shared/exec/typedOrder.ts'

/** What a wallet sends to a pool. */
export const callAbi = parseAbi([
  'function placeBuyOrder(uint256 option, uint8 optionSide, uint256 price, uint256 amount, bool postOnly) returns (uint256 orderID)',
  'function placeSellOrder(uint256 option, uint8 optionSide, uint256 price, uint256 shares, bool postOnly) returns (uint256 orderID)',
  'function enterOption(uint256 option, uint8 optionSide, uint256 amount, uint256 minSharesOut, uint256 deadline)',
  'function sellOption(uint256 option, uint8 optionSide, uint256 amount, uint256 minAmountOut, uint256 deadline)',
  'function cancelBuyOrders(uint256 option, uint8[] optionSide, uint256[] price, uint256[] orderID)',
  'function cancelSellOrders(uint256 option, uint8[] optionSide, uint256[] price, uint256[] orderID)',
  'function claim(uint256 option)',
])

/** Order calls of pools of an older build. */
export const olderAbi = parseAbi([
  'function placeBuyOrder(uint256 option, uint8 optionSide, uint256 price, uint256 amount) returns (uint256 orderID)',
  'function placeSellOrder(uint256 option, uint8 optionSide, uint256 price, uint256 shares) returns (uint256 orderID)',
])

/** Reads of a pool: its own state, and its routes (EIP-2535). */
export const poolAbi = parseAbi([
  'function FACTORY() view returns (address)',
  'function baseToken() view returns (address)',
  'function numberOfOptions() view returns (uint256)',
  'function facetAddress(bytes4 selector) view returns (address)',
  'function getEntryShares(uint256 option, uint8 optionSide, uint256 amount) view returns (uint256 returnedShares, uint256 expectedReward)',
  'function firstBuyOrderPrice(uint256 option, uint8 optionSide) view returns (uint256)',
  'function orderBook(uint256 option, uint8 optionSide, uint256 price, uint256 orderID) view returns (bool exists, int256 index)',
])

/** Reads of a deployer: which pools it created, and which facets its new pools use. */
export const factoryAbi = parseAbi([
  'function createdPools(address pool) view returns (bool)',
  'function diamondTradingFacet() view returns (address)',
  'function diamondCancelOrderFacet() view returns (address)',
  'function diamondClaimFacet() view returns (address)',
])

export const tokenAbi = parseAbi(['function decimals() view returns (uint8)'])

export const eventAbi = parseAbi([
  'event PlaceBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 baseAmount, uint256 orderID, address indexed maker)',
  'event PlaceSellOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 orderID, address indexed maker)',
  'event ExecuteBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 baseAmount, uint256 orderID, address indexed maker, address indexed taker)',
  'event ExecuteSellOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 baseAmount, uint256 orderID, address indexed maker, address indexed taker)',
  'event CancelBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderBaseAmount, uint256 orderPrice, uint256 orderID, address indexed orderCreator)',
  'event CancelSellOrder(uint256 orderOption, uint8 orderOptionSide, uint256 sharesAmount, uint256 orderPrice, uint256 orderID, address indexed orderCreator)',
  'event EnterOption(uint256 option, uint8 optionSide, uint256 baseAmount, uint256 sharesAmount, address wallet)',
  'event SellOption(uint256 option, uint8 optionSide, uint256 baseAmount, uint256 sharesAmount, address wallet)',
  'event Claim(address indexed wallet, uint256 option, uint8 winnerSide, uint256 winningReward)',
])

/** Uints as decimal text, for storage and comparison. */
export type PoolCall =
  | {
      kind: 'limit'
      side: 'buy' | 'sell'
      option: string
      optionSide: number
      price: string
      amount: string
      postOnly?: true
    }
  | {
      kind: 'market'
      side: 'buy' | 'sell'
      option: string
      optionSide: number
      amount: string
      minimum: string
      /** Unix seconds. */
      deadline: string
    }
  | { kind: 'cancel'; side: 'buy' | 'sell'; option: string; optionSide: number; price: string; orderId: string }
  | { kind: 'redeem'; option: string }

/** `isOlder`: for a pool without `postOnly`. */
export function callData(call: PoolCall, isOlder = false): Hex {
  const option = BigInt(call.option)
  if (call.kind === 'redeem') return encodeFunctionData({ abi: callAbi, functionName: 'claim', args: [option] })
  const { side, optionSide } = call
  const isBuy = side === 'buy'
  if (call.kind === 'cancel') {
    const functionName = isBuy ? 'cancelBuyOrders' : 'cancelSellOrders'
    const args = [option, [optionSide], [BigInt(call.price)], [BigInt(call.orderId)]] as const
    return encodeFunctionData({ abi: callAbi, functionName, args })
  }
  const amount = BigInt(call.amount)
  if (call.kind === 'market') {
    const functionName = isBuy ? 'enterOption' : 'sellOption'
    const args = [option, optionSide, amount, BigInt(call.minimum), BigInt(call.deadline)] as const
    return encodeFunctionData({ abi: callAbi, functionName, args })
  }
  const functionName = isBuy ? 'placeBuyOrder' : 'placeSellOrder'
  const args = [option, optionSide, BigInt(call.price), amount] as const
  if (isOlder) return encodeFunctionData({ abi: olderAbi, functionName, args })
  return encodeFunctionData({ abi: callAbi, functionName, args: [...args, call.postOnly === true] })
}

/** The decoded call of a wallet; null for bytes of no call of ours. */
export function readCall(data: Hex): PoolCall | null {
  for (const isOlder of [false, true]) {
    const call = decoded(data, isOlder)
    if (call !== null && callData(call, isOlder) === data) return call
  }
  return null
}

function decoded(data: Hex, isOlder: boolean): PoolCall | null {
  try {
    return callOf(decodeFunctionData({ abi: isOlder ? olderAbi : callAbi, data }))
  } catch {
    // Another contract's call, or a truncated one.
    return null
  }
}

function callOf({
  functionName,
  args,
}: ReturnType<typeof decodeFunctionData<typeof callAbi | typeof olderAbi>>): PoolCall | null {
  const side = functionName.includes('Buy') || functionName === 'enterOption' ? 'buy' : 'sell'
  const option = String(args[0])
  switch (functionName) {
    case 'claim':
      return { kind: 'redeem', option }
    case 'cancelBuyOrders':
    case 'cancelSellOrders': {
      const [, [optionSide], [price], [orderId]] = args
      if (optionSide === undefined || price === undefined || orderId === undefined) return null
      return { kind: 'cancel', side, option, optionSide, price: String(price), orderId: String(orderId) }
    }
    case 'enterOption':
    case 'sellOption': {
      const [, optionSide, amount, minimum, deadline] = args
      const [given, least, until] = [String(amount), String(minimum), String(deadline)]
      return { kind: 'market', side, option, optionSide, amount: given, minimum: least, deadline: until }
    }
    default: {
      const [, optionSide, price, amount] = args
      const postOnly = args.length === 5 && args[4] ? ({ postOnly: true } as const) : {}
      return { kind: 'limit', side, option, optionSide, price: String(price), amount: String(amount), ...postOnly }
    }
  }
}

/** The key by which a pool finds the facet of a call. */
export const selectorOf = (data: Hex): Hex => data.slice(0, 10) as Hex

/** Error names of pools of this version; only that these have no arguments is known. */
const errorNames = (
  'InvalidOption InvalidOptions InvalidSide InvalidPrice InvalidAmount AmountTooSmall InsufficientAmount InsufficientUserShares DeadlineExpired ' +
  'SlippageExceeded OrderBookPhaseNotOpen OrderWouldCross OrderDoesNotExist OrderAlreadyExists CallerNotOrderPlacer ArrayLengthMismatch PoolClosed ' +
  'PoolOpen PoolNotClosed SaleNotLive SaleStillLive InvalidPoolState AlreadyClaimed IneligibleToClaim NoRewardToClaim UserBuyOrderLimitReached ' +
  'UserSellOrderLimitReached'
).split(' ')

const errorsBySelector: ReadonlyMap<string, string> = new Map(
  errorNames.map((name) => [toFunctionSelector(`${name}()`), name]),
)

/** Null for bytes of an unknown error. */
export const errorNameOf = (data: Hex | null): string | null =>
  data === null ? null : (errorsBySelector.get(data.slice(0, 10)) ?? null)
