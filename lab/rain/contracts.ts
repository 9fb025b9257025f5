// Rain's contracts, by the calls of the second client's ABI: prices, funds, quotes, orders, routes; the deployer that made the pools; their base
// token; and Multicall3. A pool quotes the simulator's best levels.
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi, zeroAddress } from 'viem'
import { aggregated, multicall } from '../chain/multicall.ts'
import type { EngineMarket } from '../engine/market.ts'
import type { OrderManager, SimulatedOrder } from '../engine/orderManager.ts'
import type { RainListing, RainOption, RainPool } from './marketGenerator.ts'

const poolAbi = parseAbi([
  'function getCurrentPrice(uint256 option, uint8 optionSide) view returns (uint256)',
  'function optionTotalFunds(uint256 option) view returns (uint256)',
  'function getEntryShares(uint256 option, uint8 optionSide, uint256 amount) view returns (uint256 returnedShares, uint256 expectedReward)',
  'function firstBuyOrderPrice(uint256 option, uint8 optionSide) view returns (uint256)',
  'function orderBook(uint256 option, uint8 optionSide, uint256 price, uint256 orderID) view returns (bool exists, int256 index)',
  'function userActiveBuyOrders(address user) view returns (uint256)',
  'function userActiveSellOrders(address user) view returns (uint256)',
  'function userFundsPerSideInEscrow(uint256 option, uint8 optionSide, address user) view returns (uint256)',
  'function userSharesPerSideInEscrow(uint256 option, uint8 optionSide, address user) view returns (uint256)',
  'function FACTORY() view returns (address)',
  'function baseToken() view returns (address)',
  'function numberOfOptions() view returns (uint256)',
  'function facetAddress(bytes4 selector) view returns (address)',
])
const factoryAbi = parseAbi([
  'function createdPools(address pool) view returns (bool)',
  'function diamondTradingFacet() view returns (address)',
  'function diamondCancelOrderFacet() view returns (address)',
  'function diamondClaimFacet() view returns (address)',
])
const tokenAbi = parseAbi(['function decimals() view returns (uint8)'])

/** Of the second version, in production. */
export const factory = '0x38B3Ba1ee001E6785224E31b3031ae96CA06C677'
export const baseToken = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'
const facets = {
  diamondTradingFacet: `0x${'f1'.repeat(20)}`,
  diamondCancelOrderFacet: `0x${'f2'.repeat(20)}`,
  diamondClaimFacet: `0x${'f3'.repeat(20)}`,
} as const
/** By selector: placeBuyOrder, placeSellOrder, enterOption, sellOption; cancelBuyOrders, cancelSellOrders; claim. */
const usualRoutes: ReadonlyMap<string, Hex> = new Map([
  ...['0xf3e41a90', '0x7fed5233', '0xa2489000', '0x25f44ecb'].map(
    (selector) => [selector, facets.diamondTradingFacet] as const,
  ),
  ...['0x74be5a8e', '0xaa27e5b1'].map((selector) => [selector, facets.diamondCancelOrderFacet] as const),
  ['0x379607f5', facets.diamondClaimFacet] as const,
])

const one = 1_000_000n
export const microsPerPrice = 10n ** 12n
/** Of the base token. */
export const decimals = 6

/** Faulty pools. */
export interface PoolFaults {
  /** The pool names another creator, and no deployer log confirms it. */
  foreign: ReadonlySet<string>
  /** It routes these calls elsewhere: by address and selector. */
  routes: ReadonlyMap<string, Hex>
}

/** What this many base units buy of a side; null when there is no offer. */
export function entryShares(live: EngineMarket, isYes: boolean, amount: bigint): bigint | null {
  if (live.status !== 'open') return null
  const [bid, ask] = [live.book.bestBidMicros(), live.book.bestAskMicros()]
  const price = isYes ? ask : bid === null ? null : 1_000_000 - bid
  return price === null ? null : (amount * one) / BigInt(price)
}

/** The best bid for a side, in micros; null when there is none. */
export function bestBid(live: EngineMarket, isYes: boolean): number | null {
  if (isYes) return live.book.bestBidMicros()
  const ask = live.book.bestAskMicros()
  return ask === null ? null : 1_000_000 - ask
}

/** The unspent part of a resting order: base units of a purchase, shares of a sale. */
function escrowOf({ details, fills }: SimulatedOrder): bigint {
  const { amount, isBuy, optionSide } = details as { amount: bigint; isBuy: boolean; optionSide: number }
  return fills.reduce((left, { hundredths, priceMicros }) => {
    const shares = (BigInt(hundredths) * 10n ** BigInt(decimals)) / 100n
    const micros = BigInt(optionSide === 1 ? priceMicros : 1_000_000 - priceMicros)
    return left - (isBuy ? (shares * micros) / one : shares)
  }, amount)
}

