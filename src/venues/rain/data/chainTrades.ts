// Trades from a pool's logs. Pure. An entry is a purchase from the pool, at the price paid per share; an executed order is a resting order that a
// taker matched, at the order's price. A market sale fills resting orders, which report it: SellOption is left out to avoid duplicates.
// https://github.com/rain1-labs/rain-sdk (src/priceHistory/getPriceHistory.ts)
import { parseAbi } from 'viem'
import { z } from 'zod'
import { ONE } from '#core/price'
import { unitsOf } from '../../shared/data/parsers.ts'
import type { ChainTrade, ChainTrades } from '../../venue.ts'
import type { ChainEvent } from '../../venueContext.ts'
import { chainId, confirmations, optionOf, sides } from '../ids.ts'
import { microsOfWei } from './normalize.ts'

const events = parseAbi([
  'event EnterOption(uint256 option, uint8 optionSide, uint256 baseAmount, uint256 sharesAmount, address wallet)',
  'event ExecuteBuyOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 baseAmount, uint256 orderID, address indexed maker, address indexed taker)',
  'event ExecuteSellOrder(uint256 orderOption, uint8 orderOptionSide, uint256 orderPrice, uint256 sharesAmount, uint256 baseAmount, uint256 orderID, address indexed maker, address indexed taker)',
])

const Entry = z.object({
  option: z.bigint(),
  optionSide: z.number(),
  baseAmount: z.bigint(),
  sharesAmount: z.bigint(),
  wallet: z.string(),
})
const Execution = z.object({
  orderOption: z.bigint(),
  orderOptionSide: z.number(),
  orderPrice: z.bigint(),
  sharesAmount: z.bigint(),
  baseAmount: z.bigint(),
  maker: z.string(),
  taker: z.string(),
})

/** From the perspective of the traded side. */
interface LoggedTrade {
  option: bigint
  side: number
  micros: number | null
  shares: bigint
  base: bigint
  isBuy: boolean
  maker: string | null
  taker: string
}

function readTradeLog({ name, args }: ChainEvent): LoggedTrade | null {
  if (name === 'EnterOption') {
    const { data } = Entry.safeParse(args)
    if (data === undefined || data.sharesAmount === 0n) return null
    const { option, optionSide: side, baseAmount: base, sharesAmount: shares, wallet: taker } = data
    // Shares have the base token's decimals. Above one it is not a valid price of a share.
    const micros = Number((base * BigInt(ONE) + shares / 2n) / shares)
    return { option, side, micros: micros <= ONE ? micros : null, shares, base, isBuy: true, maker: null, taker }
  }
  const { data } = Execution.safeParse(args)
  if (data === undefined) return null
  const {
    orderOption: option,
    orderOptionSide: side,
    orderPrice,
    sharesAmount: shares,
    baseAmount: base,
    maker,
    taker,
  } = data
  return {
    option,
    side,
    micros: microsOfWei(orderPrice),
    shares,
    base,
    isBuy: name === 'ExecuteSellOrder',
    maker,
    taker,
  }
}

/** A trade of No at q is one of Yes at 1 − q, in the opposite direction. */
function tradeOf(market: Parameters<ChainTrades['tradeOf']>[0], event: ChainEvent): ChainTrade | null {
  const logged = readTradeLog(event)
  const decimals = Number(market.sourceMetadata.collateralDecimals ?? Number.NaN)
  if (logged === null || optionOf(market.marketId)?.option !== Number(logged.option) || !Number.isInteger(decimals))
    return null
  const isNo = logged.side === sides.no
  if (!isNo && logged.side !== sides.yes) return null
  const shares = unitsOf(String(logged.shares), decimals)
  if (shares === null || shares === 0) return null
  return {
    bookId: market.marketId,
    priceMicros: logged.micros !== null && isNo ? ONE - logged.micros : logged.micros,
    shares,
    type: logged.isBuy !== isNo ? 'Buy' : 'Sell',
    usd: unitsOf(String(logged.base), decimals),
    maker: logged.maker,
    wallet: logged.taker,
    counterparty: logged.maker,
  }
}

export const chainTrades: ChainTrades = {
  chainId,
  confirmations,
  blockMs: 250,
  events,
  contractsOf: ({ contractAddress }) => (contractAddress === undefined ? [] : [contractAddress]),
  tradeOf,
  completeness:
    'entries and executed orders of pools of the second version; market sales appear as the orders they matched; no splits and merges',
}
