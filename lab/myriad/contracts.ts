// Myriad's contracts on BNB Chain: pools quote, trade with wallets and pay winnings; the contract that holds an order book's outcome tokens splits,
// merges and redeems them. Follows the documented signatures. No balances and no allowances: every wallet has what it needs.
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
  parseAbi,
} from 'viem'
import type { LabLog, LabMachine } from '../chain/chain.ts'
import { aggregated, multicall } from '../chain/multicall.ts'
import type { EngineMarket, LabTrade } from '../engine/market.ts'
import type { MyriadListing, MyriadMarket } from './marketGenerator.ts'
import { decimalsOf, filledOf, syntheticTraders, tradedWith } from './rows.ts'

export const chainId = 56
const predictionMarket = '0x39e66ee6b2ddaf4defded3038e0162180dbef340'
const conditionalTokens = '0x6413734f92248d4b29ae35883290bd93212654dc'

const poolAbi = parseAbi([
  'function calcBuyAmount(uint256 amount, uint256 marketId, uint256 outcomeId) view returns (uint256)',
  'function calcSellAmount(uint256 amount, uint256 marketId, uint256 outcomeId) view returns (uint256)',
  'function buy(uint256 marketId, uint256 outcomeId, uint256 minOutcomeSharesToBuy, uint256 value)',
  'function sell(uint256 marketId, uint256 outcomeId, uint256 value, uint256 maxOutcomeSharesToSell)',
  'function claimWinnings(uint256 marketId)',
  'function claimVoidedOutcomeShares(uint256 marketId, uint256 outcomeId)',
  'function getMarketPrices(uint256 marketId) view returns (uint256 liquidityPrice, uint256[] outcomePrices)',
])
const tokensAbi = parseAbi([
  'function redeemPositions(uint256 marketId)',
  'function redeemVoided(uint256 marketId)',
  'function splitPosition(uint256 marketId, uint256 amount)',
  'function mergePositions(uint256 marketId, uint256 amount)',
])
const errorAbi = parseAbi(['error Error(string)'])
const eventAbi = parseAbi([
  'event MarketActionTx(address indexed user, uint8 indexed action, uint256 indexed marketId, uint256 outcomeId, uint256 shares, uint256 value, uint256 timestamp)',
])
const actions = { buy: 0, sell: 1, claimWinnings: 4, claimVoided: 7 } as const

const one = 1_000_000n
const weiPerMicro = 10n ** 12n

/** buy, sell. */
export const ordering = ['0x1281311d', '0x3620875e'] as const

class Reverted extends Error {}
const refuse = (why: string): never => {
  throw new Reverted(why)
}

export interface Contracts {
  machine: LabMachine
  /** A wallet's trades with pools, oldest first. */
  tradesOf(wallet: string): readonly LabLog[]
  /** The pool's log for a trade by someone without a wallet here. */
  strangersLog(market: MyriadMarket, trade: LabTrade): LabLog
}