export interface Reads {
  /** Null: the contract reverts, or there is none. */
  read(to: string, data: Hex): Hex | null
}

export function createReads(options: {
  listing: RainListing
  orderManager(): OrderManager
  live(option: RainOption): EngineMarket
  faults: PoolFaults
}): Reads {
  const { listing, orderManager, live, faults } = options

  function ofFactory(data: Hex): Hex {
    const { functionName, args } = decodeFunctionData({ abi: factoryAbi, data })
    if (functionName !== 'createdPools') {
      return encodeFunctionResult({ abi: factoryAbi, functionName, result: facets[functionName] })
    }
    const pool = args[0].toLowerCase()
    const result = listing.byAddress.has(pool) && !faults.foreign.has(pool)
    return encodeFunctionResult({ abi: factoryAbi, functionName, result })
  }

  const restingOf = (user: string): SimulatedOrder[] =>
    orderManager()
      .ordersOf(user.toLowerCase())
      .filter(({ status }) => status === 'open')

  function ofPool(pool: RainPool, data: Hex): Hex | null {
    const { functionName, args } = decodeFunctionData({ abi: poolAbi, data })
    const { address, options } = pool
    switch (functionName) {
      case 'userActiveBuyOrders':
      case 'userActiveSellOrders': {
        const isBuy = functionName === 'userActiveBuyOrders'
        const mine = restingOf(args[0]).filter(({ details }) => (details.option as RainOption).pool === pool)
        const result = BigInt(mine.filter(({ details }) => details.isBuy === isBuy).length)
        return encodeFunctionResult({ abi: poolAbi, functionName, result })
      }
      case 'userFundsPerSideInEscrow':
      case 'userSharesPerSideInEscrow': {
        const isBuy = functionName === 'userFundsPerSideInEscrow'
        const [option, optionSide, user] = args
        const mine = restingOf(user).filter(
          ({ details }) =>
            details.option === options[Number(option) - 1] &&
            details.optionSide === optionSide &&
            details.isBuy === isBuy,
        )
        const result = mine.reduce((sum, order) => sum + escrowOf(order), 0n)
        return encodeFunctionResult({ abi: poolAbi, functionName, result })
      }
      case 'FACTORY': {
        const result = faults.foreign.has(address) ? (`0x${'ee'.repeat(20)}` as const) : factory
        return encodeFunctionResult({ abi: poolAbi, functionName, result })
      }
      case 'baseToken':
        return encodeFunctionResult({ abi: poolAbi, functionName, result: baseToken })
      case 'numberOfOptions':
        return encodeFunctionResult({ abi: poolAbi, functionName, result: BigInt(options.length) })
      case 'facetAddress': {
        const result = faults.routes.get(`${address}:${args[0]}`) ?? usualRoutes.get(args[0]) ?? zeroAddress
        return encodeFunctionResult({ abi: poolAbi, functionName, result })
      }
    }
    const option = options[Number(args[0]) - 1]
    if (option === undefined) return null
    const market = live(option)
    if (functionName === 'optionTotalFunds') {
      return encodeFunctionResult({ abi: poolAbi, functionName, result: BigInt(market.volumeHundredths) * 10_000n })
    }
    const isYes = args[1] === 1
    if (functionName === 'orderBook') {
      const order = orderManager().find(Number(args[3]))
      const exists = order?.status === 'open' && order.details.option === option
      return encodeFunctionResult({ abi: poolAbi, functionName, result: [exists, exists ? 0n : -1n] })
    }
    if (functionName === 'getCurrentPrice') {
      const yes = BigInt(market.midMicros())
      return encodeFunctionResult({ abi: poolAbi, functionName, result: (isYes ? yes : one - yes) * microsPerPrice })
    }
    if (functionName === 'firstBuyOrderPrice') {
      const result = BigInt(bestBid(market, isYes) ?? 0) * microsPerPrice
      return encodeFunctionResult({ abi: poolAbi, functionName, result })
    }
    const shares = entryShares(market, isYes, args[2])
    return shares === null ? null : encodeFunctionResult({ abi: poolAbi, functionName, result: [shares, shares] })
  }

  function read(to: string, data: Hex): Hex | null {
    const address = to.toLowerCase()
    if (address === multicall) return aggregated(data, read)
    try {
      if (address === factory.toLowerCase()) return ofFactory(data)
      if (address === baseToken.toLowerCase()) {
        const { functionName } = decodeFunctionData({ abi: tokenAbi, data })
        return encodeFunctionResult({ abi: tokenAbi, functionName, result: decimals })
      }
      const pool = listing.byAddress.get(address)
      return pool === undefined ? null : ofPool(pool, data)
    } catch {
      // A function it does not have.
      return null
    }
  }

  return { read }
}
