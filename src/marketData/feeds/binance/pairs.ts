// Pairs of Binance's spot markets. A dollar token is not a dollar: BTC/USDT is listed under that name, and nothing is listed as BTC/USD.
import type { FeedMarket } from '#schemas/feeds'

/** Default pairs. */
export const usualPairs = [
  'BTC/USDT',
  'ETH/USDT',
  'SOL/USDT',
  'XRP/USDT',
  'BNB/USDT',
  'DOGE/USDT',
  'LINK/USDT',
] as const

/** Binance's own id of a pair. */
export const idOf = (symbol: string): string => symbol.replace('/', '')

export const binanceMarkets = (pairs: readonly string[]): Map<string, FeedMarket> =>
  new Map(
    pairs.map((symbol) => {
      const [base, quote] = symbol.split('/') as [string, string]
      const id = idOf(symbol)
      return [symbol, { id, symbol, base, quote, active: true, type: 'spot', info: { symbol: id } }]
    }),
  )
