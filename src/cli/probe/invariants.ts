// What must hold of normalized rows, whatever the venue. Each function returns what does not, in words.
import { toProbability } from '#core/price'
import type { Market } from '#schemas/market'
import type { Candle, Trade } from '#schemas/marketData'
import type { BookSnapshot } from '#venues/venue'

/** Quotes of the two outcomes of a market may have been read at different moments. */
const complementSlack = 0.02
const tickSlack = 1e-9

export function checkMarket({ marketId, title, outcomes, tickSize }: Market): string[] {
  const wrong: string[] = []
  if (marketId === '' || title === '') wrong.push(`market ${marketId} has no id or no title`)
  if (outcomes.length < 2) wrong.push(`market ${marketId} has ${outcomes.length} outcomes`)
  for (const { outcomeId, price, bestBid, bestAsk } of outcomes) {
    for (const value of [price, bestBid, bestAsk])
      if (value != null && !(value >= 0 && value <= 1)) wrong.push(`outcome ${outcomeId} has the price ${value}`)
    if (bestBid != null && bestAsk != null && bestBid > bestAsk + complementSlack)
      wrong.push(`outcome ${outcomeId} is quoted ${bestBid} above ${bestAsk}`)
  }
  const [yes, no] = outcomes
  if (outcomes.length === 2 && yes?.price != null && no?.price != null) {
    const sum = yes.price + no.price
    const isSettled = sum === 0 || sum === 1
    if (!isSettled && Math.abs(sum - 1) > complementSlack) wrong.push(`the prices of market ${marketId} sum to ${sum}`)
  }
  if (tickSize != null && !(tickSize > 0 && tickSize < 1)) wrong.push(`market ${marketId} has the tick ${tickSize}`)
  return wrong
}

export function checkBook({ bookId, bids, asks, tickMicros }: BookSnapshot, tickSize: number | null): string[] {
  const wrong: string[] = []
  const tick = tickMicros ?? (tickSize === null ? null : Math.round(tickSize * 1e6))
  for (const [price, size] of [...bids, ...asks]) {
    if (!(price > 0 && price < 1_000_000)) wrong.push(`book ${bookId} has a level at ${toProbability(price)}`)
    if (!(size > 0)) wrong.push(`book ${bookId} has a level of size ${size}`)
    if (tick !== null && tick >= 1 && (price / tick) % 1 > tickSlack && 1 - ((price / tick) % 1) > tickSlack)
      wrong.push(`book ${bookId} has a level at ${toProbability(price)}, off its tick of ${tick / 1e6}`)
  }
  const [bid, ask] = [Math.max(...bids.map(([price]) => price)), Math.min(...asks.map(([price]) => price))]
  if (bids.length > 0 && asks.length > 0 && bid >= ask)
    wrong.push(`book ${bookId} is crossed: ${toProbability(bid)} bid, ${toProbability(ask)} ask`)
  return [...new Set(wrong)]
}

export function checkTrades(trades: readonly Trade[], nowMs: number): string[] {
  const wrong: string[] = []
  for (const { id, price, amount, timestamp } of trades) {
    if (price !== null && !(price >= 0 && price <= 1)) wrong.push(`trade ${id} has the price ${price}`)
    if (!(amount >= 0)) wrong.push(`trade ${id} has the amount ${amount}`)
    if (timestamp > nowMs + futureMs) wrong.push(`trade ${id} is dated in the future`)
  }
  if (new Set(trades.map(({ id }) => id)).size < trades.length) wrong.push('a trade is listed twice')
  return wrong
}

/** Clocks differ. */
const futureMs = 60_000

export function checkCandles(candles: readonly Candle[]): string[] {
  const wrong: string[] = []
  for (const { timestamp, open, high, low, close } of candles)
    if (!(low <= open && low <= close && high >= open && high >= close && low >= 0 && high <= 1))
      wrong.push(`the candle of ${new Date(timestamp).toISOString()} contradicts itself`)
  return wrong
}