export function createContracts(options: {
  listing: MyriadListing
  live(market: MyriadMarket): EngineMarket
  /** Keys of markets that are void once they are resolved. */
  voided: ReadonlySet<string>
  /** Unix seconds. */
  now(): number
}): Contracts {
  const { listing, live, voided, now } = options
  const paid = new Set<string>()
  const trades = new Map<string, LabLog[]>()

  const marketOf = (model: MyriadMarket['model'], id: bigint): MyriadMarket =>
    listing.byName.get(`${chainId}:${model}:${id}`) ?? refuse('!m')
  const sideOf = (outcomeId: bigint): 0 | 1 => (outcomeId === 0n ? 0 : outcomeId === 1n ? 1 : refuse('!o'))

  function pool(id: bigint, outcomeId: bigint) {
    const market = marketOf('amm', id)
    const state = live(market)
    if (state.status !== 'open') refuse('!ms')
    return tradedWith(state, sideOf(outcomeId), decimalsOf(market))
  }
  const bought = (id: bigint, outcomeId: bigint, value: bigint): bigint => pool(id, outcomeId).bought(value)
  const sold = (id: bigint, outcomeId: bigint, value: bigint): bigint =>
    pool(id, outcomeId).sold(value) ?? refuse('b<v')

  function quote(data: Hex): Hex | null {
    const call = decodeFunctionData({ abi: poolAbi, data })
    const { functionName } = call
    if (functionName === 'getMarketPrices') {
      const micros = BigInt(live(marketOf('amm', call.args[0])).midMicros())
      const result = [0n, [micros * weiPerMicro, (one - micros) * weiPerMicro]] as const
      return encodeFunctionResult({ abi: poolAbi, functionName, result })
    }
    if (functionName !== 'calcBuyAmount' && functionName !== 'calcSellAmount') return null
    const [value, id, outcomeId] = call.args
    const result = functionName === 'calcBuyAmount' ? bought(id, outcomeId, value) : sold(id, outcomeId, value)
    return encodeFunctionResult({ abi: poolAbi, functionName, result })
  }

  interface Action {
    user: string
    action: number
    marketId: bigint
    outcomeId: bigint
    shares: bigint
    value: bigint
  }
  function logOf({ user, action, marketId, outcomeId, shares, value }: Action): LabLog {
    const args = { user: user as Hex, action, marketId }
    const uint = { type: 'uint256' } as const
    const data = encodeAbiParameters([uint, uint, uint, uint], [outcomeId, shares, value, BigInt(now())])
    const topics = encodeEventTopics({ abi: eventAbi, eventName: 'MarketActionTx', args }) as string[]
    return { address: predictionMarket, topics, data }
  }

  /** Once for each wallet. */
  function pay(user: string, what: string, isReal: boolean): void {
    const key = `${what}:${user}`
    if (paid.has(key)) refuse('!c')
    if (isReal) paid.add(key)
  }

  function runPool(user: string, data: Hex, isReal: boolean): LabLog[] {
    const call = decodeFunctionData({ abi: poolAbi, data })
    switch (call.functionName) {
      case 'buy': {
        const [marketId, outcomeId, least, value] = call.args
        const shares = bought(marketId, outcomeId, value)
        if (shares < least) refuse('s<m')
        return [logOf({ user, action: actions.buy, marketId, outcomeId, shares, value })]
      }
      case 'sell': {
        const [marketId, outcomeId, value, most] = call.args
        const shares = sold(marketId, outcomeId, value)
        if (shares > most) refuse('s>m')
        return [logOf({ user, action: actions.sell, marketId, outcomeId, shares, value })]
      }
      case 'claimWinnings': {
        const [marketId] = call.args
        const { key, won } = resolved('amm', marketId)
        if (voided.has(key)) refuse('mv')
        pay(user, key, isReal)
        return [logOf({ user, action: actions.claimWinnings, marketId, outcomeId: won, shares: 1n, value: 1n })]
      }
      case 'claimVoidedOutcomeShares': {
        const [marketId, outcomeId] = call.args
        const { key } = resolved('amm', marketId)
        if (!voided.has(key)) refuse('!mv')
        pay(user, `${key}:${sideOf(outcomeId)}`, isReal)
        return [logOf({ user, action: actions.claimVoided, marketId, outcomeId, shares: 1n, value: 1n })]
      }
      default:
        return []
    }
  }

  function resolved(model: MyriadMarket['model'], id: bigint): { key: string; won: bigint } {
    const market = marketOf(model, id)
    const { status, result } = live(market)
    if (status !== 'resolved') refuse('!ms')
    return { key: market.key, won: result === 'yes' ? 0n : 1n }
  }

  /** Its logs are undocumented. */
  function runTokens(user: string, data: Hex, isReal: boolean): LabLog[] {
    const { functionName, args } = decodeFunctionData({ abi: tokensAbi, data })
    if (functionName === 'splitPosition' || functionName === 'mergePositions') {
      const { status } = live(marketOf('ob', args[0]))
      if (functionName === 'splitPosition' && status !== 'open') refuse('!ms')
      if (args[1] === 0n) refuse('!a')
      return []
    }
    const { key } = resolved('ob', args[0])
    if (voided.has(key) !== (functionName === 'redeemVoided')) refuse(voided.has(key) ? 'mv' : '!mv')
    pay(user, key, isReal)
    return []
  }

  const run = (from: string, to: string, data: Hex, isReal: boolean): LabLog[] => {
    if (to === predictionMarket) return runPool(from, data, isReal)
    return to === conditionalTokens ? runTokens(from, data, isReal) : refuse('!contract')
  }
  /** Null: it reverts, or there is no such contract. */
  function read(to: string, data: Hex): Hex | null {
    if (to.toLowerCase() === multicall) return aggregated(data, read)
    try {
      return to.toLowerCase() === predictionMarket ? quote(data) : null
    } catch {
      return null
    }
  }

  const attempt = <T>(work: () => T): T | { reverted: string } => {
    try {
      return work()
    } catch (error) {
      // A function that no contract has.
      const why = error instanceof Reverted ? error.message : 'unknown function'
      return { reverted: encodeErrorResult({ abi: errorAbi, errorName: 'Error', args: [why] }) }
    }
  }

  return {
    tradesOf: (wallet) => trades.get(wallet.toLowerCase()) ?? [],
    strangersLog(market, trade) {
      const { outcome, micros } = filledOf(trade)
      const unit = 10n ** BigInt(decimalsOf(market))
      const shares = (BigInt(Math.round(trade.size * 100)) * unit) / 100n
      return logOf({
        user: syntheticTraders.takerOf(market.key, trade).wallet,
        action: actions.buy,
        marketId: BigInt(market.id),
        outcomeId: BigInt(outcome),
        shares,
        value: (shares * BigInt(micros)) / one,
      })
    },
    machine: {
      call: ({ from, to, input }) =>
        attempt(() => {
          if (to === multicall) return { returned: aggregated(input as Hex, read) }
          const returned = to === predictionMarket ? quote(input as Hex) : null
          if (returned !== null) return { returned }
          run(from, to, input as Hex, false)
          return { returned: '0x' }
        }),
      execute: ({ from, to, input }) =>
        attempt(() => {
          const logs = run(from, to, input as Hex, true)
          if (ordering.some((selector) => input.startsWith(selector))) {
            trades.set(from, [...(trades.get(from) ?? []), ...logs])
          }
          return { logs }
        }),
    },
  }
}
